import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type { Attempt } from '../../../model/delivery.ts'
import type { Enrichment } from '../../../model/enrichment.ts'
import type { Hook } from '../../../model/hook.ts'
import { eventIdOf } from '../../../model/occurrence.ts'
import { transitionIdOf } from '../../../model/rating.ts'
import type { DeadReason } from '../../../model/vocabulary.ts'
import { type Instant, instantOf } from '../../../runtime/instant.ts'
import type {
  Allocation,
  ClaimedDelivery,
  Lane,
  LaneChange,
  NextStep,
  RecordedTest,
  Settled,
} from '../../port/deliveries.ts'
import type { NewEvent } from '../../port/occurrences.ts'
import type { Storage } from '../../port/storage.ts'
import {
  addPeople,
  claimFeed,
  claimFeeds,
  HOUR,
  MINUTE,
  NOON,
  poll,
  pollOf,
  reviewOf,
  stars,
  subscribe,
} from '../samples.ts'

/** Sample data for the queue suites: a hook and its deliveries in one call. */

export const EXPIRE_AFTER_MS = 75 * HOUR

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Owner = Pick<Hook, 'id' | 'accountId'>

/**
 * Queues `count` new deliveries of each hook, due at `at`, in one fan-out. Returns their ids, hook by hook. Bodies are
 * `body of <event id>` by default. The hooks watch reviews of Apple's app 1, like `subscribe`.
 */
export async function enqueue(
  storage: Storage,
  hooks: readonly Owner[],
  { count = 1, at = NOON, body }: { count?: number; at?: Instant; body?: string } = {},
): Promise<string[]> {
  const review = reviewOf({ reviewId: randomUUID(), occurredAt: at, observedAt: at })
  await poll(storage, await claimFeed(storage, { now: at }), [review], {
    poll: { polledAt: at },
    // Always due, so that deliveries can be created in any order of time.
    nextPollAt: instantOf(0),
    enrichment: { readyAt: at, enrich: false },
  })
  const events = hooks.flatMap((hook) =>
    Array.from({ length: count }, (_, index) => eventOf(hook, `${review.reviewId} ${index}`)),
  )
  const stored = events.map((event) => ({ ...event, body: body ?? event.body }))
  await storage.occurrences.fanOut({ now: at, limit: 10, expireAfterMs: EXPIRE_AFTER_MS }, () => stored)
  return events.map(({ eventId }) => eventId)
}

export function eventOf(hook: Owner, name: string): NewEvent {
  const eventId = eventIdOf(hook.id, name)
  return { eventId, hookId: hook.id, accountId: hook.accountId, body: `body of ${eventId}` }
}

type ClaimGiven = Partial<Parameters<Storage['deliveries']['claim']>[0]>

/** Claims without limits by default. */
export async function claim(
  storage: Storage,
  given: ClaimGiven = {},
  allocate: (lane: Lane) => Allocation = () => ({ take: 1_000_000, notBefore: null }),
): Promise<ClaimedDelivery[]> {
  return storage.deliveries.claim(
    {
      now: NOON,
      lease: randomUUID(),
      leaseMs: MINUTE,
      limit: 100,
      lanesMax: 100,
      busyHooks: [],
      busyHosts: [],
      firstAttemptsOnly: false,
      ...given,
    },
    (lanes) => new Map(lanes.map((lane) => [lane.hookId, allocate(lane)])),
  )
}

export const idsOf = (deliveries: readonly { readonly eventId: string }[]) =>
  deliveries.map(({ eventId }) => eventId)

/** A test event with an invented review. */
export function testOf(body: string, given: Partial<RecordedTest> = {}): RecordedTest {
  return { attempt: attemptOf(), body, reviewSeq: null, ...given }
}

