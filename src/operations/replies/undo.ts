import { type Instant, later } from '../../runtime/instant.ts'

/** Until when an answer waits, so that a person can undo it; null: sent at once. */
export function undoUntilOf(now: Instant, undoMs: number): Instant | null {
  return undoMs > 0 ? later(now, undoMs) : null
}
