import { Badge, Tooltip } from '@mantine/core'
import { FEED_HEALTH_NAMES } from '../../src/contract/console/display-names.ts'
import type { TrackedApp } from '../../src/contract/v1/apps.ts'
import { healthTexts } from '../messages/common.ts'

const STYLES: Readonly<Record<TrackedApp['health'], { readonly color: string; readonly about: string }>> = {
  waiting: { color: 'gray', about: healthTexts.waiting },
  well: { color: 'teal', about: healthTexts.well },
  unrated: { color: 'gray', about: healthTexts.unrated },
  stale: { color: 'yellow', about: healthTexts.stale },
  blocked: { color: 'orange', about: healthTexts.blocked },
  gone: { color: 'red', about: healthTexts.gone },
  changed: { color: 'red', about: healthTexts.changed },
}

/** The health of a feed, with the reason on hover and focus. */
export function HealthBadge({
  health,
  reason,
}: {
  readonly health: TrackedApp['health']
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
