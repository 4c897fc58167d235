import { Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { deliveryQuery } from '../data/deliveries.ts'
import { ButtonLink } from '../ui/links.tsx'
import { DeliveryActions } from './DeliveryActions.tsx'
import { DeliveryDetail } from './DeliveryDetail.tsx'
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
    <Drawer opened onClose={onClose} position="right" size="xl" title="Delivery">
      <PageQuery query={delivery} what="Delivery" back={{ to: '/deliveries', label: 'Back to deliveries' }}>
        {(page) => (
          <Stack>
            <Group gap="xs">
              <ButtonLink variant="default" to="/deliveries/$eventId" params={{ eventId }}>
                Open page
              </ButtonLink>
              <DeliveryActions page={page} />
            </Group>
            <DeliveryDetail page={page} />
          </Stack>
        )}
      </PageQuery>
    </Drawer>
  )
}
