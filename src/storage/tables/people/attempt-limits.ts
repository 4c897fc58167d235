import { createHmac, randomBytes } from 'node:crypto'
import type { AttemptLimitStorage } from '../../port/attempt-limits.ts'
import { all, type Db, get, lock, run, sql, type Work } from '../../work.ts'
import { getOrCreate } from '../maintenance/marks.ts'

/**
 * A count-min sketch for each name: a key has one slot in each row, and its count is the lowest of them. So a key is limited by others only
 * if they use all of its slots.
 */
const SLOTS = 65_536
const ROWS = 4

/** Without a secret, an attacker could find another key with the slots of a victim, and lock the victim out. */
const SECRET_MARK = 'attempt_limits_secret'
const SECRET_BYTES = 32

export function attemptLimitStorage(db: Db): AttemptLimitStorage {
  return {
    take: (name, key, now, decide) =>
      db.transaction(function* () {
        const slots = yield* slotsOf(name, key)
        // So that there are rows to lock.
        yield* lock(INSERT_EMPTY, name, slots)
        const { arrivalMs, waitMs } = decide(yield* arrivalOf(name, slots), now)
        if (waitMs === 0) yield* run(RAISE, name, slots, arrivalMs)
        return waitMs
      }),

    async reset(name, key) {
      await db.transaction(function* () {
        const slots = yield* slotsOf(name, key)
        // A higher count is that of another key.
        yield* run(DELETE, name, slots, yield* arrivalOf(name, slots))
      })
    },
  }
}

function* slotsOf(name: string, key: string): Work<number[]> {
  const find = 'select value from marks where name = ?1'
  const stored = yield* get<{ value: string }>(find, SECRET_MARK)
  const secret =
    stored?.value ?? (yield* getOrCreate(SECRET_MARK, randomBytes(SECRET_BYTES).toString('base64url')))
  const hash = createHmac('sha256', secret).update(`${name} ${key}`).digest()
  return Array.from({ length: ROWS }, (_, row) => row * SLOTS + (hash.readUInt32LE(row * 4) % SLOTS))
}

const INSERT_EMPTY = `insert into attempt_limits (name, slot, arrival_at_ms)
  select ?1, slot, 0 from unnest(?2::integer[]) slots (slot) on conflict do nothing`

const SELECT = sql(
  (d) => `select arrival_at_ms from attempt_limits where name = ?1 and slot ${d.among('?2', 'integer')}
    order by slot ${d.forUpdate()}`,
)

const RAISE = sql(
  (d) => `insert into attempt_limits (name, slot, arrival_at_ms)
    select ?1, slot, ?3 from ${d.each('?2', 'integer', 'slot')} where true on conflict (name, slot) do update
    set arrival_at_ms = ${d.greatest('attempt_limits.arrival_at_ms', 'excluded.arrival_at_ms')}`,
)

const DELETE = sql(
  (d) =>
    `delete from attempt_limits where name = ?1 and slot ${d.among('?2', 'integer')} and arrival_at_ms <= ?3`,
)

function* arrivalOf(name: string, slots: readonly number[]): Work<number> {
  const rows = yield* all<{ arrival_at_ms: number }>(SELECT, name, slots)
  return rows.length < slots.length ? 0 : Math.min(...rows.map(({ arrival_at_ms }) => arrival_at_ms))
}
