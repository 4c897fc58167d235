import type { PollOutcome } from '../../model/feed.ts'
import type { Review } from '../../model/review.ts'
import type { KnownReviews, LeasedFeed, Poll, ReviewsDecision } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { AppStore } from '../appstores/appstore.ts'
import { backOff } from './back-off.ts'
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

/** A walk may take this share of its lease, so that the lease is still valid at the commit. */
const WALK_LEASE_SHARE = 0.8

/**
 * One poll of a review feed: walks its pages and commits the reviews, whatever ended the walk. A walk interrupted by a
 * stop or a block continues as soon as possible. True for a complete walk that was committed.
 */
export async function pollReviews(
  deps: PollReviewsDeps,
  settings: PollReviewsSettings,
  feed: LeasedFeed,
  signal: AbortSignal,
): Promise<boolean> {
  const { appStore, storage, pace, clock } = deps
  const startedAtMs = clock.monotonicMs()
  const untilMs = startedAtMs + settings.leaseMs * WALK_LEASE_SHARE
  const walk = await walkReviews({ appStore, feeds: storage.feeds, clock }, feed, untilMs, pace.pace, signal)
  if (walk.refused && walk.reviews.length === 0) {
    await storage.feeds.release([feed])
    return false
  }

  const result = await commitWalk(deps, settings, feed, walk)
  if (result.kind === 'reviews') {
    reportSources(deps, feed, walk)
    if (result.occurrences > 0) deps.onOccurrences()
  }
  report(deps, feed, walk, result, Math.round(clock.monotonicMs() - startedAtMs))
  return result.kind === 'reviews' && !walk.refused && isGood(result.outcome)
}

type PollResult = {
  /** The commit: reviews, which may be none; a failure; or nothing, because the lease was lost. */
  readonly kind: 'reviews' | 'failure' | 'lease_lost'
  readonly outcome: PollOutcome
  readonly newReviews: number
  readonly occurrences: number
}

async function commitWalk(
  deps: PollReviewsDeps,
  settings: PollReviewsSettings,
  feed: LeasedFeed,
  walk: Walk,
): Promise<PollResult> {
  const { storage, clock } = deps
  const retryAfterMs = await recordPace(deps, walk)
  const now = clock.now()
  const { source, detail, raw, reviews, incomplete } = walk
  const outcome = walk.refused ? 'ok' : walk.outcome
  const poll: Poll = { feedId: feed.id, lease: feed.lease, polledAt: now, outcome, source, detail, raw }
  const schedule = (hasNewData: boolean) => {
    if (walk.refused) return { nextPollAt: now, intervalMs: feed.intervalMs }
    const { intervalMs, failures, lastOkAt } = feed
    const jitter = deps.random() * 2 - 1
    const fresh = lastOkAt === null
    return nextPollAt(
      { now, intervalMs, outcome, hasNewData, failures, fresh, retryAfterMs, jitter },
      settings.poll,
    )
  }

  if (reviews.length === 0 && !isGood(outcome)) {
    await storage.feeds.commitFailures([{ ...poll, nextPollAt: schedule(false).nextPollAt }])
    return { kind: 'failure', outcome, newReviews: 0, occurrences: 0 }
  }

  let counts = { newReviews: 0, occurrences: 0 }
  const decide = (known: KnownReviews): ReviewsDecision => {
    const changes = deps.detect(reviews, known)
    counts = { newReviews: changes.seen.length, occurrences: changes.occurrences.length }
    return { ...changes, ...schedule(changes.seen.length > 0) }
  }
  const enrichment = {
    readyAt: new Date(now.getTime() + (settings.enrichWaitMs ?? 0)),
    enrich: settings.enrichWaitMs !== null,
  }
  const committed = await storage.feeds.commitReviews(poll, reviews, incomplete, enrichment, decide, {
    sources: walk.sources,
    malformed: walk.malformedRows.found(),
    searchedAll: walk.searchedAll,
  })
  return { kind: committed ? 'reviews' : 'lease_lost', outcome, ...counts }
}

function isGood(outcome: PollOutcome): boolean {
  return outcome === 'ok' || outcome === 'empty'
}

/** Records the walk with the store's pace. Returns the minimum wait before the next poll, 0 for none. */
async function recordPace(deps: PollReviewsDeps, walk: Walk): Promise<number> {
  if (walk.refused) return 0
  if (isGood(walk.outcome)) await deps.pace.answered()
  if (walk.outcome !== 'blocked') return walk.retryAfterMs
  const failure = { kind: walk.outcome, detail: walk.detail ?? '', retryAfterMs: walk.retryAfterMs }
  return Math.max(walk.retryAfterMs, await backOff(deps, deps.appStore.store, [failure]))
}

function report(
  { log, meter }: PollReviewsDeps,
  { store, market, appId }: LeasedFeed,
  walk: Walk,
  { kind, outcome, newReviews, occurrences }: PollResult,
  tookMs: number,
): void {
  meter.count('polls_total', { store, kind: 'reviews', outcome })
  meter.observe('poll_seconds', { store, kind: 'reviews' }, tookMs / 1000)
  if (kind === 'reviews' && newReviews > 0) meter.count('reviews_new_total', { store }, newReviews)
  if (kind === 'reviews' && occurrences > 0) {
    meter.count('occurrences_total', { store, event_type: 'review.created' }, occurrences)
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
    new: newReviews,
    occurrences,
    incomplete: walk.incomplete,
    malformed_rows: walk.malformedRows.found().length,
    lease_lost: kind === 'lease_lost',
    took_ms: tookMs,
  })
}
