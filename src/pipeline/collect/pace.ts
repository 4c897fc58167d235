import type { Store } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PaceState, PaceStorage } from '../../storage/port/feeds.ts'
import type { Pace } from '../appstores/appstore.ts'
import { afterAnswer, afterBlock, isBlocked, rateOf, reserveSlots } from './pace-rule.ts'

export type StorePaceDeps = {
  readonly storage: PaceStorage
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
}

/** This process's share of asking one store politely; the state is one row for the whole installation. */
export type StorePace = {
  /** For the store's client: waits for a request's turn. `false` while the store backs off, and when stopping. */
  readonly pace: Pace
  /** Until when nobody asks the store; null when it may be asked. */
  readonly blockedUntil: () => Promise<Date | null>
  /** The store told us to go away. Until when nobody asks it now. */
  readonly block: (detail: string, retryAfterMs: number) => Promise<Date>
  /** A good answer: the next block counts as the first again. */
  readonly answered: () => Promise<void>
}

/** Slots are fetched for this long ahead, so that a high rate does not cost a write for each request. */
const RESERVE_MS = 50
/** A slot not used by then is lost: used late, it could put too many requests into one minute. */
const SLOT_LATE_MS_MAX = 500

export function createStorePace(deps: StorePaceDeps, store: Store, requestsPerMinute: number): StorePace {
  const { storage, clock, random } = deps
  const rate = rateOf(requestsPerMinute)
  const slotsAtOnce = Math.max(1, Math.floor(RESERVE_MS / rate.spacingMs))
  // Remembered by the monotonic reading: an instant would be wrong after the wall clock was set.
  let slotsAtMs: number[] = []
  let blockedUntilMs = 0
  let blocks = 0
  let turn: Promise<unknown> = Promise.resolve()

  const monotonicOf = (instantMs: number) => clock.monotonicMs() + instantMs - clock.now().getTime()
  const isBlockedNow = () => blockedUntilMs > clock.monotonicMs()
  const blockedUntil = () =>
    new Date(Math.round(clock.now().getTime() + blockedUntilMs - clock.monotonicMs()))
  const note = (state: PaceState) => {
    blockedUntilMs = state.blockedUntil === null ? 0 : monotonicOf(state.blockedUntil.getTime())
    blocks = state.blocks
  }

  /** The next slot, or null while the store backs off. */
  async function nextSlot(): Promise<number | null> {
    if (isBlockedNow()) return null
    const oldestMs = clock.monotonicMs() - SLOT_LATE_MS_MAX
    slotsAtMs = slotsAtMs.filter((atMs) => atMs > oldestMs)
    if (slotsAtMs.length === 0) {
      note(
        await storage.change(store, (state) => {
          const nowMs = clock.now().getTime()
          if (isBlocked(state, nowMs)) return null
          const reserved = reserveSlots(state, nowMs, slotsAtOnce, rate, random)
          slotsAtMs = reserved.slotsAtMs.map(monotonicOf)
          return reserved.state
        }),
      )
    }
    return slotsAtMs.shift() ?? null
  }

  return {
    async pace(signal) {
      // One after another, so that requests waiting together share what one of them reserves.
      const slot = turn.then(() => (signal.aborted ? null : nextSlot()))
      turn = slot.catch(() => {})
      const atMs = await slot
      if (atMs === null) return false
      const waitMs = atMs - clock.monotonicMs()
      if (waitMs >= 1) await clock.sleep(waitMs, signal)
      return !signal.aborted && !isBlockedNow()
    },

    async blockedUntil() {
      if (!isBlockedNow()) note(await storage.get(store))
      return isBlockedNow() ? blockedUntil() : null
    },

    async block(detail, retryAfterMs) {
      const nowMs = clock.now().getTime()
      const jitter = random()
      note(await storage.change(store, (state) => afterBlock(state, nowMs, retryAfterMs, detail, jitter)))
      return blockedUntil()
    },

    async answered() {
      if (blocks === 0) return
      const nowMs = clock.now().getTime()
      note(await storage.change(store, (state) => afterAnswer(state, nowMs)))
    },
  }
}
