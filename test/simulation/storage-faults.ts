import type { Random } from './random.ts'

/** A fault of storage that lasts for a while. */
export type StorageFault =
  /** Every call fails before it takes effect. */
  | { readonly kind: 'down' }
  /** Some calls take effect but fail, because the answer to the commit is lost. */
  | { readonly kind: 'ambiguous'; readonly share: number }
  /** Some calls fail before they take effect. */
  | { readonly kind: 'flaky'; readonly share: number }
  /** Every answer is slow. */
  | { readonly kind: 'slow'; readonly msMax: number }
  /** No call is executed before the fault ends. */
  | { readonly kind: 'stall' }
  /** Reads work, writes do not. */
  | { readonly kind: 'full' }

/** The delays and the result of one call. */
export type CallOutcome = {
  /** Delay until the call is executed. */
  readonly executeAfterMs: number
  /** Delay from the execution to the answer. */
  readonly answerAfterMs: number
  readonly fails: 'no' | 'before' | 'after'
}

/** Calls that write nothing. */
export const READS =
  /\.(get|list|listAll|listTokens|count|countByReason|known|isNameless|rawAnswer|counts|dueWork|depths|notices|nodes|ping|sizeBytes|watchedApps|attempts|tests|cachedEnrichments|knownSlugs|memberships|members|anyMember|target|sentSince|review)$/

/** A statement without an answer fails after this time, as on PostgreSQL. */
const ANSWER_TIMEOUT_MS = 35_000

/** Decides the outcome of a call to `name` under the active faults. */
export function outcomeOf(
  name: string,
  faults: readonly { readonly fault: StorageFault; readonly untilMs: number }[],
  nowMs: number,
  random: Random,
): CallOutcome {
  let executeAfterMs = random.between(0.02, 0.4)
  let answerAfterMs = random.between(0.02, 0.4)
  let fails: CallOutcome['fails'] = 'no'
  for (const { fault, untilMs } of faults) {
    switch (fault.kind) {
      case 'down':
        fails = 'before'
        executeAfterMs += random.between(0, 500)
        break
      case 'ambiguous':
        if (fails === 'no' && random.chance(fault.share)) fails = 'after'
        break
      case 'flaky':
        if (fails === 'no' && random.chance(fault.share)) fails = 'before'
        break
      case 'slow':
        executeAfterMs += random.between(0, fault.msMax)
        answerAfterMs += random.between(0, fault.msMax)
        break
      case 'stall':
        executeAfterMs = Math.max(executeAfterMs, untilMs - nowMs)
        break
      case 'full':
        if (!READS.test(name)) fails = 'before'
        break
    }
  }
  if (executeAfterMs + answerAfterMs > ANSWER_TIMEOUT_MS) {
    // The call timed out: whether it was executed is unknown.
    if (fails === 'no') fails = random.chance(0.5) ? 'before' : 'after'
    return { executeAfterMs: ANSWER_TIMEOUT_MS, answerAfterMs: 0, fails }
  }
  return { executeAfterMs, answerAfterMs, fails }
}
