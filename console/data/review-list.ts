import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReviewLine, ReviewsPage } from '../../src/contract/console/reviews.ts'
import { newestReviewsQuery, REVIEWS_AT_ONCE, reviewsQuery } from './reviews.ts'
import type { ReviewSearch } from './search.ts'

type Pages = InfiniteData<ReviewsPage, string | null>

/**
 * The review feed. New reviews are held back until the reader requests them, so that the list does not move. Updates of
 * shown reviews, such as their enrichment, appear at once.
 */
export function useReviewList(filters: ReviewSearch) {
  const queryClient = useQueryClient()
  const query = reviewsQuery(filters)
  const list = useInfiniteQuery(query)
  const newest = useQuery(newestReviewsQuery(filters, list.data?.pages[0]))
  const shown = list.data?.pages.flatMap((page) => page.reviews) ?? []
  const latest = newest.data?.reviews ?? []
  const byId = new Map(latest.map((review) => [review.fingerprint, review]))
  const known = new Set(shown.map(({ fingerprint }) => fingerprint))
  // Until the list is loaded, every review would count as new. Then only reviews newer than its end do.
  const waiting = list.data === undefined ? [] : latest.filter((review) => isNewTo(shown, known, review))
  const gap = waiting.length > 0 && waiting.length === latest.length

  const showNew = async () => {
    void queryClient.invalidateQueries({ queryKey: ['reviewCount'] })
    // A full page of new reviews: there may be more between it and the list.
    if (gap && latest.length >= REVIEWS_AT_ONCE) {
      queryClient.removeQueries({ queryKey: ['newestReviews', filters] })
      await queryClient.resetQueries({ queryKey: query.queryKey })
      return
    }
    queryClient.setQueryData<Pages>(query.queryKey, (data) => data && withNew(data, waiting))
  }
  return {
    list,
    reviews: shown.map((review) => byId.get(review.fingerprint) ?? review),
    waiting: waiting.length,
    /** There may be more than `waiting`. */
    more: gap && latest.length >= REVIEWS_AT_ONCE,
    showNew,
  }
}

function isNewTo(shown: readonly ReviewLine[], known: ReadonlySet<string>, review: ReviewLine): boolean {
  if (known.has(review.fingerprint)) return false
  const last = shown.at(-1)
  return shown.length < REVIEWS_AT_ONCE || last === undefined || review.occurredAt >= last.occurredAt
}

function withNew(data: Pages, found: readonly ReviewLine[]): Pages {
  const [first, ...rest] = data.pages
  if (first === undefined) return data
  const reviews = [...found, ...first.reviews].sort((a, b) => b.occurredAt.localeCompare(a.occurredAt))
  return { ...data, pages: [{ ...first, reviews }, ...rest] }
}
