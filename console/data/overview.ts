import { queryOptions } from '@tanstack/react-query'
import type { Overview, Range } from '../../src/contract/console/overview.ts'
import { request } from './request.ts'

export function overviewQuery(range: Range) {
  return queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) => request<Overview>('GET', '/overview', { query: { range }, signal }),
    placeholderData: (before) => before,
  })
}
