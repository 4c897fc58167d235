import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ReviewsPage, ReviewView } from '../../src/contract/console/reviews.ts'
import { consoleUrl, request } from './request.ts'
import type { ReviewSearch } from './search.ts'

export function reviewsQuery(filters: ReviewSearch) {
  return infiniteQueryOptions({
    queryKey: ['reviews', filters],
    queryFn: ({ pageParam, signal }) =>
      request<ReviewsPage>('GET', '/reviews', { query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
}

export function reviewQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['reviews', 'one', fingerprint],
    queryFn: ({ signal }) =>
      request<ReviewView>('GET', `/reviews/${encodeURIComponent(fingerprint)}`, { signal }),
  })
}

export function exportUrl(filters: ReviewSearch, format: 'csv' | 'jsonl'): string {
  return consoleUrl('/reviews/export', { ...filters, format })
}
