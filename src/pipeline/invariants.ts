import type { Meter } from '../model/metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { INVARIANTS, type Invariant, type InvariantCursor } from '../storage/port/invariants.ts'
import type { Storage } from '../storage/port/storage.ts'

export type InvariantsDeps = {
  readonly storage: Pick<Storage, 'invariants'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Whether deliveries expire now. Absent: always. */
  readonly mayDelete?: (() => boolean) | undefined
}

export const INVARIANTS_LOOP = 'invariants'

/** The interval between two pages, over all nodes. A page takes about 10 ms, and a violation is not urgent. */
const CHECK_EVERY_MS = 60_000
/** The time to process the backlog after a start or a jump of the clock. */
const CAUGHT_UP_MS = 15 * 60_000
/** A forward jump of the clock by this much between two checks makes pending work look late. */
const JUMP_MS_MIN = 60_000
/** Invariants that only say that work is late. */
const LATE: ReadonlySet<Invariant> = new Set(['occurrence_stuck', 'pending_of_ended_hook'])
/** Housekeeping expires deliveries every minute once the time is confirmed. After this time none is left. */
const EXPIRED_WITHIN_MS = 15 * 60_000

/**
 * Checks the invariants of stored data, one page per minute, on one node at a time. It only reads; each violation is
 * logged and counted. While the time is unconfirmed, no delivery expires, so a delivery past its expiry is not a
 * violation. Neither is work that looks late because the clock jumped forward or the machine was suspended.
 */
export function invariantsLoop(deps: InvariantsDeps, settings: { readonly expireAfterMs: number }): Loop {
  const { storage, clock, log, meter } = deps
  for (const invariant of INVARIANTS) meter.count('invariant_violations_total', { invariant }, 0)
  const startedMs = clock.monotonicMs()
  let cursor: InvariantCursor | null = null
  let unconfirmedMs = Number.NEGATIVE_INFINITY
  let jumpedMs = Number.NEGATIVE_INFINITY
  const aheadMs = () => clock.now().getTime() - clock.monotonicMs()
  let lastAheadMs = aheadMs()
  const recordJump = () => {
    if (aheadMs() - lastAheadMs >= JUMP_MS_MIN) jumpedMs = clock.monotonicMs()
    lastAheadMs = aheadMs()
  }
  return {
    name: INVARIANTS_LOOP,
    idleMs: CHECK_EVERY_MS,
    async pass() {
      const now = clock.now()
      recordJump()
      if (deps.mayDelete?.() === false) unconfirmedMs = clock.monotonicMs()
      const isExpiring = clock.monotonicMs() - unconfirmedMs >= EXPIRED_WITHIN_MS
      if (clock.monotonicMs() - startedMs < CAUGHT_UP_MS) return 'idle'
      if (!(await storage.invariants.claimCheck(now, CHECK_EVERY_MS))) return 'idle'
      recordJump()
      const isCaughtUp = clock.monotonicMs() - jumpedMs >= CAUGHT_UP_MS
      const checked = await storage.invariants.check({
        now: clock.now(),
        expireAfterMs: settings.expireAfterMs,
        cursor,
      })
      cursor = checked.cursor
      for (const { invariant, count, example } of checked.violations) {
        if (invariant === 'delivery_past_end' && !isExpiring) continue
        if (LATE.has(invariant) && !isCaughtUp) continue
        meter.count('invariant_violations_total', { invariant }, count)
        log.error('invariant.violated', { invariant, count, example })
      }
      return 'idle'
    },
  }
}
