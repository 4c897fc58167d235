import { POLL_AHEAD_MS_MAX } from '../port/feeds.ts'

/** How late a feed may be beyond its interval, since a pass of a slow store takes time. */
export const OVERDUE_SLACK_MS = 60_000

/**
 * The condition for a feed that is overdue at `now`, a placeholder. The first two parts of each branch are ranges of
 * the index of due feeds.
 */
export function overdueWhere(now: string): string {
  const ofAll = "store in ('apple', 'google') and kind in ('reviews', 'rating')"
  return `${ofAll} and next_poll_at > 0 and (
    next_poll_at <= ${now} - ${OVERDUE_SLACK_MS} and next_poll_at + interval_ms <= ${now} - ${OVERDUE_SLACK_MS}
    or next_poll_at > ${now} + ${POLL_AHEAD_MS_MAX} and next_poll_at > ${now} + ${POLL_AHEAD_MS_MAX} + 2 * interval_ms)`
}
