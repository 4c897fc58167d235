import type { Review } from '../../model/review.ts'
import type { KnownReviews, LeasedFeed, ReviewsDecision, Visit } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port.ts'
import type { AppStore } from '../appstores/appstore.ts'
import type { PollDeps } from './poll-loop.ts'
import { reportSources } from './report-sources.ts'
import { nextPollAt, type PollSettings } from './schedule.ts'
import { type Walk, walkReviews } from './walk.ts'

export type DetectReviews = (
  fetched: readonly Review[],
  known: KnownReviews,
) => Pick<ReviewsDecision, 'seen' | 'keep' | 'occurrences'>

export type PollReviewsDeps = PollDeps & {
  readonly appStore: AppStore
  readonly storage: Pick<Storage, 'feeds'>
  readonly detect: DetectReviews
}

export type PollReviewsSettings = {
  readonly poll: PollSettings
  readonly leaseMs: number
  /** How long a new review waits for its enrichment at most; null when there is none. */
  readonly enrichWaitMs: number | null
}

/** A walk ends with this share of its lease used, so that its commit is still ours to make. */
const WALK_LEASE_SHARE = 0.8

/**
 * One visit to a review feed: walks it and commits what it brought, whatever ended the walk. A walk that was cut off
 * by a stop or by the store's backing off goes on as soon as it may. Whether it was a good visit: to the walk's end,
 * and committed.
 */
export async function pollReviews(
  deps: PollReviewsDeps,
  settings: PollReviewsSettings,
  feed: LeasedFeed,
  signal: AbortSignal,
): Promise<boolean> {
  const { appStore, storage, pace, clock, log, meter } = deps
  const startedAtMs = clock.monotonicMs()
  const untilMs = startedAtMs + settings.leaseMs * WALK_LEASE_SHARE
  const walk = await walkReviews({ appStore, feeds: storage.feeds, clock }, feed, untilMs, pace.pace, signal)
  if (walk.refused && walk.reviews.length === 0) {
    await storage.feeds.release([feed])
    return false
  }

  const backOffMs = await tellPace(deps, walk)
  const now = clock.now()
  const outcome = walk.refused ? 'ok' : walk.outcome
  const visit: Visit = {
    feedId: feed.id,
    lease: feed.lease,
    polledAt: now,
    outcome,
    source: walk.source,
    detail: walk.detail,
    raw: walk.raw,
  }
  const schedule = (broughtSomething: boolean) =>
    walk.refused
      ? { nextPollAt: now, intervalMs: feed.intervalMs }
      : nextPollAt(
          {
            now,
            intervalMs: feed.intervalMs,
            outcome,
            broughtSomething,
            failures: feed.failures,
            fresh: feed.lastOkAt === null,
            retryAfterMs: backOffMs,
            jitter: deps.random() * 2 - 1,
          },
          settings.poll,
        )

  let decision: ReviewsDecision | null = null
  let committed = true
  if (walk.reviews.length === 0 && outcome !== 'ok' && outcome !== 'empty') {
    await storage.feeds.commitTrouble([{ ...visit, nextPollAt: schedule(false).nextPollAt }])
  } else {
    const wish = {
      readyAt: new Date(now.getTime() + (settings.enrichWaitMs ?? 0)),
      enrich: settings.enrichWaitMs !== null,
    }
    const sightings = { sources: walk.sources, odd: walk.oddRows.found(), lookedForAll: walk.lookedForAll }
    const decide = (known: KnownReviews) => {
      const changes = deps.detect(walk.reviews, known)
      decision = { ...changes, ...schedule(changes.seen.length > 0) }
      return decision
    }
    const { reviews, incomplete } = walk
    committed = await storage.feeds.commitReviews(visit, reviews, incomplete, wish, decide, sightings)
    if (committed) reportSources(deps, feed, walk)
  }
  const { seen, occurrences } = (decision as ReviewsDecision | null) ?? { seen: [], occurrences: [] }
  if (committed && occurrences.length > 0) deps.onOccurrences()

  const { store, market, appId } = feed
  const tookMs = Math.round(clock.monotonicMs() - startedAtMs)
  meter.count('polls_total', { store, kind: 'reviews', outcome })
  meter.observe('poll_seconds', { store, kind: 'reviews' }, tookMs / 1000)
  if (committed && seen.length > 0) meter.count('reviews_new_total', { store }, seen.length)
  if (committed && occurrences.length > 0) {
    meter.count('occurrences_total', { store, event_type: 'review.created' }, occurrences.length)
  }
  log.info('feed.polled', {
    store,
    kind: 'reviews',
    market,
    app_id: appId,
    outcome,
    source: walk.source,
    detail: walk.detail,
    pages: walk.pages,
    fetched: walk.reviews.length,
    new: seen.length,
    occurrences: occurrences.length,
    incomplete: walk.incomplete,
    odd_rows: walk.oddRows.found().length,
    lease_lost: !committed,
    took_ms: tookMs,
  })
  return committed && !walk.refused && (outcome === 'ok' || outcome === 'empty')
}

/** Milliseconds for which the store asked us, or we ask ourselves, to stay away; 0 for none. */
async function tellPace({ pace, clock, meter, appStore }: PollReviewsDeps, walk: Walk): Promise<number> {
  if (walk.refused) return 0
  if (walk.outcome === 'ok' || walk.outcome === 'empty') await pace.answered()
  if (walk.outcome !== 'blocked') return walk.retryAfterMs
  meter.count('store_blocks_total', { store: appStore.store })
  const until = await pace.block(walk.detail ?? '', walk.retryAfterMs)
  return Math.max(walk.retryAfterMs, until.getTime() - clock.now().getTime())
}
