import { createHmac, randomBytes } from 'node:crypto'
import type { AttemptLimitStorage } from '../../port/attempt-limits.ts'
import { all, type Db, get, lock, run, sql, type Work } from '../../work.ts'
import { getOrCreate } from '../maintenance/marks.ts'

/**
 * A count-min sketch: a key has one slot in each row, and its count is the lowest of them. So a key is limited by others only if they use
 * all of its slots.
 */
const SLOTS = 65_536
const ROWS = 2

/** Without a secret, an attacker could find another key with the slots of a victim, and lock the victim out. */
const SECRET_MARK = 'attempt_limits_secret'
const SECRET_BYTES = 32

export function attemptLimitStorage(db: Db): AttemptLimitStorage {
  return {
    take: (key, now, decide) =>
      db.transaction(function* () {
        const slots = yield* slotsOf(key)
        // So that there are rows to lock.
        yield* lock(INSERT_EMPTY, slots)
        const { arrivalMs, waitMs } = decide(yield* arrivalOf(slots), now)
        if (waitMs === 0) for (const slot of slots) yield* run(RAISE, slot, arrivalMs)
        return waitMs
      }),

    async reset(key) {
      await db.transaction(function* () {
        const slots = yield* slotsOf(key)
        // A higher count is that of another key.
        yield* run(DELETE, slots, yield* arrivalOf(slots))
      })
    },
  }
}

function* slotsOf(key: string): Work<number[]> {
  const find = 'select value from marks where name = ?1'
  const stored = yield* get<{ value: string }>(find, SECRET_MARK)
  const secret =
    stored?.value ?? (yield* getOrCreate(SECRET_MARK, randomBytes(SECRET_BYTES).toString('base64url')))
  const hash = createHmac('sha256', secret).update(key).digest()
  return Array.from({ length: ROWS }, (_, row) => row * SLOTS + (hash.readUInt32LE(row * 4) % SLOTS))
}

const INSERT_EMPTY = `insert into attempt_limits (slot, arrival_at_ms)
  select slot, 0 from unnest(?1::integer[]) slots (slot) on conflict do nothing`

const SELECT = sql(
  (d) =>
    `select arrival_at_ms from attempt_limits where slot ${d.among('?1', 'integer')} order by slot ${d.forUpdate()}`,
)

const RAISE = sql(
  (d) => `insert into attempt_limits (slot, arrival_at_ms) values (?1, ?2) on conflict (slot) do update
    set arrival_at_ms = ${d.greatest('attempt_limits.arrival_at_ms', 'excluded.arrival_at_ms')}`,
)

const DELETE = sql(
  (d) => `delete from attempt_limits where slot ${d.among('?1', 'integer')} and arrival_at_ms <= ?2`,
)

function* arrivalOf(slots: readonly number[]): Work<number> {
  const rows = yield* all<{ arrival_at_ms: number }>(SELECT, slots)
  return rows.length < slots.length ? 0 : Math.min(...rows.map(({ arrival_at_ms }) => arrival_at_ms))
}
