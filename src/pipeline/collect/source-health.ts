import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { AppStore, ReviewsPage } from '../appstores/appstore.ts'

/**
 * The health of a store's sources over all feeds of this process: a source that shows nothing for several apps in a row, whose reviews
 * other sources have, is not served to us. Then it is off for the whole store, like a store that blocks us, and one poll probes it for
 * all feeds. Feeds keep only what is theirs: pages of single apps that are missing, and frozen ones.
 */

const MINUTE_MS = 60_000

/** Apps in a row: a page of one app may be missing for hours (C 2026-11), that of five different ones hardly at once. */
export const EMPTY_APPS_MIN = 5
/** The time until the first probe, doubled with each failed one up to the longest. */
export const OFF_MS = 30 * MINUTE_MS
export const OFF_MS_MAX = 6 * 60 * MINUTE_MS
/** After this time without a result, such as for an app without reviews, another poll may probe. */
const PROBE_MS_MAX = 2 * MINUTE_MS

export type SourceHealth = {
  /** The last apps in a row for which it was empty, at most `EMPTY_APPS_MIN`. */
  readonly emptyApps: readonly string[]
  /** When it may be probed; null while it is on. */
  readonly offUntilMs: number | null
  /** How often in a row it was put off. */
  readonly offs: number
}

const ON: SourceHealth = { emptyApps: [], offUntilMs: null, offs: 0 }

/** The health after an answer: `served` reviews, or was `empty` for an app whose reviews another source had. Pure. */
export function afterAnswer(
  health: SourceHealth,
  answer: 'served' | 'empty',
  appId: string,
  nowMs: number,
): SourceHealth {
  if (answer === 'served') return ON
  const emptyApps = [...health.emptyApps.filter((one) => one !== appId), appId].slice(-EMPTY_APPS_MIN)
  if (health.offUntilMs === null && emptyApps.length < EMPTY_APPS_MIN) return { ...health, emptyApps }
  // A request from before the source was put off is no probe.
  if (health.offUntilMs !== null && nowMs < health.offUntilMs) return health
  const waitMs = Math.min(OFF_MS_MAX, OFF_MS * 2 ** Math.min(health.offs, 10))
  return { emptyApps, offUntilMs: nowMs + waitMs, offs: health.offs + 1 }
}

/** The health after an app was not asked for, because an earlier source had its reviews. */
function afterUnasked(health: SourceHealth): SourceHealth {
  return health.offUntilMs === null ? ON : health
}

/** What the first page of a poll says about the sources that were asked for it. */
export function answersOf(page: ReviewsPage): ReadonlyMap<string, 'served' | 'empty'> {
  if (page.kind !== 'ok' || page.partial === true || page.reviews.length === 0) return new Map()
  const empty = (page.earlierFailures ?? []).filter((failure) => failure.emptyPage === true)
  return new Map([...empty.map(({ source }) => [source, 'empty'] as const), [page.source, 'served'] as const])
}

export type StoreSources = {
  /** Sources that this poll must not ask. It may ask one that is off, when it is to probe it. */
  readonly toSkip: () => ReadonlySet<string>
  /** The first source that is on; the first one if none is. */
  readonly primary: () => string
  /** Learns from the first page of a poll. */
  readonly learn: (appId: string, page: ReviewsPage) => void
}

/** In memory: after a restart a few polls find out again. */
export function createStoreSources(
  { clock, log, meter }: { readonly clock: Clock; readonly log: Log; readonly meter: Meter },
  { store, reviewSources }: Pick<AppStore, 'store' | 'reviewSources'>,
): StoreSources {
  const known = new Map<string, SourceHealth>()
  const probedUntilMs = new Map<string, number>()
  const healthOf = (source: string) => known.get(source) ?? ON

  return {
    toSkip() {
      const nowMs = clock.monotonicMs()
      const skipped = new Set<string>()
      for (const [source, { offUntilMs }] of known) {
        if (offUntilMs === null) continue
        if (nowMs < Math.max(offUntilMs, probedUntilMs.get(source) ?? 0)) skipped.add(source)
        else probedUntilMs.set(source, nowMs + PROBE_MS_MAX)
      }
      return skipped
    },

    primary: () =>
      reviewSources.find((source) => healthOf(source).offUntilMs === null) ?? reviewSources[0] ?? '',

    learn(appId, page) {
      const nowMs = clock.monotonicMs()
      for (const [source, answer] of answersOf(page)) {
        const before = healthOf(source)
        const after = afterAnswer(before, answer, appId, nowMs)
        known.set(source, after)
        const { offUntilMs, offs } = after
        if (offUntilMs !== null && offUntilMs !== before.offUntilMs) {
          meter.count('store_blocks_total', { store })
          log.warn('source.off', { store, source, probe_in_ms: offUntilMs - nowMs, times: offs })
        }
        if (offUntilMs === null && before.offUntilMs !== null) log.info('source.on', { store, source })
        // An app that an earlier source serves is not asked of the later ones, which otherwise see only the apps whose page is missing.
        const later = answer === 'served' ? reviewSources.slice(reviewSources.indexOf(source) + 1) : []
        for (const one of later) known.set(one, afterUnasked(healthOf(one)))
      }
    },
  }
}
