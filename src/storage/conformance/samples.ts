import { randomUUID } from 'node:crypto'
import type { Hook, Watch, WatchFilter } from '../../model/hook.ts'
import { DEFAULT_HOOK_OPTIONS } from '../../model/hook-options.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import type { Rating } from '../../model/rating.ts'
import { contentHashOf, fingerprintOf, type Review } from '../../model/review.ts'
import type { FeedKind, Store } from '../../model/vocabulary.ts'
import { type Instant, instantOf, later, type WithInstants } from '../../runtime/instant.ts'
import type { EnrichmentRequest, KnownReviews, LeasedFeed, Poll, ReviewsDecision } from '../port/feeds.ts'
import type { ReviewToEnrich } from '../port/occurrences.ts'
import type { Storage } from '../port/storage.ts'

/** Sample values for the suites, completed from the few fields that a test sets. */

export const NOON = instantOf(Date.parse('2026-03-01T12:00:00Z'))
export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000

/** `ms` after noon. */
export function after(ms: number): Instant {
  return later(NOON, ms)
}

/** Two accounts that must never see each other. */
export async function addPeople(storage: Storage): Promise<void> {
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  await storage.accounts.create({ id: 'bob', name: 'Bob', createdAt: after(1) })
}

export function hookOf(given: Partial<WithInstants<Hook>> = {}): WithInstants<Hook> {
  return {
    id: `api-${randomUUID()}`,
    accountId: 'alice',
    source: 'api',
    targetType: 'webhook',
    targetUrl: 'https://example.com/hook',
    targetSettings: null,
    name: null,
    description: null,
    externalRef: null,
    status: 'active',
    secrets: [{ sealed: 'sealed', expiresAt: null }],
    ratePerSecond: null,
    ...DEFAULT_HOOK_OPTIONS,
    messageSchedule: null,
    unsubscribed: [],
    createdAt: NOON,
    ...given,
  }
}

/** The target of a webhook, as an update sets it. */
export function webhookTo(targetUrl: string): Pick<Hook, 'targetType' | 'targetUrl' | 'targetSettings'> {
  return { targetType: 'webhook', targetUrl, targetSettings: null }
}

/** A target with messages. */
export const CHANNEL = {
  targetType: 'slack',
  targetUrl: 'https://hooks.slack.com/services/T024…/…',
  targetSettings: 'sealed settings',
} as const

/** One message a day. */
export const DAILY = {
  timeZone: 'Europe/Berlin',
  everyMinutes: null,
  dailyAt: '09:00',
  weekday: null,
  quiet: { from: '22:00', until: '07:00' },
  sinceMs: NOON.getTime(),
} as const

/** The filter that matches every new review of every storefront. */
export const EVERY_REVIEW: WatchFilter = {
  eventType: 'review.created',
  storefronts: null,
  minStars: 1,
  maxStars: 5,
  deltaMicros: null,
  deltaWindowHours: null,
  thresholdMicros: null,
  rules: null,
  spike: null,
}

/** By default a watch for reviews of Apple's app 1 in every storefront. */
export function watchOf(
  hook: WithInstants<Hook>,
  given: Partial<WithInstants<Watch>> = {},
): WithInstants<Watch> {
  return {
    id: `wat_${randomUUID()}`,
    hookId: hook.id,
    accountId: hook.accountId,
    setId: null,
    store: 'apple',
    appId: '1',
    ...EVERY_REVIEW,
    createdAt: hook.createdAt,
    ...given,
  }
}

/** Stores a hook with one watch. */
export async function subscribe(
  storage: Storage,
  hook: Partial<WithInstants<Hook>> = {},
  watch: Partial<WithInstants<Watch>> = {},
): Promise<{ hook: WithInstants<Hook>; watch: WithInstants<Watch> }> {
  const made = hookOf(hook)
  const watches = watchOf(made, watch)
  await storage.hooks.create(made, [watches])
  return { hook: made, watch: watches }
}

export function reviewOf(given: Partial<Review> & { reviewId: string }): Review {
  const store = given.store ?? 'apple'
  const appId = given.appId ?? '1'
  const title = given.title ?? null
  const body = given.body ?? 'It works.'
  return {
    store,
    appId,
    market: 'us',
    rating: 4,
    title,
    body,
    author: 'someone',
    appVersion: '1.0',
    shownAt: NOON,
    edited: null,
    fingerprint: fingerprintOf(store, appId, given.reviewId),
    contentHash: contentHashOf(title, body),
    occurredAt: NOON,
    observedAt: NOON,
    ...given,
  }
}

