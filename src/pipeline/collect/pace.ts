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

export function createStorePace(deps: StorePaceDeps, store: Store, requestsPerMinute: number): StorePace {
  const { storage, clock, random } = deps
  const rate = rateOf(requestsPerMinute)
  const permitsAtOnce = Math.max(1, Math.floor(RESERVE_MS / rate.intervalMs))
  // On the monotonic clock, because the wall clock may be set.
  let permitsAtMs: number[] = []
  let blockedUntilMs = 0
  let blocks = 0
  let lastReservation: Promise<unknown> = Promise.resolve()

  const monotonicOf = (instantMs: number) => clock.monotonicMs() + instantMs - clock.now().getTime()
  const isBlockedNow = () => blockedUntilMs > clock.monotonicMs()
  const blockedUntil = () =>
    new Date(Math.round(clock.now().getTime() + blockedUntilMs - clock.monotonicMs()))
  const remember = (state: PaceState) => {
    blockedUntilMs = state.blockedUntil === null ? 0 : monotonicOf(state.blockedUntil.getTime())
    blocks = state.blocks
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
    const after = await storage.change(store, (state) => {
      const nowMs = clock.now().getTime()
      if (isBlocked(state, nowMs)) return null
      const reserved = reserveRequests(state, nowMs, permitsAtOnce, rate, random)
      permitsAtMs = reserved.permitsAtMs.map(monotonicOf)
      return reserved.state
    })
    remember(after)
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
      if (!isBlockedNow()) remember(await storage.get(store))
      return isBlockedNow() ? blockedUntil() : null
    },

    async block(detail, retryAfterMs) {
      const nowMs = clock.now().getTime()
      const jitter = random()
      remember(await storage.change(store, (state) => afterBlock(state, nowMs, retryAfterMs, detail, jitter)))
      return blockedUntil()
    },

    async answered() {
      if (blocks === 0) return
      const nowMs = clock.now().getTime()
      remember(await storage.change(store, (state) => afterAnswer(state, nowMs)))
    },
  }
}
