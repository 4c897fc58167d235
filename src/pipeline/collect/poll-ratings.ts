import { isStorefront } from '../../model/market.ts'
import type { Rating } from '../../model/rating.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'
import type { LeasedFeed, Poll, RatingDecision, RatingObservation } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { AppStore, RatingAnswer, StoreApp, StoreFailure } from '../appstores/appstore.ts'
import { backOff } from './back-off.ts'
import { trackRefusals } from './fetch-reviews.ts'
import type { PollDeps } from './poll-loop.ts'
import { nextPollAt, type PollSettings, ratingIntervalMs } from './schedule.ts'

export type DetectRating = (
  store: Store,
  appId: string,
  observed: Rating | null,
  baseline: Rating | null,
) => Pick<RatingDecision, 'baseline' | 'drop'>

export type PollRatingsDeps = PollDeps & {
  readonly appStore: AppStore
  readonly storage: Pick<Storage, 'feeds'>
  readonly detect: DetectRating
  /** Stores app data from answers. */
  readonly upsertApps: (apps: readonly StoreApp[]) => Promise<void>
}

type GoodAnswer = Exclude<RatingAnswer, StoreFailure>
type Answered<Answer> = { readonly feed: LeasedFeed; readonly answer: Answer }

type Fetched = {
  readonly all: readonly Answered<RatingAnswer>[]
  readonly good: readonly Answered<GoodAnswer>[]
  readonly failed: readonly Answered<StoreFailure>[]
  /** Feeds without an answer because the service is stopping or the store is blocked. */
  readonly unrequested: readonly LeasedFeed[]
}

/**
 * One poll of the ratings of up to `ratingBatchMax` apps of one storefront, in one request. Each feed is settled with
 * its own answer. A feed without a request keeps its due time.
 */
export async function pollRatings(
  deps: PollRatingsDeps,
  settings: PollSettings,
  feeds: readonly LeasedFeed[],
  signal: AbortSignal,
): Promise<void> {
  const { appStore, storage, pace, clock } = deps
  if (feeds.length === 0) return
  const startedAtMs = clock.monotonicMs()
  const fetched = await fetchRatings(deps, feeds, signal)
  const { good, failed, unrequested } = fetched
  const now = clock.now()

  if (unrequested.length > 0) await storage.feeds.release(unrequested)
  if (good.length > 0) await pace.answered()
  const failures = failed.map(({ answer }) => answer)
  const backOffMs = await backOff(deps, appStore.store, failures)
  const drops = good.length === 0 ? 0 : await commitRatings(deps, settings, good, now)
  if (failed.length > 0) await commitFailures(deps, settings, failed, backOffMs, now)
  if (drops > 0) deps.onOccurrences()
  await deps.upsertApps(good.flatMap(({ answer }) => answer.app ?? []))

  report(deps, fetched, drops, Math.round(clock.monotonicMs() - startedAtMs))
}

const NO_ANSWER: StoreFailure = {
  kind: 'unknown',
  source: '',
  detail: 'The answer does not contain the app.',
}

async function fetchRatings(
  { appStore, pace }: PollRatingsDeps,
  feeds: readonly LeasedFeed[],
  signal: AbortSignal,
): Promise<Fetched> {
  const storefront = feeds[0]?.market ?? ''
  if (!isStorefront(storefront)) {
    throw new Error(`The market "${storefront}" of a rating feed is not a storefront.`)
  }
  const permits = trackRefusals(pace.pace)
  const query = { appIds: feeds.map((feed) => feed.appId), storefront }
  const answers = await appStore.ratings(query, permits.pace, signal)

  const all = feeds.map((feed) => ({ feed, answer: usable(answers.get(feed.appId) ?? NO_ANSWER, feed) }))
  const good = all.flatMap(({ feed, answer }) => (isGood(answer) ? [{ feed, answer }] : []))
  const failed = all.flatMap(({ feed, answer }) => (isGood(answer) ? [] : [{ feed, answer }]))
  if (!permits.refused() && !signal.aborted) return { all, good, failed, unrequested: [] }
  return { all, good, failed: [], unrequested: failed.map(({ feed }) => feed) }
}

/**
 * An answer without a rating means that the app is not rated yet. Once a rating was seen it means nothing: ratings do not disappear, and
 * Apple has shown 0 of 0 for apps with thousands of them (recorded 2020).
 */
function usable(answer: RatingAnswer, { baseline }: LeasedFeed): RatingAnswer {
  if (answer.kind !== 'empty' || baseline === null) return answer
  const detail = `The store shows no rating, although it showed one of ${baseline.count} ratings before.`
  return { kind: 'unknown', source: answer.source, detail }
}

