import { queryOptions } from '@tanstack/react-query'
import type { Overview, Range } from '../../src/contract/console/overview.ts'
import { ZONE } from '../util/locale.ts'
import { request } from './request.ts'

/** The time range of the overview. */
export function rangeOf({ range = '24h' }: { readonly range?: Range | undefined }): Range {
  return range
}

export function overviewQuery(range: Range) {
  return queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) =>
      request<Overview>('GET', '/console/overview', { query: { range, zone: ZONE }, signal }),
    placeholderData: (before) => before,
  })
}
