import type { ReviewSearch } from '../data/search.ts'
import { reviewFilterTexts } from '../messages/reviews.tsx'
import { FilterChips } from '../ui/FilterChips.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import type { FilterControls } from '../util/filters.ts'
import { REVIEW_FILTERS } from './review-filters/filters.tsx'

/** The search field of the review feed, and its filters as chips. */
export function ReviewFilters(controls: FilterControls<ReviewSearch>) {
  const { filters, setFilters } = controls
  return (
    <search aria-label={reviewFilterTexts.label} className="review-filters">
      <SearchField
        label={reviewFilterTexts.search}
        hint={reviewFilterTexts.search}
        width="auto"
        value={filters.text}
        onChange={(text) => setFilters({ text })}
      />
      <FilterChips list={controls} all={REVIEW_FILTERS} />
    </search>
  )
}
