import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { PollDeps } from './poll-loop.ts'
import type { Walk } from './walk.ts'

/** Logs and counts what changed with the sources and odd rows of a feed in one poll. Nothing when all is as before. */
export function reportSources(
  { log, meter }: Pick<PollDeps, 'log' | 'meter'>,
  feed: LeasedFeed,
  walk: Walk,
): void {
  const { store, market, appId, id: feedId } = feed
  const about = { store, market, app_id: appId, feed: feedId }
  for (const { source } of walk.changedSources) meter.count('source_changes_total', { store, source })

  const odd = walk.oddRows.changed()
  if (odd.length > 0) {
    meter.count('odd_rows_total', { store }, odd.length)
    log.warn('feed.rows_quarantined', {
      ...about,
      rows: odd.length,
      row: odd[0]?.rowKey,
      detail: odd[0]?.why,
    })
  }
  const released = walk.oddRows.released()
  if (released.length > 0)
    log.info('feed.rows_released', { ...about, rows: released.length, row: released[0] })

  const [before, after] = [feed.sources, walk.sources]
  if (before.fallback?.source !== after.fallback?.source) {
    log.info('feed.fallback', {
      ...about,
      from: before.fallback?.source,
      to: after.fallback?.source,
      detail: after.fallback?.why,
    })
  }
  if (before.frozen?.reason !== after.frozen?.reason) {
    const { frozen } = after
    if (frozen === null) log.info('feed.thawed', about)
    else log.warn('feed.frozen', { ...about, source: frozen.source, reason: frozen.reason })
  }
}
