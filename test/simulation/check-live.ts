import { JITTER_MAX } from '../../src/pipeline/send/after-attempt.ts'
import type { Instant } from '../../src/runtime/instant.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Installation } from './engines.ts'
import type { Ledger } from './ledger.ts'
import { isAllowedOlderEvent } from './look-back.ts'

/** Runs the service's own check of all invariants. */
export async function checkLiveInvariants(
  ledger: Ledger,
  storage: Storage,
  now: Instant,
  expireAfterMs: number,
): Promise<void> {
  let cursor: Parameters<Storage['invariants']['check']>[0]['cursor'] = null
  while (true) {
    const checked = await storage.invariants.check({ now, expireAfterMs, cursor })
    for (const { invariant, example } of checked.violations) {
      if (!isAllowedOlderEvent(ledger, invariant, example)) ledger.violate(invariant, example)
    }
    cursor = checked.cursor
    if (checked.isLast) return
  }
}

/** Reports accepted deliveries that storage deleted before their retention ended. */
export async function checkRetention(
  ledger: Ledger,
  storage: Storage,
  nowMs: number,
  retentionMs: number,
): Promise<void> {
  const keptFromMs = nowMs - retentionMs + RETENTION_SLACK_MS
  for (const { eventId, hookId, firstRequestAtMs, accepted } of ledger.events.values()) {
    const hook = ledger.hooks.get(hookId)
    if (!accepted || hook === undefined || hook.state === 'deleted' || firstRequestAtMs < keptFromMs) continue
    if ((await storage.deliveries.get(hook.accountId, eventId)) === null)
      ledger.violate(
        'retention_early',
        `the delivery of ${eventId} was deleted ${nowMs - firstRequestAtMs} ms after its first request`,
      )
  }
}

const RETENTION_SLACK_MS = 60_000

/** Reports dead letters that expired before their retries can have ended by the true time. */
export async function checkExpired(
  ledger: Ledger,
  storage: Storage,
  nowMs: number,
  expireAfterMs: number,
): Promise<void> {
  const accounts = new Set([...ledger.hooks.values()].map(({ accountId }) => accountId))
  for (const accountId of accounts) {
    const dead = await storage.deadLetters.list(
      accountId,
      { reason: 'expired' },
      { limit: 1_000, before: null },
    )
    for (const { eventId, deadReason } of dead) {
      const event = ledger.events.get(eventId)
      if (deadReason !== 'expired' || event === undefined || ledger.requeued.has(eventId)) continue
      if (nowMs - event.firstRequestAtMs < expireAfterMs)
        ledger.violate(
          'expired_early',
          `${eventId} expired ${nowMs - event.firstRequestAtMs} ms after its first request`,
        )
    }
  }
}

/** Readings of the clock have this accuracy, since answers of the database may be slow. */
const READING_MS = 15_000
/** Of a delivery, with each timeout that a plan may have. */
const LEASE_MS = 60_000
/** As in `schedule.ts`. */
const POLL_JITTER = 0.1

const PENDING = `select seq, attempts, due_at, leased_until from deliveries where status = 'pending'`
/** Feeds whose last poll was good and that no process polls now. */
const POLLED = `select id, next_poll_at, interval_ms from feeds where next_poll_at is not null and lease is null
  and last_outcome in ('ok', 'empty')`

/** Reports deliveries and feeds that are due later than the rule of their last attempt, claim or poll allows. */
export async function checkDueTimes(
  ledger: Ledger,
  { rows }: Pick<Installation, 'rows'>,
  nowMs: number,
  waitsMs: readonly number[],
): Promise<void> {
  const report = (what: string, atMs: unknown, allowedMs: number) => {
    const inMs = Number(atMs) - nowMs - ledger.clock.aheadOfTrueMs
    if (inMs > allowedMs + READING_MS)
      ledger.violate(
        'due_too_late',
        `${what} in ${Math.round(inMs)} ms, but at most ${Math.round(allowedMs)} ms are allowed`,
      )
  }
  const longestMs = Math.max(...waitsMs) * (1 + JITTER_MAX)
  for (const { seq, attempts, due_at, leased_until } of await rows(PENDING)) {
    const waitMs = Number(attempts) === 0 ? 0 : longestMs + (ledger.lengthenedMs.get(Number(seq)) ?? 0)
    report(`delivery ${seq} with ${attempts} attempts is due`, due_at, waitMs)
    report(`the lease of delivery ${seq} ends`, leased_until, LEASE_MS)
  }
  for (const { id, next_poll_at, interval_ms } of await rows(POLLED))
    report(`feed ${id} is polled`, next_poll_at, Number(interval_ms) * (1 + POLL_JITTER))
}

/** The maximum wait of a feed beyond its interval, even if another account has many feeds. */
const STARVATION_MS = 240_000

/** Reports feeds of accounts with few feeds that are not polled because of an account with many. */
export function createStarvationCheck(
  ledger: Ledger,
  storage: Storage,
  isSmallAccount: (appId: string) => boolean,
) {
  /** When each needed feed was first seen as needed. */
  let neededSince = new Map<number, number>()
  return async (nowMs: number, pollMs: number): Promise<void> => {
    const neededBefore = neededSince
    neededSince = new Map()
    // Feeds that no hook needs are not polled. Their wait starts when a hook needs them again.
    for (const feed of await storage.feeds.list({ failingOnly: false, limit: 10_000 })) {
      if (!isSmallAccount(feed.appId)) continue
      const neededSinceMs = neededBefore.get(feed.id) ?? nowMs
      neededSince.set(feed.id, neededSinceMs)
      const sinceMs = Math.max(neededSinceMs, feed.lastPolledAt?.getTime() ?? 0)
      if (nowMs - sinceMs > pollMs * 1.2 + STARVATION_MS)
        ledger.violate(
          'feed_starved',
          `${feed.store} ${feed.appId} ${feed.kind} was not polled for ${Math.round((nowMs - sinceMs) / 1000)} s`,
        )
    }
  }
}
