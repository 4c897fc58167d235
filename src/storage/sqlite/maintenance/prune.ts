import { countQuery, quotaOf } from '../../maintenance/prune-quotas.ts'
import { PRUNED_TABLES, type PrunedTable, type PruneQuotas } from '../../port/maintenance.ts'
import { HOUR_MS } from '../../queue/latency.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { deleteEvents } from '../queue/sweeps.ts'

/**
 * Deletes up to `limit` rows after their retention, in the order of the tables. A delivery is deleted completely. It is
 * not needed to prevent a second event: its review is still recorded as seen, and the few occurrences of rating drops
 * are never deleted.
 */
export function prune(db: Connection, before: Date, limit: number, quotas?: PruneQuotas): number {
  const remaining = new Map(quotas)
  const deleted = db.transaction(() => {
    let deleted = 0
    for (const table of PRUNED_TABLES) {
      const max = Math.min(limit - deleted, remaining.get(table) ?? limit)
      if (max <= 0) continue
      const count = STEPS[table](db, msOf(before), max)
      if (quotas !== undefined) remaining.set(table, (remaining.get(table) ?? limit) - count)
      deleted += count
    }
    return deleted
  })
  for (const [table, rows] of remaining) quotas?.set(table, rows)
  return deleted
}

export function pruneQuotas(db: Connection, share: number): PruneQuotas {
  return new Map(
    PRUNED_TABLES.filter((table) => tableExists(db, table)).map((table) => [
      table,
      quotaOf(db.get<{ rows: number }>(countQuery(table)), share),
    ]),
  )
}

type Step = (db: Connection, beforeMs: number, limit: number) => number

const pruneDeliveries: Step = (db, beforeMs, limit) => {
  const seqs = db
    .all<{ seq: number }>(
      `select seq from deliveries where (delivered_at is not null or resolved_at is not null)
         and coalesce(delivered_at, resolved_at) < ? limit ?`,
      beforeMs,
      limit,
    )
    .map(({ seq }) => seq)
  deleteEvents(db, seqs)
  return seqs.length
}

const pruneReviews: Step = (db, beforeMs, limit) => {
  const seqs = db
    .all<{ seq: number }>(
      `select seq from reviews where observed_at < ? and not exists (
         select 1 from occurrences o where o.review_seq = reviews.seq and o.ready_at is not null) limit ?`,
      beforeMs,
      limit,
    )
    .map(({ seq }) => seq)
  const list = JSON.stringify(seqs)
  db.run('delete from occurrences where review_seq in (select value from json_each(?))', list)
  return db.run('delete from reviews where seq in (select value from json_each(?))', list)
}

/** Rows that no poll has found since: the store no longer shows them. */
const pruneQuarantine: Step = (db, beforeMs, limit) =>
  db.run(
    `delete from quarantined_rows where (feed_id, row_key) in (
       select feed_id, row_key from quarantined_rows where last_seen_at < ? limit ?)`,
    beforeMs,
    limit,
  )

/** Deletes only hours that have ended. */
const pruneHours: Step = (db, beforeMs, limit) =>
  db.run(
    `delete from hook_hours where (account_id, hour_at, hook_id, outcome) in (
       select account_id, hour_at, hook_id, outcome from hook_hours where hour_at < ? limit ?)`,
    beforeMs - HOUR_MS,
    limit,
  )

const pruneHooks: Step = (db, beforeMs, limit) => {
  const ids = db
    .all<{ id: string }>(
      `select id from hooks where deleted_at < ? and not exists (
         select 1 from events e where e.hook_id = hooks.id) limit ?`,
      beforeMs,
      limit,
    )
    .map(({ id }) => id)
  const list = JSON.stringify(ids)
  for (const table of ['lanes', 'tests', 'notices']) {
    db.run(`delete from ${table} where hook_id in (select value from json_each(?))`, list)
  }
  return db.run('delete from hooks where id in (select value from json_each(?))', list)
}

const pruneIdempotencyKeys: Step = (db, beforeMs, limit) =>
  db.run(
    `delete from idempotency_keys where (account_id, key_sha256) in (
       select account_id, key_sha256 from idempotency_keys where expires_at < ? limit ?)`,
    beforeMs,
    limit,
  )

/**
 * Sessions, and what the sign-in library stores for a time: links to set a password, started sign-ins, trusted browsers. Differs from
 * postgres: the library stores instants as ISO texts here.
 */
const expiredAuthRows =
  (table: PrunedTable): Step =>
  (db, beforeMs, limit) =>
    tableExists(db, table)
      ? db.run(
          `delete from ${table} where id in (select id from ${table} where "expiresAt" < ? limit ?)`,
          dateOf(beforeMs).toISOString(),
          limit,
        )
      : 0

/** The sign-in library's attempt counts by address, in windows of one minute. */
const pruneRateLimits: Step = (db, beforeMs, limit) =>
  tableExists(db, 'auth_rate_limits')
    ? db.run(
        'delete from auth_rate_limits where id in (select id from auth_rate_limits where "lastRequest" < ? limit ?)',
        beforeMs,
        limit,
      )
    : 0

/** The sign-in tables are created when the console is first opened. */
function tableExists(db: Connection, table: string): boolean {
  return db.get("select 1 from sqlite_schema where type = 'table' and name = ?", table) !== undefined
}

/** Deletes rows whose `column` is older than the retention. */
function olderRows(table: PrunedTable, key: string, column: string): Step {
  const sql = `delete from ${table} where ${key} in (select ${key} from ${table} where ${column} < ? limit ?)`
  return (db, beforeMs, limit) => db.run(sql, beforeMs, limit)
}

const STEPS: Readonly<Record<PrunedTable, Step>> = {
  deliveries: pruneDeliveries,
  reviews: pruneReviews,
  quarantined_rows: pruneQuarantine,
  notices: olderRows('notices', 'seq', 'at'),
  alerts: olderRows('alerts', 'seq', 'created_at'),
  audit_entries: olderRows('audit_entries', 'seq', 'at'),
  hook_hours: pruneHours,
  model_cache: olderRows('model_cache', 'content_key', 'at'),
  replays: olderRows('replays', 'id', 'finished_at'),
  hooks: pruneHooks,
  invitations: olderRows('invitations', 'id', 'expires_at'),
  idempotency_keys: pruneIdempotencyKeys,
  auth_sessions: expiredAuthRows('auth_sessions'),
  auth_verifications: expiredAuthRows('auth_verifications'),
  auth_rate_limits: pruneRateLimits,
}
