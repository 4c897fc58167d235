import { Badge, Tooltip } from '@mantine/core'
import type { FeedHealth } from '../../src/contract/console/apps.ts'

const LOOKS: Readonly<
  Record<FeedHealth, { readonly color: string; readonly label: string; readonly about: string }>
> = {
  waiting: { color: 'gray', label: 'Waiting', about: 'Not visited yet' },
  well: { color: 'teal', label: 'Well', about: 'The last visit was answered' },
  stale: { color: 'yellow', label: 'Stale', about: 'The store gives no usable answer at the moment' },
  blocked: { color: 'orange', label: 'Backing off', about: 'The store told us to ask less; we wait' },
  gone: { color: 'red', label: 'Not in the store', about: 'The store has no such app in this storefront' },
  changed: { color: 'red', label: 'Store changed', about: 'The store answers in a shape we do not know' },
}

/** How a feed does; the reason on hover and focus when there is one. */
export function HealthBadge({
  health,
  reason,
}: {
  readonly health: FeedHealth
  readonly reason?: string | null
}) {
  const look = LOOKS[health]
  return (
    <Tooltip
      label={reason ?? look.about}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Badge color={look.color} variant="light" tabIndex={0} tt="none">
        {look.label}
      </Badge>
    </Tooltip>
  )
}
