import { Button } from '@mantine/core'
import { deadLetters } from '../../data/deliveries.ts'
import type { FilterControls } from '../../data/filters.ts'
import type { DeadSearch } from '../../data/search.ts'
import { number } from '../../util/numbers.ts'

/** Export and bulk replay of the dead letters that match the filters. */
export function DeadLetterActions({
  total,
  list,
  onReplay,
}: {
  readonly total: number
  readonly list: FilterControls<DeadSearch>
  readonly onReplay: () => void
}) {
  return (
    <>
      {total === 0 ? (
        // A link cannot be disabled.
        <Button variant="default" disabled>
          Export
        </Button>
      ) : (
        <Button variant="default" component="a" href={deadLetters.exportUrl(list.filters)} download>
          Export
        </Button>
      )}
      <Button disabled={total === 0} onClick={onReplay}>
        {list.isFiltered ? `Replay these ${number(total)}` : `Replay all ${number(total)}`}
      </Button>
    </>
  )
}
