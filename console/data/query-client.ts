import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { RequestFailed } from './request.ts'

/** Data is reloaded after this time, or sooner when the live stream reports a change. */
const STALE_AFTER_MS = 15_000

/**
 * Retries a failed load twice, unless the service rejected the request (4xx). Calls `onSignedOut` when the session has ended (401), and
 * `onForbidden` when it does not allow a request (403). A change that answers 401 is a wrong password.
 */
export function createQueryClient(on: {
  readonly onSignedOut: () => void
  readonly onForbidden: () => void
}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isRequestFailed(error, 401)) on.onSignedOut()
        if (isRequestFailed(error, 403)) on.onForbidden()
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isRequestFailed(error, 403)) on.onForbidden()
      },
    }),
    // The service may be reachable without a network, and a request that is not must fail instead of waiting unseen.
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: STALE_AFTER_MS,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof RequestFailed && error.status >= 400 && error.status < 500),
      },
    },
  })
}

function isRequestFailed(error: Error, status: number): boolean {
  return error instanceof RequestFailed && error.status === status
}
