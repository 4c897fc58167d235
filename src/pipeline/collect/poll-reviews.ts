import type { PollOutcome } from '../../model/feed.ts'
import type { Review } from '../../model/review.ts'
import { later } from '../../runtime/instant.ts'
import type { KnownReviews, LeasedFeed, Poll, ReviewsDecision } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { AppStore } from '../appstores/appstore.ts'
import { estimateReviewsPerDay } from './arrival-rate.ts'
import { backOff } from './back-off.ts'
import { type FetchedReviews, fetchReviews } from './fetch-reviews.ts'
import type { PollDeps } from './poll-loop.ts'
import { pollIntervalMs } from './poll-plan.ts'
import type { PollPlanner } from './poll-planner.ts'
import { reportSources } from './report-sources.ts'
import { isGood, nextPollAt, type PollSettings } from './schedule.ts'
import type { StoreSources } from './store-sources.ts'

export type DetectReviews = (
  fetched: readonly Review[],
  known: KnownReviews,
) => Pick<ReviewsDecision, 'seen' | 'toStore' | 'occurrences' | 'negatives'>

export type PollReviewsDeps = PollDeps & {
  readonly appStore: AppStore
  readonly storage: Pick<Storage, 'feeds' | 'hooks'>
  readonly detect: DetectReviews
  readonly plan: PollPlanner
  readonly storeSources: StoreSources
}

export type PollReviewsSettings = {
  readonly poll: PollSettings
  readonly leaseMs: number
  /** How long a new review waits for its enrichment at most; null without enrichment. */
  readonly enrichWaitMs: number | null
}

/** Fetching may take this share of the lease, so that the lease is still valid at the commit. */
const FETCH_LEASE_SHARE = 0.8

/**
 * Polls a review feed: fetches its pages and commits the reviews, even if a later page failed. A poll interrupted by a
 * stop or a block is due again at once. Returns true when all pages were fetched and committed.
 */
export async function pollReviews(
  deps: PollReviewsDeps,
  settings: PollReviewsSettings,
  feed: LeasedFeed,
  signal: AbortSignal,
): Promise<boolean> {
  const { appStore, storage, pace, clock, storeSources } = deps
  const startedAtMs = clock.monotonicMs()
  const untilMs = startedAtMs + settings.leaseMs * FETCH_LEASE_SHARE
  const fetched = await fetchReviews(
    { appStore, feeds: storage.feeds, hooks: storage.hooks, clock, storeSources },
    feed,
    untilMs,
    pace.pace,
    signal,
  )
  if (fetched.refused && fetched.reviews.length === 0) {
    await storage.feeds.release([feed])
    return false
  }

  const result = await commitFetched(deps, settings, feed, fetched)
  if (result.kind === 'reviews') {
    reportSources(deps, feed, fetched)
    if (result.occurrences > 0 || result.hasNegatives) deps.onOccurrences()
  }
  report(deps, feed, fetched, result, Math.round(clock.monotonicMs() - startedAtMs))
  return result.kind === 'reviews' && !fetched.refused && isGood(result.outcome)
}

type PollResult = {
  /** What was committed: reviews (possibly none), a failure, or nothing because the lease was lost. */
  readonly kind: 'reviews' | 'failure' | 'lease_lost'
  readonly outcome: PollOutcome
  readonly newReviews: number
  readonly occurrences: number
  /** Whether new reviews may be part of a spike. */
  readonly hasNegatives: boolean
}

async function commitFetched(
  deps: PollReviewsDeps,
  settings: PollReviewsSettings,
  feed: LeasedFeed,
  fetched: FetchedReviews,
): Promise<PollResult> {
  const { storage, clock } = deps
  const retryAfterMs = await recordPace(deps, fetched)
  const now = clock.now()
  const { source, detail, raw, reviews, incomplete } = fetched
  const outcome = fetched.refused ? 'ok' : fetched.outcome
  const poll: Poll = { feedId: feed.id, lease: feed.lease, polledAt: now, outcome, source, detail, raw }
  const reviewsPerDay = isGood(outcome) && !fetched.refused ? rateOf(reviews, now) : null
  const intervalMs =
    settings.poll.fixedIntervalMs ??
    (reviewsPerDay === null ? feed.intervalMs : pollIntervalMs(reviewsPerDay, await deps.plan()))
  const next = {
    nextPollAt: fetched.refused
      ? now
      : nextPollAt({
          ...nextOf(feed),
          now,
          intervalMs,
          outcome,
          retryAfterMs,
          jitter: deps.random() * 2 - 1,
        }),
    intervalMs: fetched.refused ? feed.intervalMs : intervalMs,
    reviewsPerDay,
  }

  if (reviews.length === 0 && !isGood(outcome)) {
    await storage.feeds.commitFailures([{ ...poll, nextPollAt: next.nextPollAt }])
    return { kind: 'failure', outcome, newReviews: 0, occurrences: 0, hasNegatives: false }
  }

  let counts = { newReviews: 0, occurrences: 0 }
  let hasNegatives = false
  const decide = (known: KnownReviews): ReviewsDecision => {
    const changes = deps.detect(reviews, known)
    counts = { newReviews: changes.seen.length, occurrences: changes.occurrences.length }
    hasNegatives = changes.negatives != null
    return { ...changes, ...next }
  }
  const enrichment = {
    readyAt: later(now, settings.enrichWaitMs ?? 0),
    enrich: settings.enrichWaitMs !== null,
  }
  const committed = await storage.feeds.commitReviews(poll, reviews, incomplete, enrichment, decide, {
    sources: fetched.sources,
    malformed: fetched.malformedRows.found(),
    searchedAll: fetched.searchedAll,
  })
  return { kind: committed ? 'reviews' : 'lease_lost', outcome, ...counts, hasNegatives }
}

function nextOf({ failures, lastOkAt }: LeasedFeed) {
  return { failures, fresh: lastOkAt === null }
}

function rateOf(reviews: readonly Review[], now: Date): number {
  return estimateReviewsPerDay(
    reviews.map(({ shownAt }) => shownAt),
    now,
  )
}

/** Reports the outcome to the store's rate limit. Returns the minimum wait before the next poll, or 0. */
async function recordPace(deps: PollReviewsDeps, fetched: FetchedReviews): Promise<number> {
  if (fetched.refused) return 0
  if (isGood(fetched.outcome)) await deps.pace.answered()
  if (fetched.outcome !== 'blocked') return fetched.retryAfterMs
  const failure = { kind: fetched.outcome, detail: fetched.detail ?? '', retryAfterMs: fetched.retryAfterMs }
  return Math.max(fetched.retryAfterMs, await backOff(deps, deps.appStore.store, [failure]))
}

function report(
  { log, meter }: PollReviewsDeps,
  { store, market, appId }: LeasedFeed,
  fetched: FetchedReviews,
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
    source: fetched.source,
    detail: fetched.detail,
    pages: fetched.pages,
    fetched: fetched.reviews.length,
    new: newReviews,
    occurrences,
    incomplete: fetched.incomplete,
    malformed_rows: fetched.malformedRows.found().length,
    lease_lost: kind === 'lease_lost',
    took_ms: tookMs,
  })
}
