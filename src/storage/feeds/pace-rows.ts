import type { PaceState } from '../port/feeds.ts'
import { dateOrNull } from '../values.ts'

/** The row of a store's pace, the same on both engines. */

export const PACE_COLUMNS = 'arrival_at_ms, blocked_until, blocks, last_detail'

export type PaceRow = {
  arrival_at_ms: number
  blocked_until: number | null
  blocks: number
  last_detail: string | null
}

/** A store without requests has no row: its complete burst is available. */
export function paceOf(row: PaceRow | undefined): PaceState {
  if (row === undefined) return { arrivalAtMs: 0, blockedUntil: null, blocks: 0, lastDetail: null }
  return {
    arrivalAtMs: row.arrival_at_ms,
    blockedUntil: dateOrNull(row.blocked_until),
    blocks: row.blocks,
    lastDetail: row.last_detail,
  }
}
