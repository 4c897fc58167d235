import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { displayName, EVENT_TYPE_NAMES } from '../../src/contract/console/display-names.ts'
import { DeliveryActions } from '../components/DeliveryActions.tsx'
import { DeliveryDetail } from '../components/DeliveryDetail.tsx'
import { MayChange } from '../components/MayChange.tsx'
import { PageQuery } from '../components/PageQuery.tsx'
import { deliveryQuery } from '../data/deliveries.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

const route = getRouteApi('/signed-in/deliveries/$eventId')

/** One delivery: its event, its payload and every attempt. */
export function Delivery() {
  const { eventId } = route.useParams()
  const delivery = useQuery(deliveryQuery(eventId))
  return (
    <Stack>
      <PageQuery
        query={delivery}
        what={deliveryTexts.item}
        back={{ to: '/deliveries', label: deliveryTexts.back }}
      >
        {(page) => (
          <>
            <PageHeader
              title={displayName(EVENT_TYPE_NAMES, page.event_type)}
              actions={
                <MayChange>
                  <DeliveryActions page={page} />
                </MayChange>
              }
            />
            <DeliveryDetail page={page} />
          </>
        )}
      </PageQuery>
    </Stack>
  )
}
