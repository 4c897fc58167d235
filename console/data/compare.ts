import { queryOptions, skipToken } from '@tanstack/react-query'
import type { ReviewStatistics } from '../../src/contract/v1/statistics.ts'
import type { Selection } from '../util/comparison.ts'
import { mergedFigures } from '../util/figures.ts'
import { request } from './request.ts'

/** The figures of all selections together, with one request for each. Null: not yet known. */
export function figuresQuery(selections: readonly Selection[] | null) {
  return queryOptions({
    queryKey: ['figures', selections],
    queryFn:
      selections === null
        ? skipToken
        : async ({ signal }) =>
            mergedFigures(
              await Promise.all(
                selections.map((query) => request<ReviewStatistics>('GET', '/v1/stats', { query, signal })),
              ),
            ),
    // A comparison does not change while somebody reads it. Its page asks for later periods when the reader comes back.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
