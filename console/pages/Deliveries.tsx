import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { DeliveryFilters } from '../components/DeliveryFilters.tsx'
import { DeliveryList } from '../components/DeliveryList.tsx'
import { deliveriesQuery } from '../data/deliveries.ts'
import { filterControls } from '../data/filters.ts'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'

const route = getRouteApi('/signed-in/deliveries')

/** Every delivery of the account, newest first. */
export function Deliveries() {
  const navigate = useNavigate()
  const list = filterControls(
    route.useSearch(),
    (search) => void navigate({ to: '/deliveries', search, replace: true }),
  )
  const deliveries = useInfiniteQuery(deliveriesQuery(list.filters, 'deliveries'))
  const lines = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <>
      <PageHeader title="Deliveries" about="Events sent to your destinations, with every attempt" />
      <Stack>
        <DeliveryFilters {...list} />
        <ListStates list={deliveries} empty={lines.length === 0} what="deliveries" filters={list}>
          <Empty title="No deliveries yet">
            A delivery appears here as soon as a new review or a rating drop matches a subscription.
          </Empty>
        </ListStates>
        {lines.length > 0 && <DeliveryList lines={lines} />}
        <MoreOf list={deliveries} what="deliveries" />
      </Stack>
    </>
  )
}
