import type { Overview } from './overview.ts'
import type { SessionView } from './people.ts'

/**
 * `GET /api/console/session?with=overview`: the session and the overview of the last 24 hours, which is not older than the session's
 * `state`.
 */
export type FirstLoad = SessionView & {
  /** Absent without a session that may see it; null if it failed. */
  readonly overview?: Overview | null
}

/**
 * The first request of a page of the console, by the page's path and query. The service announces it together with the document, so that
 * the browser loads data and scripts at the same time: both sides need the same URL.
 */
export function firstRequestOf(pageUrl: string): string {
  const [path, query = ''] = pageUrl.split('?', 2)
  // Other ranges depend on the time zone, which only the browser knows.
  return path === '/' && !new URLSearchParams(query).has('range') ? '/session?with=overview' : '/session'
}
