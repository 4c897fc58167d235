import type { Storage } from '../../src/storage/port/storage.ts'
import type { ClockState, TimeStorage } from '../../src/storage/port/time.ts'
import type { Ledger } from './ledger.ts'

/** As in `clock-jump.ts`: a step found at a start includes the time in which no process ran. */
const STOPPED_MS_MAX = 900_000
/** As in `clock-jump.ts`: creation times of hooks are moved only by more than this. */
const RESTORED_MS = 60_000
/** The accuracy of a measured jump. The service treats a smaller difference as drift. */
const MEASURED_MS = 3_000

/**
 * Records a committed jump of the clock. While the sum of all jumps is negative, the right time is uncertain: each hook may get events that
 * are older by that sum, until the sum is about 0 again.
 */
export function recordClockStep(
  ledger: Ledger,
  { from, to, whileStopped }: Parameters<TimeStorage['step']>[0],
  state: ClockState,
): void {
  const { clock } = ledger
  // An earlier call committed it, but its answer was lost.
  if (state.steps === clock.steps) return
  clock.steps = state.steps
  const byMs = to.getTime() - from.getTime()
  for (const hook of ledger.hooks.values())
    hook.uncertainMs ??= Math.min(Math.max(0, -clock.aheadMs), clock.gapMs)
  clock.aheadMs += byMs
  const errorMs = whileStopped ? STOPPED_MS_MAX : MEASURED_MS / 2
  const isBack = Math.abs(clock.aheadMs) <= Math.min(errorMs, Math.abs(byMs) / 2)
  for (const hook of ledger.hooks.values()) {
    // A hook is not restored by a clock that is before its creation.
    const isRestored = isBack && hook.createdAtMs <= to.getTime() + MEASURED_MS
    const restMs = Math.min(hook.lookBackMs, RESTORED_MS + (hook.uncertainMs ?? 0))
    hook.lookBackMs = isRestored ? restMs : Math.max(hook.lookBackMs, -clock.aheadMs)
  }
  if (isBack && whileStopped) {
    clock.gapMs += Math.max(0, clock.aheadMs)
    clock.aheadMs = 0
  }
}

/** Storage that records for each event the `lookBackMs` of its hook at fan-out. */
export function recordFanOuts(storage: Storage, ledger: Ledger): Storage {
  const { occurrences } = storage
  const fanOut: typeof occurrences.fanOut = (request, decide) =>
    occurrences.fanOut(request, (occurrence, candidates) => {
      const events = decide(occurrence, candidates)
      for (const { eventId, hookId } of events) {
        const lookBackMs = ledger.hooks.get(hookId)?.lookBackMs ?? 0
        ledger.lookBacks.set(eventId, lookBackMs)
        if (lookBackMs > 0)
          ledger.sentWhileLookingBack.add(`${hookId} ${occurrence.occurredAt.toISOString()}`)
      }
      return events
    })
  return {
    ...storage,
    occurrences: { ...occurrences, fanOut },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

/** The earliest time that the event `eventId` may be from. */
export function notBeforeMsOf(ledger: Ledger, hookId: string, eventId: string): number {
  const lookBackMs = ledger.lookBacks.get(eventId) ?? 0
  const notBeforeMs = ledger.hooks.get(hookId)?.notBeforeMs ?? 0
  return lookBackMs > 0 ? notBeforeMs - lookBackMs - MEASURED_MS : notBeforeMs
}

/**
 * Whether the service may report an event as older than its hook: the clock was behind at its fan-out and has been corrected since.
 * `example` is the example text of the violation.
 */
export function isAllowedOlderEvent(ledger: Ledger, invariant: string, example: string): boolean {
  if (invariant !== 'event_before_hook') return false
  const hookId = / for hook (\S+) of /.exec(example)?.[1]
  const occurredAt = / of (\S+) for hook /.exec(example)?.[1]
  return ledger.sentWhileLookingBack.has(`${hookId} ${occurredAt}`)
}
