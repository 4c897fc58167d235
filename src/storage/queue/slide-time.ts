import { msOf } from '../values.ts'

/**
 * When the event of a drop counts as sent, for the next drop of the same slide: at the drop, but not after now. A drop that was observed
 * with a clock that was ahead has a later time, and no drop before that time would be sent.
 */
export function firedAtMsOf(occurredAt: Date, nowMs: number): number {
  return Math.min(msOf(occurredAt), nowMs)
}
