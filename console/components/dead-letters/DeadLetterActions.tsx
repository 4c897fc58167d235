import { Button } from '@mantine/core'
import { deadLetters } from '../../data/deliveries.ts'
import type { DeadSearch } from '../../data/search.ts'
import { deadLetterTexts } from '../../messages/deliveries.tsx'
import type { FilterControls } from '../../util/filters.ts'
import { MayChange } from '../MayChange.tsx'

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
          {deadLetterTexts.export}
        </Button>
      ) : (
        <Button variant="default" component="a" href={deadLetters.exportUrl(list.filters)} download>
          {deadLetterTexts.export}
        </Button>
      )}
      <MayChange>
        <Button disabled={total === 0} onClick={onReplay}>
          {list.isFiltered ? deadLetterTexts.replayThese(total) : deadLetterTexts.replayAll(total)}
        </Button>
      </MayChange>
    </>
  )
}
