import { setImmediate } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Wake } from './wake.ts'

export type Loop = {
  readonly name: string
  /** The longest wait between two passes without work. */
  readonly idleMs: number
  /** Processes one bounded batch, and finishes it even if `signal` aborts. */
  readonly pass: (signal: AbortSignal) => Promise<'worked' | 'idle'>
  /** Resolves when work that passes left in flight is done. Called once, after the last pass. */
  readonly finish?: () => Promise<void>
  /** The problem, as a sentence, when passes succeed without doing their work; otherwise null. */
  readonly problem?: () => string | null
}

/** The state of a loop, for health checks; only `runLoop` writes it. */
export type LoopState = {
  /** On the monotonic clock; null between passes. */
  passStartedMs: number | null
  /** End of the last pass that did not throw. */
  lastPassAt: Date | null
  /** Passes in a row that threw. */
  failures: number
  failingSince: Date | null
}

export function newLoopState(): LoopState {
  return { passStartedMs: null, lastPassAt: null, failures: 0, failingSince: null }
}

/** The longest wait after passes that throw, so that a recovered database is used within a minute. */
export const FAILURE_WAIT_MS_MAX = 60_000
/** The longest first wait: a restarted database is available in seconds. */
const FAILURE_WAIT_MS_FIRST = 1_000

/**
 * Runs `loop` until `signal` aborts. Resolves when the pass in progress and `finish` are done. The next pass follows at
 * once after work; after an idle pass it follows a wait that a wake ends early. A pass that throws is logged. The wait
 * after it doubles from a second (or `idleMs`, if less) up to a minute, and ignores wakes. Never rejects.
 */
export async function runLoop(
  loop: Loop,
  signal: AbortSignal,
  deps: {
    readonly clock: Clock
    readonly wake: Wake
    readonly log: Log
    /** Gets what passes throw. */
    readonly failed?: (error: unknown) => void
  },
  state: LoopState = newLoopState(),
): Promise<void> {
  const { clock, wake, log, failed } = deps
  while (!signal.aborted) {
    state.passStartedMs = clock.monotonicMs()
    let result: 'worked' | 'idle' | 'failed'
    try {
      result = await loop.pass(signal)
      state.lastPassAt = clock.now()
      state.failures = 0
      state.failingSince = null
    } catch (error) {
      result = 'failed'
      state.failures += 1
      state.failingSince ??= clock.now()
      failed?.(error)
      log.error('loop.failed', { loop: loop.name, failures: state.failures, error })
    }
    state.passStartedMs = null
    // A pass on SQLite may be synchronous, so other work needs this turn of the event loop.
    await setImmediate()
    if (result === 'idle') await wake.wait(loop.name, loop.idleMs, signal)
    if (result === 'failed') await clock.sleep(failureWaitMs(loop.idleMs, state.failures), signal)
  }
  try {
    await loop.finish?.()
  } catch (error) {
    log.error('loop.failed', { loop: loop.name, finishing: true, error })
  }
}

/** Milliseconds to wait after `failures` passes in a row that threw. */
export function failureWaitMs(idleMs: number, failures: number): number {
  const firstMs = Math.min(idleMs, FAILURE_WAIT_MS_FIRST)
  return Math.min(FAILURE_WAIT_MS_MAX, firstMs * 2 ** Math.min(failures - 1, 20))
}
