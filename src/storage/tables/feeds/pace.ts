import type { Store } from '../../../model/vocabulary.ts'
import { columns, instant, integer, nullable, text } from '../../columns.ts'
import type { PaceState, PaceStorage } from '../../port/feeds.ts'
import { type Db, lock, sql, type Work } from '../../work.ts'

const PACE = columns({
  arrivalAtMs: integer,
  blockedUntil: nullable(instant),
  blocks: integer,
  lastDetail: nullable(text),
})
const NEW_PACE = columns({ store: text, ...PACE.shape })

const REPLACE = `on conflict (store) do update set arrival_at_ms = excluded.arrival_at_ms,
  blocked_until = excluded.blocked_until, blocks = excluded.blocks, last_detail = excluded.last_detail`

const LOCKED = sql((d) => `from pace where store = ?1 ${d.forUpdate()}`)

export function paceStorage(db: Db): PaceStorage {
  return {
    change: (store, now, change) =>
      db.transaction(function* () {
        // So that there is a row to lock.
        yield* lock(
          'insert into pace (store, arrival_at_ms, blocks) values (?1, 0, 0) on conflict do nothing',
          store,
        )
        const before = (yield* PACE.find(LOCKED, store)) ?? UNUSED
        const after = change(before, now)
        if (after === null) return before
        yield* NEW_PACE.insert('pace', { store, ...after }, REPLACE)
        return after
      }),

    get: (store) => db.alone(read(store)),
  }
}

/** A store without requests has no row: its complete burst is available. */
const UNUSED: PaceState = { arrivalAtMs: 0, blockedUntil: null, blocks: 0, lastDetail: null }

function* read(store: Store): Work<PaceState> {
  return (yield* PACE.find('from pace where store = ?1', store)) ?? UNUSED
}
