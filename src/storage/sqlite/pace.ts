import type { Store } from '../../model/vocabulary.ts'
import type { PaceState, PaceStorage } from '../port/feeds.ts'
import { dateOrNull, msOrNull } from '../values.ts'
import type { Connection } from './connect.ts'

export function paceStorage(db: Connection): PaceStorage {
  return {
    change: async (store, change) =>
      db.transaction(() => {
        const before = read(db, store)
        const after = change(before)
        if (after === null) return before
        db.run(
          `insert into pace (store, arrival_at_ms, blocked_until, blocks, last_detail) values (?, ?, ?, ?, ?)
           on conflict (store) do update set arrival_at_ms = excluded.arrival_at_ms,
             blocked_until = excluded.blocked_until, blocks = excluded.blocks, last_detail = excluded.last_detail`,
          store,
          after.arrivalAtMs,
          msOrNull(after.blockedUntil),
          after.blocks,
          after.lastDetail,
        )
        return after
      }),

    get: async (store) => read(db, store),
  }
}

/** A store never asked yet has no row: it is as free as can be. */
function read(db: Connection, store: Store): PaceState {
  const row = db.get<{
    arrival_at_ms: number
    blocked_until: number | null
    blocks: number
    last_detail: string | null
  }>('select arrival_at_ms, blocked_until, blocks, last_detail from pace where store = ?', store)
  if (row === undefined) return { arrivalAtMs: 0, blockedUntil: null, blocks: 0, lastDetail: null }
  return {
    arrivalAtMs: row.arrival_at_ms,
    blockedUntil: dateOrNull(row.blocked_until),
    blocks: row.blocks,
    lastDetail: row.last_detail,
  }
}