function isGood(answer: RatingAnswer): answer is GoodAnswer {
  return answer.kind === 'ok' || answer.kind === 'empty'
}

/** Commits the observed ratings. Returns the number of rating drops. */
async function commitRatings(
  deps: PollRatingsDeps,
  settings: PollSettings,
  good: readonly Answered<GoodAnswer>[],
  now: Instant,
): Promise<number> {
  const feeds = new Map(good.map(({ feed }) => [feed.id, feed]))
  const dropped = new Set<number>()
  const observations: RatingObservation[] = good.map(({ feed, answer }) => ({
    ...pollOf(feed, answer, now),
    rating: answer.kind === 'ok' ? answer.rating : null,
  }))
  const written = await deps.storage.feeds.commitRatings(observations, (observation, baseline) => {
    const feed = feeds.get(observation.feedId)
    if (feed === undefined) throw new Error(`The feed ${observation.feedId} is not part of this poll.`)
    const { rating, outcome } = observation
    const changes = deps.detect(feed.store, feed.appId, rating, baseline)
    if (changes.drop !== null) dropped.add(feed.id)
    // A higher count does not count as new data: otherwise every popular app would be polled at the shortest interval.
    const changed = baseline !== null && rating !== null && rating.micros !== baseline.micros
    return { ...changes, ...schedule(deps, settings, feed, now, outcome, changed, 0) }
  })
  return [...dropped].filter((id) => written.has(id)).length
}

async function commitFailures(
  deps: PollRatingsDeps,
  settings: PollSettings,
  failed: readonly Answered<StoreFailure>[],
  backOffMs: number,
  now: Instant,
): Promise<void> {
  await deps.storage.feeds.commitFailures(
    failed.map(({ feed, answer }) => {
      const retryAfterMs = answer.kind === 'blocked' ? backOffMs : (answer.retryAfterMs ?? 0)
      const next = schedule(deps, settings, feed, now, answer.kind, false, retryAfterMs)
      return { ...pollOf(feed, answer, now), nextPollAt: next.nextPollAt }
    }),
  )
}

function schedule(
  { random }: PollRatingsDeps,
  settings: PollSettings,
  feed: LeasedFeed,
  now: Instant,
  outcome: Poll['outcome'],
  changed: boolean,
  retryAfterMs: number,
) {
  const fresh = feed.lastOkAt === null
  const intervalMs = ratingIntervalMs({ intervalMs: feed.intervalMs, outcome, changed, fresh }, settings)
  const jitter = random() * 2 - 1
  const { failures } = feed
  return {
    nextPollAt: nextPollAt({ now, intervalMs, outcome, failures, fresh, retryAfterMs, jitter }),
    intervalMs,
  }
}

function pollOf(feed: LeasedFeed, answer: RatingAnswer, polledAt: Instant): Poll {
  return {
    feedId: feed.id,
    lease: feed.lease,
    polledAt,
    outcome: answer.kind,
    source: answer.source,
    detail: detailOf(answer),
    raw: 'raw' in answer ? (answer.raw ?? null) : null,
  }
}

function detailOf(answer: RatingAnswer | undefined): string | null {
  return answer !== undefined && 'detail' in answer ? answer.detail : null
}

/** Logs one line per request. The outcome of an app is shown only if the request had one app. */
function report(
  { appStore: { store }, log, meter }: PollRatingsDeps,
  { all, good, failed, unrequested }: Fetched,
  drops: number,
  tookMs: number,
): void {
  if (drops > 0) meter.count('occurrences_total', { store, event_type: 'rating.dropped' }, drops)
  const outcomes: Record<string, number> = {}
  for (const { answer } of [...good, ...failed]) {
    meter.count('polls_total', { store, kind: 'rating', outcome: answer.kind })
    outcomes[answer.kind] = (outcomes[answer.kind] ?? 0) + 1
  }
  meter.observe('poll_seconds', { store, kind: 'rating' }, tookMs / 1000)
  const [first] = all
  const failure = all.find(({ answer }) => !isGood(answer))
  log.info('feed.polled', {
    store,
    kind: 'rating',
    market: first?.feed.market,
    ...(all.length === 1
      ? { app_id: first?.feed.appId, outcome: first?.answer.kind }
      : { apps: all.length, outcomes }),
    source: first?.answer.source,
    detail: detailOf(failure?.answer),
    released: unrequested.length,
    occurrences: drops,
    took_ms: tookMs,
  })
}
