import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { createTasks } from '../../runtime/tasks.ts'
import type {
  KnownOfficial,
  LeasedSource,
  OfficialDecision,
  OfficialReview,
  SourcePoll,
} from '../../storage/port/review-sources.ts'
import type { Storage } from '../../storage/port/storage.ts'
import {
  type OfficialFailure,
  type OfficialStore,
  openCredentials,
  type Quota,
  SEALED_BY_ANOTHER_KEY,
  type StoreCredentials,
} from '../appstores/official.ts'
import { officialReviewOf } from './official-reviews.ts'

export type OfficialLoopDeps = {
  readonly storage: Pick<Storage, 'reviewSources'>
  readonly officialStores: readonly OfficialStore[]
  readonly detect: (fetched: readonly OfficialReview[], known: KnownOfficial) => OfficialDecision
  readonly openSecret: Sealer['open']
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Log
  readonly meter: Meter
  readonly newLease: () => string
  readonly wake: (name: string) => void
  /** Wakes enrichment and fan-out. */
  readonly onOccurrences: () => void
}

export type OfficialLoopSettings = {
  readonly intervalMs: number
  /** How long a new review waits for its enrichment at most; null without enrichment. */
  readonly enrichWaitMs: number | null
}

export const OFFICIAL_LOOP = 'poll.official'

const POLLS_MAX = 4
/** The fallback when no wake arrives (due-work.ts). */
const IDLE_MS = 60_000
const LEASE_MS = 10 * 60_000
/** Of the lease, so that it is still valid at the commit. */
const FETCH_MS_MAX = 8 * 60_000
/** The first poll compares with the public pages, which have at most 500 reviews of a storefront. */
const FIRST_PAGES_MAX = 10
/** Pages of later polls: Apple has 200 reviews on a page, Google 100. */
const PAGES_MAX = 50

const HOUR_MS = 3_600_000
/** The longest wait after a failure, so that a signed agreement or a restored right has an effect soon. */
const FAILURE_WAIT_MS_MAX = HOUR_MS
/** With less than this share of the store's quota left, polls are at least half an hour apart. */
const QUOTA_SHARE_LOW = 0.1
const LOW_QUOTA_WAIT_MS = HOUR_MS / 2
/** The wait varies by up to this share. */
const JITTER_SHARE = 0.1

/** Polls the official sources of apps: one request gets the newest reviews of all storefronts. */
export function officialLoop(deps: OfficialLoopDeps, settings: OfficialLoopSettings): Loop {
  const { storage, clock, log } = deps
  const tasks = createTasks(POLLS_MAX, () => deps.wake(OFFICIAL_LOOP))
  const poll = async (source: LeasedSource, signal: AbortSignal) => {
    try {
      await pollOfficial(deps, settings, source, signal)
    } catch (error) {
      log.error('official.poll_failed', { source: source.id, app_id: source.appId, error })
      const problem = `Internal error: ${error instanceof Error ? error.message : String(error)}`
      await storage.reviewSources
        .fail(pollOf(source, clock.now(), settings.intervalMs), problem)
        .catch((failure: unknown) => log.error('official.poll_failed', { source: source.id, error: failure }))
    }
  }
  return {
    name: OFFICIAL_LOOP,
    idleMs: IDLE_MS,
    async pass(signal) {
      const limit = tasks.free()
      if (limit <= 0) return 'idle'
      const due = await storage.reviewSources.claim({
        now: clock.now(),
        lease: deps.newLease(),
        leaseMs: LEASE_MS,
        limit,
      })
      for (const source of due) tasks.run(() => poll(source, signal))
      return due.length > 0 ? 'worked' : 'idle'
    },
    finish: tasks.ended,
  }
}

type Fetched = {
  readonly reviews: readonly OfficialReview[]
  /** Ids of those that the source did not show before with their present text. */
  readonly newIds: readonly string[]
  readonly pages: number
  readonly incomplete: boolean
  readonly quota: Quota | null
  readonly failure: OfficialFailure | null
}

async function pollOfficial(
  deps: OfficialLoopDeps,
  settings: OfficialLoopSettings,
  source: LeasedSource,
  signal: AbortSignal,
): Promise<void> {
  const { storage, clock, log, meter, random } = deps
  const startedAtMs = clock.monotonicMs()
  const opened = openCredentials(deps.openSecret, source.connection)
  if (opened === null) {
    log.error('official.credentials_unreadable', { connection: source.connection.id })
    const poll = pollOf(source, clock.now(), FAILURE_WAIT_MS_MAX)
    await storage.reviewSources.fail(poll, SEALED_BY_ANOTHER_KEY)
    return
  }
  const fetched = await withVersions(
    deps,
    source,
    opened.credentials,
    await fetchOfficial(deps, source, opened.credentials, signal),
    signal,
  )
  const now = clock.now()
  const jittered = (waitMs: number) => Math.ceil(waitMs * (1 + JITTER_SHARE * (2 * random() - 1)))
  const { failure } = fetched
  // The change of source needs all pages, so that no review falls between two sources.
  const failed = failure !== null && (fetched.reviews.length === 0 || source.state === 'switching')
  let counts = { newReviews: 0, occurrences: 0 }
  if (failed) {
    const waitMs = failureWaitMs(source, failure, settings.intervalMs)
    await storage.reviewSources.fail(pollOf(source, now, jittered(waitMs)), failure.detail)
  } else {
    const waitMs = Math.max(settings.intervalMs, failure?.retryAfterMs ?? 0, quotaWaitMs(fetched.quota))
    const enrichment = {
      readyAt: later(now, settings.enrichWaitMs ?? 0),
      enrich: settings.enrichWaitMs !== null,
    }
    await storage.reviewSources.commit(
      pollOf(source, now, jittered(waitMs)),
      fetched.reviews,
      fetched.incomplete,
      enrichment,
      (known) => {
        const decision = deps.detect(fetched.reviews, known)
        counts = { newReviews: decision.seen.length, occurrences: decision.occurrences.length }
        return decision
      },
    )
    if (counts.occurrences > 0 || source.state === 'switching') deps.onOccurrences()
  }
  const { store, appId } = source
  const outcome = failed ? 'unknown' : 'ok'
  meter.count('polls_total', { store, kind: 'official', outcome })
  if (counts.newReviews > 0) meter.count('reviews_new_total', { store }, counts.newReviews)
  if (counts.occurrences > 0) {
    meter.count('occurrences_total', { store, event_type: 'review.created' }, counts.occurrences)
  }
  log.info('official.polled', {
    store,
    app_id: appId,
    source: source.id,
    outcome,
    reason: failure?.reason ?? null,
    detail: failure?.detail ?? null,
    changed_source: !failed && source.state === 'switching',
    pages: fetched.pages,
    fetched: fetched.reviews.length,
    new: counts.newReviews,
    occurrences: counts.occurrences,
    incomplete: fetched.incomplete,
    took_ms: Math.round(clock.monotonicMs() - startedAtMs),
  })
}

