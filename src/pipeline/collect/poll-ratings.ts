import type { PollOutcome } from '../../model/feed.ts'
import { isStorefront } from '../../model/market.ts'
import type { Rating } from '../../model/rating.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { LeasedFeed, RatingDecision, RatingObservation, Visit } from '../../storage/port/feeds.ts'
import type { Storage } from '../../storage/port.ts'
import type { AppStore, RatingAnswer, StoreApp, Trouble } from '../appstores/appstore.ts'
import type { PollDeps } from './poll-loop.ts'
import { nextPollAt, type PollSettings } from './schedule.ts'
import { countingTurns } from './walk.ts'

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
  /** Keeps what the store told of apps. */
  readonly noteApps: (apps: readonly StoreApp[]) => Promise<void>
}

/**
 * One visit to the ratings of up to `ratingBatchMax` apps of one storefront, in one request. Each feed is settled by
 * its own answer.
 */
export async function pollRatings(
  deps: PollRatingsDeps,
  poll: PollSettings,
  feeds: readonly LeasedFeed[],
  signal: AbortSignal,
): Promise<void> {
  const { appStore, storage, pace, clock, log, meter } = deps
  const { store } = appStore
  const [first] = feeds
  if (first === undefined) return
  const startedAtMs = clock.monotonicMs()
  const turns = countingTurns(pace.pace)
  const answers = await ask(appStore, first.market, feeds, turns.pace, signal)

  const now = clock.now()
  const visits = feeds.map((feed) => ({ feed, answer: answers.get(feed.appId) ?? NO_ANSWER }))
  const good = visits.filter(({ answer }) => isGood(answer))
  const bad = visits.filter(({ answer }) => !isGood(answer))
  if (turns.refused() || signal.aborted) await storage.feeds.release(bad.map(({ feed }) => feed))
  const troubled = turns.refused() || signal.aborted ? [] : bad

  if (good.length > 0) await pace.answered()
  const backOffMs = await tellPace(
    deps,
    troubled.flatMap(({ answer }) => (isGood(answer) ? [] : [answer])),
  )
  const schedule = (
    feed: LeasedFeed,
    outcome: PollOutcome,
    broughtSomething: boolean,
    retryAfterMs: number,
  ) =>
    nextPollAt(
      {
        now,
        intervalMs: feed.intervalMs,
        outcome,
        broughtSomething,
        failures: feed.failures,
        fresh: feed.lastOkAt === null,
        retryAfterMs,
        jitter: deps.random() * 2 - 1,
      },
      poll,
    )

  const byId = new Map(feeds.map((feed) => [feed.id, feed]))
  const dropped = new Set<number>()
  if (good.length > 0) {
    const observations = good.map(({ feed, answer }) => observationOf(feed, answer, now))
    const written = await storage.feeds.commitRatings(observations, (observation, baseline) => {
      const feed = byId.get(observation.feedId) ?? first
      const changes = deps.detect(store, feed.appId, observation.rating, baseline)
      // A count that grew is no news: every popular app would be asked at the shortest interval.
      const moved =
        baseline !== null && observation.rating !== null && observation.rating.micros !== baseline.micros
      if (changes.drop !== null) dropped.add(feed.id)
      return { ...changes, ...schedule(feed, observation.outcome, moved, 0) }
    })
    for (const id of dropped) if (!written.has(id)) dropped.delete(id)
  }
  if (troubled.length > 0) {
    await storage.feeds.commitTrouble(
      troubled.map(({ feed, answer }) => ({
        ...visitOf(feed, answer, now),
        nextPollAt: schedule(
          feed,
          answer.kind,
          false,
          answer.kind === 'blocked' ? backOffMs : retryAfterOf(answer),
        ).nextPollAt,
      })),
    )
  }
  if (dropped.size > 0) {
    meter.count('occurrences_total', { store, event_type: 'rating.dropped' }, dropped.size)
    deps.onOccurrences()
  }
  await deps.noteApps(
    good.flatMap(({ answer }) => ('app' in answer && answer.app !== null ? [answer.app] : [])),
  )

  const tookMs = Math.round(clock.monotonicMs() - startedAtMs)
  const outcomes: Record<string, number> = {}
  for (const { answer } of [...good, ...troubled]) {
    meter.count('polls_total', { store, kind: 'rating', outcome: answer.kind })
    outcomes[answer.kind] = (outcomes[answer.kind] ?? 0) + 1
  }
  meter.observe('poll_seconds', { store, kind: 'rating' }, tookMs / 1000)
  const [only] = visits
  log.info('feed.polled', {
    store,
    kind: 'rating',
    market: first.market,
    ...(visits.length === 1 && only !== undefined
      ? {
          app_id: first.appId,
          outcome: only.answer.kind,
          source: only.answer.source,
          detail: detailOf(only.answer),
        }
      : {
          apps: visits.length,
          outcomes,
          source: visits[0]?.answer.source,
          detail: detailOf(bad[0]?.answer),
        }),
    released: bad.length - troubled.length,
    occurrences: dropped.size,
    took_ms: tookMs,
  })
}

const NO_ANSWER: Trouble = { kind: 'unknown', source: '', detail: 'The answer does not mention the app.' }

async function ask(
  appStore: AppStore,
  storefront: string,
  feeds: readonly LeasedFeed[],
  pace: PollDeps['pace']['pace'],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RatingAnswer>> {
  if (!isStorefront(storefront))
    throw new Error(`The market "${storefront}" of a rating feed is no storefront.`)
  return appStore.ratings({ appIds: feeds.map((feed) => feed.appId), storefront }, pace, signal)
}

function isGood(answer: RatingAnswer): answer is Exclude<RatingAnswer, Trouble> {
  return answer.kind === 'ok' || answer.kind === 'empty'
}

function visitOf(feed: LeasedFeed, answer: RatingAnswer, polledAt: Date): Visit {
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

function observationOf(feed: LeasedFeed, answer: RatingAnswer, polledAt: Date): RatingObservation {
  return { ...visitOf(feed, answer, polledAt), rating: answer.kind === 'ok' ? answer.rating : null }
}

function detailOf(answer: RatingAnswer | undefined): string | null {
  return answer !== undefined && 'detail' in answer ? answer.detail : null
}

function retryAfterOf(answer: RatingAnswer): number {
  return 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
}

/** Backs the store off when an answer says so. Milliseconds for which nobody asks it; 0 for none. */
async function tellPace({ pace, clock, meter, appStore }: PollRatingsDeps, troubles: readonly Trouble[]) {
  const blocks = troubles.filter((trouble) => trouble.kind === 'blocked')
  const [block] = blocks
  if (block === undefined) return 0
  meter.count('store_blocks_total', { store: appStore.store })
  const retryAfterMs = Math.max(...blocks.map((trouble) => trouble.retryAfterMs ?? 0))
  const until = await pace.block(block.detail, retryAfterMs)
  return Math.max(0, until.getTime() - clock.now().getTime())
}
