import { queryOptions } from '@tanstack/react-query'
import type { IncidentView, StatusView } from '../../src/contract/console/status.ts'
import { request } from './request.ts'

/** Causes such as a silent node are no change of the account, so no topic announces them. */
const STATUS_REFRESH_MS = 30_000

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => request<StatusView>('GET', '/console/status', { signal }),
  refetchInterval: STATUS_REFRESH_MS,
})

/**
 * Those that require action, of the installation first: they may be the cause of the others. The navigation has the number of dead letters.
 */
export function problemsIn({ account, installation }: StatusView): IncidentView[] {
  return [...(installation ?? []), ...account].filter(
    ({ grade, key }) => grade === 'problem' && key !== 'dead_letters',
  )
}
