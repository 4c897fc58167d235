import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { ReviewSuggestions } from '../../src/contract/console/review-search.ts'
import type { ReviewCount, ReviewDetail, ReviewPage, ReviewRow } from '../../src/contract/v1/reviews.ts'
import { downloadUrl, request } from './request.ts'
import type { ReviewSearch } from './search.ts'

/** Reviews per page. */
export const REVIEWS_AT_ONCE = 50

export function reviewsQuery(filters: ReviewSearch) {
  return infiniteQueryOptions({
    queryKey: ['reviews', filters],
    queryFn: ({ pageParam, signal }) =>
      request<ReviewPage>('GET', '/v1/reviews', { query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // A list changes only on request while somebody reads it; the newest reviews are a separate query.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

/** The current first page, reloaded when the stream reports new reviews. Does not change the list. */
export function newestReviewsQuery(filters: ReviewSearch, shown: ReviewPage | undefined) {
  return queryOptions({
    queryKey: ['newestReviews', filters],
    queryFn: ({ signal }) => request<ReviewPage>('GET', '/v1/reviews', { query: { ...filters }, signal }),
    initialData: shown,
    enabled: shown !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function reviewCountQuery(filters: ReviewSearch) {
  return queryOptions({
    queryKey: ['reviewCount', filters],
    queryFn: ({ signal }) =>
      request<ReviewCount>('GET', '/v1/reviews/count', { query: { ...filters }, signal }),
  })
}

/** A few of the newest reviews with the text. */
export function paletteReviewsQuery(text: string) {
  return queryOptions({
    queryKey: ['newestReviews', 'palette', text],
    queryFn: ({ signal }) => request<ReviewPage>('GET', '/v1/reviews', { query: { text, limit: 5 }, signal }),
    staleTime: 30_000,
  })
}

export function reviewQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['review', fingerprint],
    queryFn: ({ signal }) =>
      request<ReviewDetail>('GET', `/v1/reviews/${encodeURIComponent(fingerprint)}`, { signal }),
  })
}

/** Requested features and versions of the last year, with their numbers of reviews. */
export const reviewSuggestionsQuery = queryOptions({
  queryKey: ['reviewSuggestions'],
  queryFn: ({ signal }) => request<ReviewSuggestions>('GET', '/console/review-suggestions', { signal }),
  staleTime: 60_000,
})

export function eraseReview(fingerprint: string): Promise<unknown> {
  return request('DELETE', `/v1/reviews/${encodeURIComponent(fingerprint)}`)
}

/** Removes an erased review from all lists, and reloads what counted it. Its page must no longer be shown. */
export function dropReview(queryClient: QueryClient, fingerprint: string): void {
  changeRows(queryClient, (row) => (row.fingerprint === fingerprint ? null : row))
  for (const key of ['review', 'reply', 'translation'])
    queryClient.removeQueries({ queryKey: [key, fingerprint] })
  void queryClient.invalidateQueries()
}

/**
 * Changes a review wherever it is shown, or removes it with null, and counts the reviews again. A list keeps a review that its filter no
 * longer selects, so that it does not vanish under the hands of who changed it.
 */
export function changeRows(
  queryClient: QueryClient,
  change: <Row extends ReviewRow>(row: Row) => Row | null,
): void {
  const changed = (rows: readonly ReviewRow[]) => rows.map(change).filter((row) => row !== null)
  const inPage = (page: ReviewPage): ReviewPage => ({ ...page, data: changed(page.data) })
  queryClient.setQueriesData<InfiniteData<ReviewPage>>(
    { queryKey: ['reviews'] },
    (list) => list && { ...list, pages: list.pages.map(inPage) },
  )
  queryClient.setQueriesData<ReviewPage>({ queryKey: ['newestReviews'] }, (page) => page && inPage(page))
  queryClient.setQueriesData<ReviewRow[]>({ queryKey: ['toAnswer'] }, (rows) => rows && changed(rows))
  queryClient.setQueriesData<ReviewDetail>(
    { queryKey: ['review'] },
    // Null: nothing is set.
    (review) => (review && change(review)) ?? undefined,
  )
  void queryClient.invalidateQueries({ queryKey: ['reviewCount'] })
}

export function exportUrl(filters: ReviewSearch, format: 'csv' | 'jsonl'): string {
  return downloadUrl('/v1/exports/reviews', { ...filters, format })
}
