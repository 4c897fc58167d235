import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReviewPage, ReviewRow } from '../../src/contract/v1/reviews.ts'
import { newestReviewsQuery, REVIEWS_AT_ONCE, reviewsQuery } from './reviews.ts'
import type { ReviewSearch } from './search.ts'

type Pages = InfiniteData<ReviewPage, string | null>

/**
 * The review feed. New reviews are held back until the reader requests them, so that the list does not move. Updates of
 * shown reviews, such as their enrichment, appear at once.
 */
export function useReviewList(filters: ReviewSearch) {
  const queryClient = useQueryClient()
  const query = reviewsQuery(filters)
  const list = useInfiniteQuery(query)
  const newest = useQuery(newestReviewsQuery(filters, list.data?.pages[0]))
  const shown = list.data?.pages.flatMap((page) => page.data) ?? []
  const latest = newest.data?.data ?? []
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

function isNewTo(shown: readonly ReviewRow[], known: ReadonlySet<string>, review: ReviewRow): boolean {
  if (known.has(review.fingerprint)) return false
  const last = shown.at(-1)
  return shown.length < REVIEWS_AT_ONCE || last === undefined || review.occurred_at >= last.occurred_at
}

function withNew(list: Pages, found: readonly ReviewRow[]): Pages {
  const [first, ...rest] = list.pages
  if (first === undefined) return list
  const data = [...found, ...first.data].sort((a, b) => b.occurred_at.localeCompare(a.occurred_at))
  return { ...list, pages: [{ ...first, data }, ...rest] }
}