/**
 * Pages of the newest reviews until a whole page is known with its present texts, so that edits near the top are found. The first
 * poll, and a poll after an incomplete one, read on.
 */
async function fetchOfficial(
  { officialStores, storage, clock }: OfficialLoopDeps,
  source: LeasedSource,
  credentials: StoreCredentials,
  signal: AbortSignal,
): Promise<Fetched> {
  const store = officialStores.find(({ kind }) => kind === credentials.kind)
  if (store === undefined) throw new Error(`There is no client for ${credentials.kind}.`)
  const untilMs = clock.monotonicMs() + FETCH_MS_MAX
  const isFirst = source.lastOkAt === null || source.state === 'switching'
  const pagesMax = isFirst ? FIRST_PAGES_MAX : PAGES_MAX
  const reviews = new Map<string, OfficialReview>()
  const newIds = new Set<string>()
  let cursor: string | null = null
  let quota: Quota | null = null
  for (let pages = 1; ; pages += 1) {
    const query = { credentials, appId: source.appId, cursor }
    const page = await store.reviewsPage(query, { pace: async () => !signal.aborted, signal })
    const done = (incomplete: boolean, failure: OfficialFailure | null = null): Fetched => ({
      reviews: [...reviews.values()],
      newIds: [...newIds],
      pages,
      incomplete,
      quota,
      failure,
    })
    if (page.kind === 'failed') return done(true, page)
    quota = page.quota ?? quota
    const shown = page.reviews.map((review) => officialReviewOf(source, review, clock.now()))
    const known = await storage.reviewSources.known(
      source.id,
      shown.map(({ review }) => review.fingerprint),
    )
    const isKnown = ({ review: { fingerprint, contentHash } }: OfficialReview) => {
      const hash = known.get(fingerprint)
      return hash !== undefined && (hash === null || hash === contentHash)
    }
    const countBefore = reviews.size
    for (const each of shown) {
      reviews.set(each.review.fingerprint, each)
      if (!isKnown(each)) newIds.add(each.review.reviewId)
    }
    const repeats = shown.length > 0 && reviews.size === countBefore
    if (page.next === null || page.next === cursor || repeats) return done(false)
    if (!isFirst && !source.pagingIncomplete && shown.length > 0 && shown.every(isKnown)) return done(false)
    // The first poll reads a bounded part of the history; what is older is no event.
    if (pages >= pagesMax) return done(!isFirst)
    if (clock.monotonicMs() >= untilMs) return done(true)
    cursor = page.next
  }
}

/** Adds the app versions of new reviews. The first poll has none that become events, and would ask for many. */
async function withVersions(
  { officialStores }: OfficialLoopDeps,
  source: LeasedSource,
  credentials: StoreCredentials,
  fetched: Fetched,
  signal: AbortSignal,
): Promise<Fetched> {
  const { newIds, reviews } = fetched
  if (newIds.length === 0 || source.state === 'switching' || quotaWaitMs(fetched.quota) > 0) return fetched
  const store = officialStores.find(({ kind }) => kind === credentials.kind)
  const query = { credentials, appId: source.appId, reviewIds: newIds }
  const versions = await store?.appVersions(query, { pace: async () => !signal.aborted, signal })
  if (versions === undefined || versions.size === 0) return fetched
  return {
    ...fetched,
    reviews: reviews.map((each) => {
      const appVersion = versions.get(each.review.reviewId)
      return appVersion === undefined ? each : { ...each, review: { ...each.review, appVersion } }
    }),
  }
}

function pollOf({ id, lease }: LeasedSource, now: Instant, waitMs: number): SourcePoll {
  return { sourceId: id, lease, polledAt: now, nextPollAt: later(now, waitMs) }
}

function failureWaitMs({ failures }: LeasedSource, failure: OfficialFailure, intervalMs: number): number {
  if (failure.reason === 'interrupted') return 0
  const doubled = Math.min(
    Math.max(FAILURE_WAIT_MS_MAX, intervalMs),
    intervalMs * 2 ** Math.min(failures, 20),
  )
  return Math.max(doubled, failure.retryAfterMs ?? 0)
}

function quotaWaitMs(quota: Quota | null): number {
  return quota !== null && quota.remaining < quota.limit * QUOTA_SHARE_LOW ? LOW_QUOTA_WAIT_MS : 0
}
