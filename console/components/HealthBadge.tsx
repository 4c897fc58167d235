import { Badge, Tooltip } from '@mantine/core'
import type { FeedHealth } from '../../src/contract/console/apps.ts'
import { FEED_HEALTH_NAMES } from '../../src/contract/console/display-names.ts'

const STYLES: Readonly<Record<FeedHealth, { readonly color: string; readonly about: string }>> = {
  waiting: { color: 'gray', about: 'Not checked yet' },
  well: { color: 'teal', about: 'The last check succeeded' },
  stale: { color: 'yellow', about: 'The last response of the store could not be used' },
  blocked: { color: 'orange', about: 'The store blocks requests. Checks are paused.' },
  gone: { color: 'red', about: 'The store does not list this app in this storefront' },
  changed: { color: 'red', about: 'The store changed the format of its responses' },
}

/** The health of a feed, with the reason on hover and focus. */
export function HealthBadge({
  health,
  reason,
}: {
  readonly health: FeedHealth
  readonly reason?: string | null
}) {
  const style = STYLES[health]
  return (
    <Tooltip
      label={reason ?? style.about}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Badge color={style.color} variant="light" tabIndex={0} tt="none">
        {FEED_HEALTH_NAMES[health]}
      </Badge>
    </Tooltip>
  )
}
