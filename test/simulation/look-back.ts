import type { Storage } from '../../src/storage/port/storage.ts'
import type { ClockState, TimeStorage } from '../../src/storage/port/time.ts'
import type { Ledger } from './ledger.ts'

/** As in `clock-jump.ts`: a step found at a start includes the time in which nothing ran. */
const STOPPED_MS_MAX = 900_000
/** As in `clock-jump.ts`: hooks are not moved later by less. */
const RESTORED_MS = 60_000
/** The service measures a jump to this, and takes a smaller difference for drift. */
const MEASURED_MS = 3_000

/**
 * A jump of the clock was committed. While the sum of all jumps says that the clock is behind, nobody can know which time is right:
 * each hook that exists may look back by as much, until the sum says that the clock is where it was.
 */
export function noteStep(
  ledger: Ledger,
  { from, to, whileStopped }: Parameters<TimeStorage['step']>[0],
  state: ClockState,
): void {
  const { clock } = ledger
  // An earlier call committed it, and its answer was lost.
  if (state.steps === clock.steps) return
  clock.steps = state.steps
  const byMs = to.getTime() - from.getTime()
  for (const hook of ledger.hooks.values())
    hook.unsureMs ??= Math.min(Math.max(0, -clock.aheadMs), clock.gapMs)
  clock.aheadMs += byMs
  const errorMs = whileStopped ? STOPPED_MS_MAX : MEASURED_MS / 2
  const isBack = Math.abs(clock.aheadMs) <= Math.min(errorMs, Math.abs(byMs) / 2)
  for (const hook of ledger.hooks.values()) {
    // By a clock that shows a time before its creation a hook is not restored.
    const isRestored = isBack && hook.createdAtMs <= to.getTime() + MEASURED_MS
    const restMs = Math.min(hook.lookBackMs, RESTORED_MS + (hook.unsureMs ?? 0))
    hook.lookBackMs = isRestored ? restMs : Math.max(hook.lookBackMs, -clock.aheadMs)
  }
  if (isBack && whileStopped) {
    clock.gapMs += Math.max(0, clock.aheadMs)
    clock.aheadMs = 0
  }
}

/** Storage that notes of each event how far its hook may look back at its fan-out. */
export function noteFanOut(storage: Storage, ledger: Ledger): Storage {
  const { occurrences } = storage
  const fanOut: typeof occurrences.fanOut = (request, decide) =>
    occurrences.fanOut(request, (occurrence, candidates) => {
      const events = decide(occurrence, candidates)
      for (const { eventId, hookId } of events) {
        const lookBackMs = ledger.hooks.get(hookId)?.lookBackMs ?? 0
        ledger.lookBacks.set(eventId, lookBackMs)
        if (lookBackMs > 0) ledger.lookedBack.add(`${hookId} ${occurrence.occurredAt.toISOString()}`)
      }
      return events
    })
  return {
    ...storage,
    occurrences: { ...occurrences, fanOut },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

/** Before it nothing that was fanned out as `eventId` may have happened. */
export function notBeforeMsOf(ledger: Ledger, hookId: string, eventId: string): number {
  const lookBackMs = ledger.lookBacks.get(eventId) ?? 0
  const notBeforeMs = ledger.hooks.get(hookId)?.notBeforeMs ?? 0
  return lookBackMs > 0 ? notBeforeMs - lookBackMs - MEASURED_MS : notBeforeMs
}

/**
 * Whether the service may find that an event is older than its hook: the clock was behind when it was fanned out, and has been
 * set right since. `example` is the sentence of the invariant.
 */
export function isOlderRightly(ledger: Ledger, invariant: string, example: string): boolean {
  if (invariant !== 'event_before_hook') return false
  const hookId = / for hook (\S+) of /.exec(example)?.[1]
  const occurredAt = / of (\S+) for hook /.exec(example)?.[1]
  return ledger.lookedBack.has(`${hookId} ${occurredAt}`)
}
