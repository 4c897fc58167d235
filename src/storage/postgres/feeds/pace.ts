import { PACE_COLUMNS, type PaceRow, paceOf } from '../../feeds/pace-rows.ts'
import type { PaceStorage } from '../../port/feeds.ts'
import { msOrNull } from '../../values.ts'
import type { Database } from '../connect.ts'

export function paceStorage(db: Database): PaceStorage {
  return {
    change: async (store, now, change) =>
      db.transaction(async (tx) => {
        // Differs from sqlite: inserts the row first, so that there is a row to lock.
        await tx.run(
          'insert into pace (store, arrival_at_ms, blocks) values ($1, 0, 0) on conflict do nothing',
          store,
        )
        const row = await tx.get<PaceRow>(
          `select ${PACE_COLUMNS} from pace where store = $1 for update`,
          store,
        )
        const before = paceOf(row)
        const after = change(before, now)
        if (after === null) return before
        await tx.run(
          `update pace set arrival_at_ms = $2, blocked_until = $3, blocks = $4, last_detail = $5 where store = $1`,
          store,
          after.arrivalAtMs,
          msOrNull(after.blockedUntil),
          after.blocks,
          after.lastDetail,
        )
        return after
      }),

    get: async (store) =>
      paceOf(await db.get<PaceRow>(`select ${PACE_COLUMNS} from pace where store = $1`, store)),
  }
}
