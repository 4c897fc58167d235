import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { downloadUrl, request } from './request.ts'
import type { AuditSearch } from './search.ts'

export function auditQuery(filters: AuditSearch) {
  return infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) =>
      request<AuditPage>('GET', '/v1/audit-log', { query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // The stream has no topic for new entries, so the page reloads whenever it opens.
    staleTime: 0,
  })
}

export function auditExportUrl(filters: AuditSearch, format: 'csv' | 'jsonl'): string {
  return downloadUrl('/v1/exports/audit-log', { ...filters, format })
}
