import { QueryCache, QueryClient } from '@tanstack/react-query'
import { RequestFailed } from './request.ts'

/** Data is reloaded after this time, or sooner when the live stream reports a change. */
const STALE_AFTER_MS = 15_000

/**
 * Retries a failed load twice, unless the service rejected the request (4xx). Calls `onSignedOut` when the session has
 * ended (401).
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof RequestFailed && error.status === 401) onSignedOut()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof RequestFailed && error.status >= 400 && error.status < 500),
      },
    },
  })
}
