import { QueryCache, QueryClient } from '@tanstack/react-query'
import { RequestFailed } from './request.ts'

/** How long an answer is shown without asking again; the live stream asks sooner when something changed. */
const FRESH_MS = 15_000

/**
 * What the service refused is not asked again; what it could not answer is, twice. `onSignedOut` is called when it is a
 * session that is over that was refused.
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
