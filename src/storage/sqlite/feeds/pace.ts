import type { Store } from '../../../model/vocabulary.ts'
import { PACE_COLUMNS, type PaceRow, paceOf } from '../../feeds/pace-rows.ts'
import type { PaceState, PaceStorage } from '../../port/feeds.ts'
import { msOrNull } from '../../values.ts'
import type { Connection } from '../connect.ts'

export function paceStorage(db: Connection): PaceStorage {
  return {
    change: async (store, now, change) =>
      db.transaction(() => {
        const before = read(db, store)
        const after = change(before, now)
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

function read(db: Connection, store: Store): PaceState {
  return paceOf(db.get<PaceRow>(`select ${PACE_COLUMNS} from pace where store = ?`, store))
}
