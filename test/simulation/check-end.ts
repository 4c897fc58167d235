import { STORES, type Store } from '../../src/model/vocabulary.ts'
import { type Instant, instantOf } from '../../src/runtime/instant.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { unfinishedAnswers } from './answers.ts'
import { type HookEntry, type Ledger, listingKey, publicIdOf, type ReviewEntry, sourceKey } from './ledger.ts'
import { isLostByOutage } from './outage.ts'

/** The work that remains during a drain: queues with rows, and feeds without a good poll since then. */
export async function remainingWork(
  ledger: Ledger,
  storage: Storage,
  now: Instant,
  sinceMs: number,
): Promise<{ readonly queues: readonly string[]; readonly feeds: readonly string[] }> {
  const queues: string[] = []
  const depths = await storage.maintenance.depths(now)
  for (const queue of ['pending', 'waitingForEnrichment', 'waitingForFanOut'] as const)
    if (depths[queue] > 0) queues.push(`${queue}: ${depths[queue]}`)
  if (depths.pending > 0) queues.push(...(await somePending(ledger, storage)))
  const feeds: string[] = []
  for (const feed of await storage.feeds.list({ failingOnly: false, limit: 10_000 })) {
    const { lastPolledAt, lastOutcome } = feed
    const good = lastOutcome === 'ok' || lastOutcome === 'empty'
    // Compares true times: times stored while the clock was ahead may have been moved to the present.
    if (!good || (ledger.polledAtMs.get(feed.id) ?? 0) < sinceMs) {
      const { store, appId, kind, market, nextPollAt, lastDetail } = feed
      feeds.push(
        `feed ${store} ${appId} ${kind} ${market}: ${lastOutcome} at ${lastPolledAt?.toISOString()}, next ${nextPollAt?.toISOString()} (${lastDetail})`,
      )
    }
  }
  const anyTime = instantOf(8.64e15)
  for (const store of STORES) {
    for (const source of await storage.reviewSources.stale(store, anyTime, null)) {
      const polledAtMs = ledger.sourcePolledAtMs.get(source.id) ?? 0
      if (polledAtMs >= sinceMs) continue
      const { id, state, appId, accountId, problem, nextPollAt } = source
      feeds.push(
        `source ${id} ${accountId} ${store} ${appId}: ${state}, next ${nextPollAt?.toISOString()} (${problem})`,
      )
    }
  }
  feeds.push(...(await unfinishedAnswers(ledger, storage)))
  return { queues, feeds }
}

async function somePending(ledger: Ledger, storage: Storage): Promise<string[]> {
  const accounts = new Set([...ledger.hooks.values()].map(({ accountId }) => accountId))
  const found: string[] = []
  for (const accountId of accounts) {
    const page = { limit: 3, before: null }
    for (const one of await storage.deliveries.list(accountId, { status: 'pending' }, page)) {
      const { hookId, hookStatus, attempts, dueAt, lastReason } = one
      found.push(
        `pending for ${hookId} (${hookStatus}): ${attempts} attempts, due ${dueAt?.toISOString()}, ${lastReason}`,
      )
    }
  }
  return found
}

/** Pairs of hook and review that should have reached the hook, but were neither accepted nor became a dead letter. */
export async function lostReviews(ledger: Ledger, storage: Storage): Promise<string[]> {
  const dead = await deadByHook(ledger, storage)
  const lost: string[] = []
  for (const hook of ledger.hooks.values()) {
    if (!hook.mustReceiveAll || hook.state !== 'active' || hook.watch.eventType !== 'review.created') continue
    for (const review of ledger.reviews.values()) {
      if (!mustReach(review, hook) || mayBeMissed(ledger, review, hook)) continue
      const eventId = ledger.byOccurrence.get(`${hook.id} ${review.reviewId}`)
      const accepted = eventId !== undefined && ledger.events.get(eventId)?.accepted === true
      if (accepted || dead.get(hook.id)?.has(review.reviewId)) continue
      if (isLostByOutage(ledger, review, hook.accountId)) ledger.lostByOutage += 1
      else lost.push(`review ${review.reviewId} of ${review.store} ${review.market} for hook ${hook.id}`)
    }
  }
  return lost
}