export const stars = (value: number, count = 100): Rating => ({
  micros: Math.round(value * 1_000_000),
  count,
})

/** Leases the due feeds of one store and kind. */
export async function claimFeeds(
  storage: Storage,
  given: {
    store?: Store
    kind?: FeedKind
    now?: Instant
    lease?: string
    leaseMs?: number
    limit?: number
    sameMarket?: boolean
  } = {},
): Promise<LeasedFeed[]> {
  return storage.feeds.claim({
    store: 'apple',
    kind: 'reviews',
    now: NOON,
    lease: randomUUID(),
    leaseMs: MINUTE,
    limit: 100,
    sameMarket: false,
    ...given,
  })
}

/** Leases the only due feed. Fails when there is none or more than one. */
export async function claimFeed(
  storage: Storage,
  given: Parameters<typeof claimFeeds>[1] = {},
): Promise<LeasedFeed> {
  const [feed, ...more] = await claimFeeds(storage, given)
  if (feed === undefined || more.length > 0) {
    throw new Error(`one due feed was expected, there are ${more.length + (feed ? 1 : 0)}`)
  }
  return feed
}

export function pollOf(feed: LeasedFeed, given: Partial<Poll> = {}): Poll {
  return {
    feedId: feed.id,
    lease: feed.lease,
    polledAt: NOON,
    outcome: 'ok',
    source: 'rss',
    detail: null,
    raw: null,
    ...given,
  }
}

export const NO_ENRICHMENT: EnrichmentRequest = { readyAt: NOON, enrich: false }

/**
 * Records and stores every new review of the feed, which becomes an occurrence. Stores every changed one. New negative
 * reviews may be part of a spike.
 */
export function decideAll(
  fetched: readonly Review[],
  nextPollAt = after(15 * MINUTE),
): (known: KnownReviews) => ReviewsDecision {
  return (known) => {
    const seen = fetched.filter(({ fingerprint }) => !known.inFeed.has(fingerprint))
    const [negative] = seen.filter(({ rating }) => rating <= 2)
    return {
      seen,
      toStore: fetched.filter(
        ({ fingerprint, contentHash }) => known.contentHashes.get(fingerprint) !== contentHash,
      ),
      occurrences: seen.filter(({ fingerprint }) => !known.inSiblings.has(fingerprint)),
      negatives: negative
        ? { occurrenceId: `5b${negative.fingerprint.slice(2)}`, newestAt: negative.occurredAt }
        : null,
      nextPollAt,
      intervalMs: 15 * MINUTE,
      reviewsPerDay: null,
    }
  }
}

/** One complete poll that returns `fetched`. */
export async function poll(
  storage: Storage,
  feed: LeasedFeed,
  fetched: readonly Review[],
  given: { poll?: Partial<Poll>; enrichment?: EnrichmentRequest; nextPollAt?: Instant } = {},
): Promise<boolean> {
  return storage.feeds.commitReviews(
    pollOf(feed, given.poll),
    fetched,
    false,
    given.enrichment ?? NO_ENRICHMENT,
    decideAll(fetched, given.nextPollAt),
  )
}

/** The feeds of the poll set, e.g. `apple 1 reviews us`. */
export async function pollSet(storage: Storage): Promise<string[]> {
  const feeds = await storage.feeds.list({ failingOnly: false, limit: 1_000 })
  return feeds.map(({ store, appId, kind, market }) => `${store} ${appId} ${kind} ${market}`).sort()
}

/** Takes the ready occurrences like fan-out but creates no events. */
export async function takeOccurrences(storage: Storage, now: Instant): Promise<Occurrence[]> {
  const taken: Occurrence[] = []
  await storage.occurrences.fanOut({ now, limit: 1_000, expireAfterMs: HOUR }, (occurrence) => {
    taken.push(occurrence)
    return []
  })
  return taken
}

/** Leases the texts that are queued for enrichment. */
export async function claimTexts(
  storage: Storage,
  now: Instant,
  lease = 'enricher',
): Promise<ReviewToEnrich[]> {
  return storage.occurrences.claimForEnrichment({ now, limit: 100, lease, leaseMs: MINUTE })
}

/** An account with its owner. False when `onlyFirst` refuses it. */
export async function addAccount(
  storage: Storage,
  id: string,
  userId: string,
  onlyFirst = false,
): Promise<boolean> {
  return storage.people.createAccount(
    { id, name: id, createdAt: NOON },
    { userId, operator: false },
    { onlyFirst },
  )
}
