import { countQuery, quotaOf } from '../../maintenance/prune-quotas.ts'
import { PRUNED_TABLES, type PrunedTable, type PruneQuotas } from '../../port/maintenance.ts'
import { HOUR_MS } from '../../queue/latency.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'
import { deleteEvents } from '../queue/sweeps.ts'

/**
 * Deletes up to `limit` rows after their retention, in the order of the tables. A delivery is deleted completely. It is
 * not needed to prevent a second event: its review is still recorded as seen, and the few occurrences of rating drops
 * are never deleted.
 */
export async function prune(
  db: Database,
  before: Date,
  limit: number,
  quotas?: PruneQuotas,
): Promise<number> {
  // A transaction that loses a deadlock is retried with the same quotas.
  const { deleted, remaining } = await db.transaction(async (tx) => {
    const remaining = new Map(quotas)
    let deleted = 0
    for (const table of PRUNED_TABLES) {
      const max = Math.min(limit - deleted, remaining.get(table) ?? limit)
      if (max <= 0) continue
      const count = await STEPS[table](tx, msOf(before), max)
      if (quotas !== undefined) remaining.set(table, (remaining.get(table) ?? limit) - count)
      deleted += count
    }
    return { deleted, remaining }
  })
  for (const [table, rows] of remaining) quotas?.set(table, rows)
  return deleted
}

export async function pruneQuotas(db: Database, share: number): Promise<PruneQuotas> {
  const quotas: PruneQuotas = new Map()
  for (const table of PRUNED_TABLES) {
    if ((await db.get('select 1 where to_regclass($1) is not null', table)) === undefined) continue
    quotas.set(table, quotaOf(await db.get<{ rows: number }>(countQuery(table)), share))
  }
  return quotas
}

/** Differs from sqlite: several nodes may prune at once, so each skips locked rows. */
type Step = (tx: Transaction, beforeMs: number, limit: number) => Promise<number>

const pruneDeliveries: Step = async (tx, beforeMs, limit) => {
  const rows = await tx.all<{ seq: number }>(
    `select seq from deliveries where (delivered_at is not null or resolved_at is not null)
       and coalesce(delivered_at, resolved_at) < $1 limit $2 for update skip locked`,
    beforeMs,
    limit,
  )
  await deleteEvents(
    tx,
    rows.map(({ seq }) => seq),
  )
  return rows.length
}

const pruneReviews: Step = async (tx, beforeMs, limit) => {
  const rows = await tx.all<{ seq: number }>(
    `select seq from reviews where observed_at < $1 and not exists (
       select 1 from occurrences o where o.review_seq = reviews.seq and o.ready_at is not null)
     limit $2 for update skip locked`,
    beforeMs,
    limit,
  )
  const seqs = rows.map(({ seq }) => seq)
  await tx.run('delete from occurrences where review_seq = any($1::bigint[])', seqs)
  return tx.run('delete from reviews where seq = any($1::bigint[])', seqs)
}

/** Rows that no poll has found since: the store no longer shows them. */
const pruneQuarantine: Step = (tx, beforeMs, limit) =>
  tx.run(
    `delete from quarantined_rows where (feed_id, row_key) in (
       select feed_id, row_key from quarantined_rows where last_seen_at < $1 limit $2 for update skip locked)`,
    beforeMs,
    limit,
  )

/** Deletes only hours that have ended. */
const pruneHours: Step = (tx, beforeMs, limit) =>
  tx.run(
    `delete from hook_hours where ctid = any(array(
       select ctid from hook_hours where hour_at < $1 limit $2 for update skip locked))`,
    beforeMs - HOUR_MS,
    limit,
  )

const pruneHooks: Step = async (tx, beforeMs, limit) => {
  const rows = await tx.all<{ id: string }>(
    `select id from hooks where deleted_at < $1 and not exists (
       select 1 from events e where e.hook_id = hooks.id) limit $2 for update skip locked`,
    beforeMs,
    limit,
  )
  const ids = rows.map(({ id }) => id)
  for (const table of ['lanes', 'tests', 'notices']) {
    await tx.run(`delete from ${table} where hook_id = any($1::text[])`, ids)
  }
  return tx.run('delete from hooks where id = any($1::text[])', ids)
}

const pruneIdempotencyKeys: Step = (tx, beforeMs, limit) =>
  tx.run(
    `delete from idempotency_keys where (account_id, key_sha256) in (
       select account_id, key_sha256 from idempotency_keys where expires_at < $1 limit $2 for update skip locked)`,
    beforeMs,
    limit,
  )

/** Sessions, and what the sign-in library stores for a time: links to set a password, started sign-ins, trusted browsers. */
const expiredAuthRows =
  (table: PrunedTable): Step =>
  async (tx, beforeMs, limit) =>
    (await tableExists(tx, table))
      ? tx.run(
          `delete from ${table} where id = any(array(
             select id from ${table} where "expiresAt" < $1::timestamptz limit $2 for update skip locked))`,
          dateOf(beforeMs).toISOString(),
          limit,
        )
      : 0

/** The sign-in library's attempt counts by address, in windows of one minute. */
const pruneRateLimits: Step = async (tx, beforeMs, limit) =>
  (await tableExists(tx, 'auth_rate_limits'))
    ? tx.run(
        `delete from auth_rate_limits where id = any(array(
           select id from auth_rate_limits where "lastRequest" < $1 limit $2 for update skip locked))`,
        beforeMs,
        limit,
      )
    : 0

/** The sign-in tables are created when the console is first opened. */
async function tableExists(tx: Transaction, table: string): Promise<boolean> {
  return (await tx.get('select 1 where to_regclass($1) is not null', table)) !== undefined
}

/** Deletes rows whose `column` is older than the retention. */
function olderRows(table: PrunedTable, key: string, column: string): Step {
  const sql = `delete from ${table} where ${key} = any(array(
    select ${key} from ${table} where ${column} < $1 limit $2 for update skip locked))`
  return (tx, beforeMs, limit) => tx.run(sql, beforeMs, limit)
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
