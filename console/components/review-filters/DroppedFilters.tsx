import { Alert } from '@mantine/core'
import type { ReviewSearch } from '../../data/search.ts'
import { reviewFilterTexts, viewTexts } from '../../messages/reviews.tsx'
import { REVIEW_FILTERS } from './filters.tsx'

/** Names the filters of a view that its subscription does not have. */
export function DroppedFilters({
  view,
  parameters,
}: {
  readonly view: ReviewSearch
  readonly parameters: readonly string[]
}) {
  if (parameters.length === 0) return null
  const names = REVIEW_FILTERS.filter(
    (filter) => filter.shown(view) !== null && filter.names.some((name) => parameters.includes(name)),
  ).map(({ label }) => label)
  // Words of the feed also match the author, and parts of words.
  if (parameters.includes('text')) names.push(reviewFilterTexts.search)
  return (
    <Alert color="yellow" variant="light">
      {viewTexts.dropped(names)}
    </Alert>
  )
}
