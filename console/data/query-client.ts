import { QueryCache, QueryClient } from '@tanstack/react-query'
import { RequestFailed } from './request.ts'

/** How long data is shown before it is loaded again; the live stream reloads sooner when something changed. */
const FRESH_MS = 15_000

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
        staleTime: FRESH_MS,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof RequestFailed && error.status >= 400 && error.status < 500),
      },
    },
  })
}
