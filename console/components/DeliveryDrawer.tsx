import { Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { deliveryQuery } from '../data/deliveries.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { DeliveryActions } from './DeliveryActions.tsx'
import { DeliveryDetail } from './DeliveryDetail.tsx'
import { MayChange } from './MayChange.tsx'
import { PageQuery } from './PageQuery.tsx'

/** A delivery beside its list. */
export function DeliveryDrawer({
  eventId,
  onClose,
}: {
  readonly eventId: string
  readonly onClose: () => void
}) {
  const delivery = useQuery(deliveryQuery(eventId))
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title={deliveryTexts.item}>
      <PageQuery
        query={delivery}
        what={deliveryTexts.item}
        back={{ to: '/deliveries', label: deliveryTexts.back }}
      >
        {(page) => (
          <Stack>
            <Group gap="xs">
              <ButtonLink variant="default" to="/deliveries/$eventId" params={{ eventId }}>
                {deliveryTexts.openPage}
              </ButtonLink>
              <MayChange>
                <DeliveryActions page={page} />
              </MayChange>
            </Group>
            <DeliveryDetail page={page} />
          </Stack>
        )}
      </PageQuery>
    </Drawer>
  )
}
