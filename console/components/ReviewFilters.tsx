import type { ReviewSearch } from '../data/search.ts'
import { reviewFilterTexts } from '../messages/reviews.tsx'
import { FilterChips } from '../ui/FilterChips.tsx'
import type { FilterControls } from '../util/filters.ts'
import { REVIEW_FILTERS } from './review-filters/filters.tsx'
import { ReviewSearchField } from './review-filters/ReviewSearchField.tsx'

/** The search field of the review feed, and its filters as chips. */
export function ReviewFilters(controls: FilterControls<ReviewSearch>) {
  return (
    <search aria-label={reviewFilterTexts.label} className="review-filters">
      <ReviewSearchField filters={controls.filters} setFilters={controls.setFilters} />
      <FilterChips list={controls} all={REVIEW_FILTERS} />
    </search>
  )
}