function mustReach(review: ReviewEntry, { watch, guaranteedFromMs }: HookEntry): boolean {
  return (
    review.store === watch.store &&
    review.appId === watch.appId &&
    review.shownUntilMs === null &&
    marketMatches(review, watch.storefronts?.[0] ?? null) &&
    review.publishedAtMs >= guaranteedFromMs &&
    review.stars.every((stars) => stars >= watch.minStars && stars <= watch.maxStars)
  )
}

/** Reviews this far apart may be shown by two sources in another order. */
const TWINS_MS = 180_000

/**
 * Whether the contract allows that a change of source misses the review: without a name, if it has the text and stars of another one that
 * the next source does not show, or not yet. The two are linked by content then. After the clock was days off, fewer reviews are
 * linked to their own, so that any other with this text and these stars is enough.
 */
function mayBeMissed(ledger: Ledger, review: ReviewEntry, { accountId }: HookEntry): boolean {
  const { namelessText: text, store, appId, reviewId } = review
  if (!ledger.connected.has(sourceKey(accountId, store, appId))) return false
  if (text === null) return false
  const twins = [...ledger.reviews.values()].filter(
    (one) =>
      one.namelessText === text &&
      one.store === store &&
      one.appId === appId &&
      one.stars.some((stars) => review.stars.includes(stars)),
  )
  const others = twins.filter((one) => one.reviewId !== reviewId)
  if (ledger.clockWasDaysWrong && others.length > 0) return true
  if (others.some(({ edited, shownUntilMs }) => edited || shownUntilMs !== null)) return true
  // Two that are taken for each other leave a link to a third one, which may be later.
  const shownMs = twins.map(({ shownFromMs }) => shownFromMs).sort((a, b) => a - b)
  return shownMs.some((atMs, index) => index > 0 && atMs - (shownMs[index - 1] ?? 0) < TWINS_MS)
}

function marketMatches({ store, market }: ReviewEntry, storefront: string | null): boolean {
  const language: Record<string, string> = { us: 'en', gb: 'en', de: 'de' }
  return market === (store === 'apple' ? storefront : language[storefront ?? 'us'])
}

/** Hooks that did not get the last rating drop although they should have. */
export async function lostDrops(ledger: Ledger, storage: Storage): Promise<string[]> {
  const dead = await deadByHook(ledger, storage)
  const lost: string[] = []
  for (const hook of ledger.hooks.values()) {
    const { watch } = hook
    if (!hook.mustReceiveAll || hook.state !== 'active' || watch.eventType !== 'rating.dropped') continue
    const shown = ledger.ratings.get(listingKey(watch.store, watch.appId, watch.storefronts?.[0] ?? 'us'))
    const last = shown?.at(-1)?.rating ?? ''
    const eventId = ledger.byOccurrence.get(`${hook.id} ${last}`)
    const accepted = eventId !== undefined && ledger.events.get(eventId)?.accepted === true
    if (!accepted && !dead.get(hook.id)?.has(last)) lost.push(`the drop to ${last} for hook ${hook.id}`)
  }
  return lost
}

/** The subjects of the dead letters of each hook. */
async function deadByHook(ledger: Ledger, storage: Storage): Promise<Map<string, Set<string>>> {
  const byHook = new Map<string, Set<string>>()
  const accounts = new Set([...ledger.hooks.values()].map(({ accountId }) => accountId))
  for (const accountId of accounts) {
    for (const letter of await storage.deadLetters.list(accountId, {}, { limit: 10_000, before: null })) {
      if (ledger.hooks.get(letter.hookId)?.accountId !== accountId)
        ledger.violate('isolation', `account ${accountId} sees a dead letter of hook ${letter.hookId}`)
      const body = JSON.parse(letter.body) as {
        readonly store: Store
        readonly app_id: string
        readonly review_id?: string
        readonly current_rating?: number
        readonly rating_count?: number
      }
      const about =
        body.review_id === undefined
          ? `${Math.round((body.current_rating ?? 0) * 1_000_000)} ${body.rating_count}`
          : publicIdOf(ledger, body.store, body.app_id, body.review_id)
      byHook.set(letter.hookId, (byHook.get(letter.hookId) ?? new Set()).add(about))
    }
  }
  return byHook
}
