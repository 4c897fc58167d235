import { PRUNE_COUNT_MAX, PRUNED_TABLES, type PrunedTable, type PruneQuotas } from '../../port/maintenance.ts'
import { dateOf, msOf } from '../../values.ts'
import { all, type Db, get, run, type Sql, type SqlPair, sql, type Work } from '../../work.ts'
import { deleteEvents } from '../queue/events.ts'
import { HOUR_MS } from '../queue/latency.ts'

/**
 * Deletes up to `limit` rows after their retention, in the order of the tables. A delivery is deleted completely. It is
 * not needed to prevent a second event: its review is still recorded as seen, and the few occurrences of rating drops
 * are never deleted.
 */
export async function prune(db: Db, before: Date, limit: number, quotas?: PruneQuotas): Promise<number> {
  // A transaction that loses a deadlock is retried with the same quotas.
  const { deleted, remaining } = await db.transaction(function* () {
    const remaining = new Map(quotas)
    let deleted = 0
    for (const table of PRUNED_TABLES) {
      const max = Math.min(limit - deleted, remaining.get(table) ?? limit)
      if (max <= 0) continue
      const count = yield* STEPS[table](msOf(before), max)
      if (quotas !== undefined) remaining.set(table, (remaining.get(table) ?? limit) - count)
      deleted += count
    }
    return { deleted, remaining }
  })
  for (const [table, rows] of remaining) quotas?.set(table, rows)
  return deleted
}

export function* pruneQuotas(share: number): Work<PruneQuotas> {
  const quotas: PruneQuotas = new Map()
  for (const table of PRUNED_TABLES) {
    if (!(yield* tableExists(table))) continue
    const count = `select count(*) as rows from (select 1 from ${table} limit ${PRUNE_COUNT_MAX}) counted`
    const rows = (yield* get<{ rows: number }>(count))?.rows ?? 0
    quotas.set(table, Math.max(1, Math.ceil(rows * share)))
  }
  return quotas
}

/** Deletes at most `limit` rows of a table. Several nodes may prune at once, so each skips rows that are locked. */
type Step = (beforeMs: number, limit: number) => Work<number>

const OLD_DELIVERIES = sql(
  (d) => `select seq from deliveries where (delivered_at is not null or resolved_at is not null)
    and coalesce(delivered_at, resolved_at) < ?1 limit ?2 ${d.forUpdate('skip locked')}`,
)

function* pruneDeliveries(beforeMs: number, limit: number): Work<number> {
  const seqs = (yield* all<{ seq: number }>(OLD_DELIVERIES, beforeMs, limit)).map(({ seq }) => seq)
  yield* deleteEvents(seqs)
  return seqs.length
}

const OLD_REVIEWS = sql(
  (d) => `select seq from reviews where observed_at < ?1 and not exists (
    select 1 from occurrences o where o.review_seq = reviews.seq and o.ready_at is not null)
    limit ?2 ${d.forUpdate('skip locked')}`,
)

function* pruneReviews(beforeMs: number, limit: number): Work<number> {
  const seqs = (yield* all<{ seq: number }>(OLD_REVIEWS, beforeMs, limit)).map(({ seq }) => seq)
  yield* run(
    sql((d) => `delete from occurrences where review_seq ${d.among('?1', 'bigint')}`),
    seqs,
  )
  return yield* run(
    sql((d) => `delete from reviews where seq ${d.among('?1', 'bigint')}`),
    seqs,
  )
}

const OLD_HOOKS = sql(
  (d) => `select id from hooks where deleted_at < ?1 and not exists (
    select 1 from events e where e.hook_id = hooks.id) limit ?2 ${d.forUpdate('skip locked')}`,
)

function* pruneHooks(beforeMs: number, limit: number): Work<number> {
  const ids = (yield* all<{ id: string }>(OLD_HOOKS, beforeMs, limit)).map(({ id }) => id)
  for (const table of ['lanes', 'tests', 'notices']) {
    yield* run(
      sql((d) => `delete from ${table} where hook_id ${d.among('?1', 'text')}`),
      ids,
    )
  }
  return yield* run(
    sql((d) => `delete from hooks where id ${d.among('?1', 'text')}`),
    ids,
  )
}

/** Deletes rows for which `condition` is true; `?1` is the end of their retention. A key of several columns is in brackets. */
function rowsOf(table: PrunedTable, givenKey: Sql, condition: Sql): SqlPair {
  return sql((d) => {
    const key = d.of(givenKey)
    const old = `select ${key.replace(/[()]/g, '')} from ${table} where ${d.of(condition)} limit ?2 ${d.forUpdate('skip locked')}`
    const isOne = !key.startsWith('(')
    return `delete from ${table} where ${key} ${d.of({ sqlite: `in (${old})`, postgres: isOne ? `= any(array(${old}))` : `in (${old})` })}`
  })
}

function simply(statement: SqlPair): Step {
  return (beforeMs, limit) => run(statement, beforeMs, limit)
}

/** Rows that no poll has found since: the store no longer shows them. */
const QUARANTINED = rowsOf('quarantined_rows', '(feed_id, row_key)', 'last_seen_at < ?1')

const HOURS = rowsOf(
  'hook_hours',
  { sqlite: '(account_id, hour_at, hook_id, outcome)', postgres: 'ctid' },
  'hour_at < ?1',
)

const IDEMPOTENCY_KEYS = rowsOf('idempotency_keys', '(account_id, key_sha256)', 'expires_at < ?1')

/**
 * Sessions, and what the sign-in library stores for a time: links to set a password, started sign-ins, trusted browsers.
 * The library stores instants as ISO texts on SQLite.
 */
function expiredAuthRows(table: PrunedTable): Step {
  const expired = { sqlite: '"expiresAt" < ?1', postgres: '"expiresAt" < ?1::timestamptz' }
  const statement = rowsOf(table, 'id', expired)
  return function* (beforeMs, limit) {
    if (!(yield* tableExists(table))) return 0
    return yield* run(statement, dateOf(beforeMs).toISOString(), limit)
  }
}

const TABLE = {
  sqlite: "select 1 from sqlite_schema where type = 'table' and name = ?1",
  postgres: 'select 1 where to_regclass(?1) is not null',
}

/** The sign-in tables are created when the console is first opened. */
function* tableExists(table: string): Work<boolean> {
  return (yield* get(TABLE, table)) !== undefined
}

/** Deletes rows whose `column` is older than the retention. */
function olderRows(table: PrunedTable, key: string, column: string): Step {
  return simply(rowsOf(table, key, `${column} < ?1`))
}

const STEPS: Readonly<Record<PrunedTable, Step>> = {
  deliveries: pruneDeliveries,
  reviews: pruneReviews,
  quarantined_rows: simply(QUARANTINED),
  notices: olderRows('notices', 'seq', 'at'),
  alerts: olderRows('alerts', 'seq', 'created_at'),
  audit_entries: olderRows('audit_entries', 'seq', 'at'),
  // Only hours that have ended.
  hook_hours: (beforeMs, limit) => run(HOURS, beforeMs - HOUR_MS, limit),
  model_cache: olderRows('model_cache', 'content_key', 'at'),
  replays: olderRows('replays', 'id', 'finished_at'),
  hooks: pruneHooks,
  invitations: olderRows('invitations', 'id', 'expires_at'),
  idempotency_keys: simply(IDEMPOTENCY_KEYS),
  auth_sessions: expiredAuthRows('auth_sessions'),
  auth_verifications: expiredAuthRows('auth_verifications'),
}
