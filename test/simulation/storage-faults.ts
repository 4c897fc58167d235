import type { Random } from './random.ts'

/** What storage does wrong for a while. */
export type StorageTrouble =
  /** Every call fails before it takes effect. */
  | { readonly kind: 'down' }
  /** Some calls take effect and fail all the same: the answer to the commit was lost. */
  | { readonly kind: 'ambiguous'; readonly share: number }
  /** Some calls fail before they take effect. */
  | { readonly kind: 'flaky'; readonly share: number }
  /** Every answer takes long. */
  | { readonly kind: 'slow'; readonly msMax: number }
  /** Nothing is executed before it ends. */
  | { readonly kind: 'stall' }
  /** Reads work, writes do not. */
  | { readonly kind: 'full' }

/** What becomes of one call. */
export type CallFate = {
  /** When it is executed, from now on. */
  readonly executeAfterMs: number
  /** When its caller hears of it, from its execution on. */
  readonly answerAfterMs: number
  readonly fails: 'no' | 'before' | 'after'
}

/** Calls that write nothing. */
export const READS =
  /\.(get|list|listAll|listTokens|count|countByReason|known|isNameless|rawAnswer|counts|dueWork|depths|notices|nodes|ping|sizeBytes|watchedApps|attempts|tests|cachedEnrichments|knownSlugs|memberOf|members|anyMember)$/

/** A statement that gets no answer is given up after this, as on PostgreSQL. */
const ANSWER_TIMEOUT_MS = 35_000

/** Decides the fate of a call to `name` under the troubles that are on. */
export function fateOf(
  name: string,
  troubles: readonly { readonly trouble: StorageTrouble; readonly untilMs: number }[],
  nowMs: number,
  random: Random,
): CallFate {
  let executeAfterMs = random.between(0.02, 0.4)
  let answerAfterMs = random.between(0.02, 0.4)
  let fails: CallFate['fails'] = 'no'
  for (const { trouble, untilMs } of troubles) {
    switch (trouble.kind) {
      case 'down':
        fails = 'before'
        executeAfterMs += random.between(0, 500)
        break
      case 'ambiguous':
        if (fails === 'no' && random.chance(trouble.share)) fails = 'after'
        break
      case 'flaky':
        if (fails === 'no' && random.chance(trouble.share)) fails = 'before'
        break
      case 'slow':
        executeAfterMs += random.between(0, trouble.msMax)
        answerAfterMs += random.between(0, trouble.msMax)
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
    // Given up: whether it was executed is anybody's guess.
    if (fails === 'no') fails = random.chance(0.5) ? 'before' : 'after'
    return { executeAfterMs: ANSWER_TIMEOUT_MS, answerAfterMs: 0, fails }
  }
  return { executeAfterMs, answerAfterMs, fails }
}
