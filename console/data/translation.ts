import { queryOptions } from '@tanstack/react-query'
import type { TranslatedReview } from '../../src/contract/v1/reviews.ts'
import { request } from './request.ts'

/** A review in English, by the model server. Read only on request, and kept while the console is open. */
export function translationQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['translation', fingerprint],
    queryFn: ({ signal }) =>
      request<TranslatedReview>('POST', `/v1/reviews/${encodeURIComponent(fingerprint)}/translation`, {
        signal,
      }),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