export function attemptOf(given: Partial<Attempt> = {}): Attempt {
  return {
    number: 1,
    startedAt: NOON,
    timings: { dnsMs: 1.5, connectMs: 2.25, tlsMs: null, firstByteMs: 10, totalMs: 12.5 },
    url: 'https://example.com/hook',
    requestHeaders: { 'content-type': 'application/json' },
    httpStatus: 200,
    reason: null,
    detail: null,
    remoteAddress: '203.0.113.7',
    responseHeaders: { server: 'test' },
    responseBody: 'ok',
    responseTruncated: false,
    replayId: null,
    ...given,
  }
}

export const DELIVERED: NextStep = { status: 'delivered' }
export const retryAt = (dueAt: Instant): NextStep => ({ status: 'pending', dueAt })
export const deadOf = (reason: DeadReason = 'attempts_exhausted'): NextStep => ({ status: 'dead', reason })

export const NO_CHANGE: LaneChange = { health: null, notBefore: null, notices: [], gone: false }

/** The response that leads to `next`: a 200 or a 500. */
export function settledOf(delivery: ClaimedDelivery, next: NextStep, given: Partial<Attempt> = {}): Settled {
  const failed = next.status !== 'delivered'
  return {
    delivery,
    next,
    attempt: attemptOf({
      number: delivery.attempts + 1,
      replayId: delivery.replayId,
      ...(failed && { httpStatus: 500, reason: 'http_status' }),
      ...given,
    }),
  }
}

/** Settles all claims with the same result. */
export async function settle(
  storage: Storage,
  deliveries: readonly ClaimedDelivery[],
  next: NextStep,
  {
    now = NOON,
    change = NO_CHANGE,
    acceptedBy,
  }: { now?: Instant; change?: LaneChange; acceptedBy?: readonly string[] } = {},
): Promise<void> {
  await storage.deliveries.settle(
    deliveries.map((delivery) => ({ ...settledOf(delivery, next), ...(acceptedBy && { acceptedBy }) })),
    now,
    () => change,
  )
}

/** Creates deliveries of each hook and turns them into dead letters. Returns their event ids. */
export async function kill(
  storage: Storage,
  hooks: readonly Owner[],
  { count = 1, at = NOON, reason }: { count?: number; at?: Instant; reason?: DeadReason } = {},
): Promise<string[]> {
  const ids = await enqueue(storage, hooks, { count, at })
  await settle(storage, await claim(storage, { now: at, limit: 100_000 }), deadOf(reason), { now: at })
  return ids
}

export function enrichmentOf(given: Partial<Enrichment> = {}): Enrichment {
  return {
    language: 'en',
    sentiment: 'negative',
    themes: ['sync', 'other'],
    is_feature_request: false,
    feature_slug: null,
    feature_phrase: null,
    is_bug_report: true,
    severity: 'high',
    mentions_competitor: false,
    competitor_named: null,
    other_topic: 'widgets',
    summary_en: 'It lost everything.',
    ...given,
  }
}

/** Observes a rating of an app of Apple in each of its markets. Every lower one is a drop. */
export async function observeRating(
  storage: Storage,
  value: number,
  at: Instant,
  appId = '1',
): Promise<void> {
  const rating = stars(value, Math.round(value * 1_000))
  const feeds = await claimFeeds(storage, { kind: 'rating', now: at })
  for (const feed of feeds.filter((each) => each.appId === appId)) {
    await storage.feeds.commitRatings([{ ...pollOf(feed, { polledAt: at }), rating }], (_, previous) => ({
      baseline: rating,
      drop: previous && { occurrenceId: transitionIdOf('apple', appId, rating), previous, current: rating },
      nextPollAt: at,
      intervalMs: HOUR,
    }))
  }
}

/** Two deliveries of a new hook of Alice, claimed. */
export async function claimTwo(storage: Storage) {
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  const ids = await enqueue(storage, [hook], { count: 2 })
  const [first, second] = await claim(storage)
  assert.ok(first && second)
  return { hook, ids, first, second }
}
