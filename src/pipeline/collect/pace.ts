import type { Store } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PaceState, PaceStorage } from '../../storage/port/feeds.ts'
import type { Pace } from '../appstores/appstore.ts'
import { afterAnswer, afterBlock, isBlocked, rateOf, reserveRequests } from './store-rate.ts'

export type StorePaceDeps = {
  readonly storage: PaceStorage
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
}

/** The rate limit and backoff of one store. The state is one row, shared by all nodes. */
export type StorePace = {
  /** Waits for a permit to make one request. `false` while the store is blocked, and when stopping. */
  readonly pace: Pace
  /** When the block of the store ends; null when there is none. */
  readonly blockedUntil: () => Promise<Date | null>
  /** Records that the store blocked us. Returns when the block ends. */
  readonly block: (detail: string, retryAfterMs: number) => Promise<Date>
  /** Records a successful answer: the next block counts as the first again. */
  readonly answered: () => Promise<void>
}

/** How far ahead permits are reserved, so that a high rate does not require a write for each request. */
const RESERVE_MS = 50
/** The maximum delay of a permit. A later use could exceed the requests per minute, so the permit is dropped. */
const PERMIT_LATE_MS_MAX = 500
/** A block is read again after this time: it may have been read just after a step of the clock that this node had not followed. */
const READ_AGAIN_MS = 10_000

export function createStorePace(deps: StorePaceDeps, store: Store, requestsPerMinute: number): StorePace {
  const { storage, clock, random } = deps
  const rate = rateOf(requestsPerMinute)
  const permitsAtOnce = Math.max(1, Math.floor(RESERVE_MS / rate.intervalMs))
  // On the monotonic clock, because the wall clock may be set.
  let permitsAtMs: number[] = []
  let blockedUntilMs = 0
  let blocks = 0
  let readAtMs = 0
  let lastReservation: Promise<unknown> = Promise.resolve()

  const isBlockedNow = () => blockedUntilMs > clock.monotonicMs()
  const blockedUntil = () =>
    new Date(Math.round(clock.now().getTime() + blockedUntilMs - clock.monotonicMs()))
  /** `nowMs` is by the clock of the state, `atMs` the same time on the monotonic clock. */
  const remember = (state: PaceState, nowMs: number, atMs: number) => {
    blockedUntilMs = state.blockedUntil === null ? 0 : atMs + state.blockedUntil.getTime() - nowMs
    blocks = state.blocks
    readAtMs = atMs
  }

  async function change(next: (state: PaceState, nowMs: number, atMs: number) => PaceState | null) {
    const atMs = clock.monotonicMs()
    let nowMs = 0
    const after = await storage.change(store, clock.now(), (state, now) => {
      nowMs = now.getTime()
      return next(state, nowMs, atMs)
    })
    remember(after, nowMs, atMs)
  }

  /** The instant of the next permit on the monotonic clock; null while the store is blocked. */
  async function nextPermit(): Promise<number | null> {
    if (isBlockedNow()) return null
    const oldestMs = clock.monotonicMs() - PERMIT_LATE_MS_MAX
    permitsAtMs = permitsAtMs.filter((atMs) => atMs > oldestMs)
    if (permitsAtMs.length === 0) await reserve()
    return permitsAtMs.shift() ?? null
  }

  async function reserve(): Promise<void> {
    await change((state, nowMs, atMs) => {
      if (isBlocked(state, nowMs)) return null
      const reserved = reserveRequests(state, nowMs, permitsAtOnce, rate, random)
      permitsAtMs = reserved.permitsAtMs.map((permitMs) => atMs + permitMs - nowMs)
      return reserved.state
    })
  }

  return {
    async pace(signal) {
      // Sequential, so that concurrent requests share one reservation.
      const permit = lastReservation.then(() => (signal.aborted ? null : nextPermit()))
      lastReservation = permit.catch(() => {})
      const atMs = await permit
      if (atMs === null) return false
      const waitMs = atMs - clock.monotonicMs()
      if (waitMs >= 1) await clock.sleep(waitMs, signal)
      return !signal.aborted && !isBlockedNow()
    },

    async blockedUntil() {
      const atMs = clock.monotonicMs()
      if (!isBlockedNow() || atMs - readAtMs > READ_AGAIN_MS) {
        const now = clock.now()
        remember(await storage.get(store), now.getTime(), atMs)
      }
      return isBlockedNow() ? blockedUntil() : null
    },

    async block(detail, retryAfterMs) {
      const jitter = random()
      await change((state, nowMs) => afterBlock(state, nowMs, retryAfterMs, detail, jitter))
      return blockedUntil()
    },

    async answered() {
      if (blocks === 0) return
      await change(afterAnswer)
    },
  }
}
