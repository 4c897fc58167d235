import { Badge, Group } from '@mantine/core'
import { displayName, REASON_NAMES } from '../../../src/contract/console/display-names.ts'
import type { DeadCount } from '../../../src/contract/v1/dead-letters.ts'
import { type DeadSearch, REASONS } from '../../data/search.ts'
import { deadLetterTexts } from '../../messages/deliveries.tsx'
import type { FilterControls } from '../../util/filters.ts'
import { number } from '../../util/numbers.ts'

/** The number of dead letters per reason. A click filters by the reason; a second click removes the filter. */
export function ReasonFilter({
  byReason,
  list: { filters, setFilters },
}: {
  readonly byReason: DeadCount['by_reason']
  readonly list: FilterControls<DeadSearch>
}) {
  if (byReason.length === 0) return null
  return (
    <Group gap="xs" aria-label={deadLetterTexts.filterByReason} role="group">
      {byReason.map(({ reason, count }) => {
        const selected = filters.reason === reason
        return (
          <Badge
            key={reason}
            component="button"
            aria-pressed={selected}
            variant={selected ? 'filled' : 'light'}
            color="red"
            tt="none"
            style={{ cursor: 'pointer' }}
            onClick={() =>
              setFilters({ reason: selected ? undefined : REASONS.find((known) => known === reason) })
            }
          >
            {displayName(REASON_NAMES, reason)}: {number(count)}
          </Badge>
        )
      })}
    </Group>
  )
}
