import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import type { Meter } from '../runtime/meter.ts'
import type { Invariant, InvariantCursor } from '../storage/port/invariants.ts'
import type { Storage } from '../storage/port/storage.ts'

export type InvariantsDeps = {
  readonly storage: Pick<Storage, 'invariants'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Whether deliveries expire now; absent: they do. */
  readonly mayDelete?: (() => boolean) | undefined
}

export const INVARIANTS_LOOP = 'invariants'

/** Between two pages, over all nodes. Chosen: a page takes some 10 ms to read, and a violation is not urgent. */
const CHECK_EVERY_MS = 60_000
/** After a start, or a jump of the clock: by then the backlog is worked off. */
const CAUGHT_UP_MS = 15 * 60_000
/** The clock went ahead by so much between two checks: what was pending looks as late. */
const JUMP_MS_MIN = 60_000
/** What is late, and no more than that. */
const LATE: ReadonlySet<Invariant> = new Set(['occurrence_stuck', 'pending_of_ended_hook'])
/** Housekeeping expires deliveries every minute once the time is confirmed: after this time none is left. */
const EXPIRED_WITHIN_MS = 15 * 60_000

/**
 * Checks the invariants of stored data, one page a minute, on one node at a time. Read only: each violation found is logged
 * and counted. While the time is unconfirmed no delivery expires, so a delivery past its end is no violation. Nor is what seems late
 * because the clock went ahead, or the machine was suspended.
 */
export function invariantsLoop(deps: InvariantsDeps, settings: { readonly expireAfterMs: number }): Loop {
  const { storage, clock, log, meter } = deps
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
