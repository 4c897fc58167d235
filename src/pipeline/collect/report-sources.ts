import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { FetchedReviews } from './fetch-reviews.ts'
import type { PollDeps } from './poll-loop.ts'

/** Logs and counts the changes of a feed's sources and malformed rows during one poll. */
export function reportSources(
  { log, meter }: Pick<PollDeps, 'log' | 'meter'>,
  feed: LeasedFeed,
  fetched: FetchedReviews,
): void {
  const { store, market, appId, id: feedId } = feed
  const about = { store, market, app_id: appId, feed: feedId }
  for (const { source } of fetched.changedSources) meter.count('source_changes_total', { store, source })

  const malformed = fetched.malformedRows.changed()
  if (malformed.length > 0) {
    meter.count('malformed_rows_total', { store }, malformed.length)
    log.warn('feed.rows_quarantined', {
      ...about,
      rows: malformed.length,
      row: malformed[0]?.rowKey,
      detail: malformed[0]?.reason,
    })
  }
  const released = fetched.malformedRows.released()
  if (released.length > 0)
    log.info('feed.rows_released', { ...about, rows: released.length, row: released[0] })

  const [before, after] = [feed.sources, fetched.sources]
  if (before.fallback?.source !== after.fallback?.source) {
    log.info('feed.fallback', {
      ...about,
      from: before.fallback?.source,
      to: after.fallback?.source,
      detail: after.fallback?.reason,
    })
  }
  if (before.frozen?.reason !== after.frozen?.reason) {
    const { frozen } = after
    if (frozen === null) log.info('feed.thawed', about)
    else log.warn('feed.frozen', { ...about, source: frozen.source, reason: frozen.reason })
  }
}
