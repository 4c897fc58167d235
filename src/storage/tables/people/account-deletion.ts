import { uniqueApps } from '../../../model/hook.ts'
import type { Store } from '../../../model/vocabulary.ts'
import type { DeletionStep } from '../../port/accounts.ts'
import { msOf } from '../../values.ts'
import { all, get, lock, run, type Sql, type SqlPair, sql, type Work } from '../../work.ts'
import { updatePollSet } from '../feeds/coverage.ts'
import { leaveSourcesOf } from '../feeds/review-sources.ts'
import { deleteEvents } from '../queue/events.ts'
import { detachReplies } from '../queue/replies.ts'
import { lockAccounts } from './account-limits.ts'

/**
 * The body of `AccountStorage.beginDeletion`. Credentials go at once: an account has at most some hundred of them. Ended lanes send nothing
 * any more.
 */
export function* beginDeletion(accountId: string, now: Date): Work<boolean> {
  yield* lockAccounts([accountId])
  const begin = 'update accounts set deleted_at = ?1 where id = ?2 and deleted_at is null'
  if ((yield* run(begin, msOf(now), accountId)) === 0) return false
  for (const table of ['tokens', 'atom_feeds', 'invitations'])
    yield* run(`delete from ${table} where account_id = ?1`, accountId)
  yield* run(
    'update hooks set deleted_at = ?1 where account_id = ?2 and deleted_at is null',
    msOf(now),
    accountId,
  )
  yield* run(END_LANES, msOf(now), accountId)
  return true
}

const END_LANES = `update lanes set state = 'deleted', next_claim_at = null, sweep_at = ?1
  where hook_id in (select id from hooks where account_id = ?2)`

/**
 * The body of `AccountStorage.deletionStep`. The steps are in the order of what refers to what. Each deletes up to `limit` rows and is
 * repeated until it has none, so that a killed process loses at most one commit.
 */
export function* deletionStep(accountId: string, now: Date, limit: number): Work<DeletionStep> {
  const isDeleted = 'select 1 from accounts where id = ?1 and deleted_at is not null'
  if ((yield* get(isDeleted, accountId)) === undefined) return 'empty'
  for (const step of STEPS) if ((yield* step(accountId, limit, now)) > 0) return 'more'
  return (yield* get(ANY_EVENT, accountId)) === undefined ? 'empty' : 'waiting'
}

/** Deletes at most `limit` rows. Returns their number. */
type Step = (accountId: string, limit: number, now: Date) => Work<number>

/** Apps are locked one after the other for their poll sets, so there are few in one commit. */
const APPS_PER_STEP = 5
const CONNECTIONS_PER_STEP = 1
const HOOKS_PER_STEP = 20

const APPS = `select distinct store, app_id from (
    select store, app_id from watches where account_id = ?1
    union all select store, app_id from tracked_storefronts where account_id = ?1) wanted
  limit ?2`

/** Shared feeds stay for the other accounts that watch their app, else they are no longer polled. */
function* deleteWatches(accountId: string): Work<number> {
  const rows = yield* all<{ store: Store; app_id: string }>(APPS, accountId, APPS_PER_STEP)
  const apps = uniqueApps(rows.map(({ store, app_id }) => ({ store, appId: app_id })))
  for (const { store, appId } of apps)
    for (const table of ['watches', 'tracked_storefronts'])
      yield* run(
        `delete from ${table} where account_id = ?1 and store = ?2 and app_id = ?3`,
        accountId,
        store,
        appId,
      )
  yield* updatePollSet(apps)
  return apps.length
}

function* deleteConnections(accountId: string, _limit: number, now: Date): Work<number> {
  const find = 'select id from store_connections where account_id = ?1 order by id limit ?2'
  const connections = yield* all<{ id: string }>(find, accountId, CONNECTIONS_PER_STEP)
  for (const { id } of connections) {
    yield* leaveSourcesOf(id, accountId, now)
    yield* detachReplies(id, accountId)
    yield* run('delete from store_connections where id = ?1', id)
  }
  return connections.length
}

/** Requests in flight keep their delivery until they end or their lease does. */
const FREE_EVENTS = sql(
  (d) => `select e.seq from events e ${d.thenJoin} deliveries d on d.seq = e.seq
    where e.account_id = ?1 and (d.leased_until is null or d.leased_until <= ?3)
    order by e.seq limit ?2 ${d.forUpdate('of d skip locked')}`,
)
const ANY_EVENT = 'select 1 from events where account_id = ?1 limit 1'

function* deleteDeliveries(accountId: string, limit: number, now: Date): Work<number> {
  const seqs = (yield* all<{ seq: number }>(FREE_EVENTS, accountId, limit, msOf(now))).map(({ seq }) => seq)
  yield* deleteEvents(seqs)
  return seqs.length
}

/** Where an account may have reviews of its own: imported ones, and those of its store connections. */
const OWN_REVIEWS = `select r.seq from (
    select store, app_id from review_sources where account_id = ?1
    union select store, app_id from imports where account_id = ?1) own
  join reviews r on r.store = own.store and r.app_id = own.app_id and r.market like '%~' || ?1
  limit ?2`

function* deleteReviews(accountId: string, limit: number): Work<number> {
  const seqs = (yield* all<{ seq: number }>(OWN_REVIEWS, accountId, limit)).map(({ seq }) => seq)
  if (seqs.length === 0) return 0
  for (const statement of [OCCURRENCES_OF, REVIEWS]) yield* run(statement, seqs)
  return seqs.length
}

const OCCURRENCES_OF = sql((d) => `delete from occurrences where review_seq ${d.among('?1', 'bigint')}`)
const REVIEWS = sql((d) => `delete from reviews where seq ${d.among('?1', 'bigint')}`)

/** Not when a request in flight still needs its lane. A fan-out that inserted events of these hooks holds the lock until it commits. */
function* deleteHooks(accountId: string): Work<number> {
  const find = 'select id from hooks where account_id = ?1 limit ?2'
  const ids = (yield* all<{ id: string }>(find, accountId, HOOKS_PER_STEP)).map(({ id }) => id)
  yield* lock('select 1 from hooks where id = any(?1::text[]) order by id for update', ids)
  if (ids.length === 0 || (yield* get(ANY_EVENT, accountId)) !== undefined) return 0
  for (const [table, column] of [
    ['tests', 'hook_id'],
    ['lanes', 'hook_id'],
    ['watch_sets', 'hook_id'],
    ['hooks', 'id'],
  ] as const)
    yield* run(
      sql((d) => `delete from ${table} where ${column} ${d.among('?1', 'text')}`),
      ids,
    )
  return ids.length
}

/** Deletes rows of the account. PostgreSQL has no limit of a delete, and `ctid` for every table; SQLite has tables without a rowid. */
function rowsOf(table: string, key: string): Step {
  const statement = limited(table, key, 'account_id = ?1')
  return (accountId, limit) => run(statement, accountId, limit)
}

/** Rows of the account's review sources. */
function sourceRowsOf(table: string, key: string): Step {
  const statement = limited(table, key, 'source_id in (select id from review_sources where account_id = ?1)')
  return (accountId, limit) => run(statement, accountId, limit)
}

function limited(table: string, key: string, condition: Sql): SqlPair {
  return {
    sqlite: `delete from ${table} where (${key}) in (select ${key} from ${table} where ${condition} limit ?2)`,
    postgres: `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ?2))`,
  }
}

const STEPS: readonly Step[] = [
  deleteWatches,
  deleteConnections,
  deleteDeliveries,
  rowsOf('replies', 'id'),
  rowsOf('triage', 'review_seq, account_id'),
  deleteReviews,
  sourceRowsOf('official_seen', 'source_id, review_key'),
  sourceRowsOf('review_histories', 'source_id'),
  rowsOf('review_sources', 'id'),
  rowsOf('imports', 'account_id, store, app_id, market'),
  rowsOf('replays', 'id'),
  rowsOf('hook_hours', 'account_id, hour_at, hook_id, outcome'),
  rowsOf('notices', 'seq'),
  rowsOf('alerts', 'seq'),
  rowsOf('alert_settings', 'account_id'),
  rowsOf('reply_templates', 'id'),
  rowsOf('saved_views', 'id'),
  rowsOf('idempotency_keys', 'account_id, key_sha256'),
  rowsOf('audit_entries', 'seq'),
  // A request that began before the deletion may have created them.
  rowsOf('tokens', 'id'),
  rowsOf('atom_feeds', 'id'),
  rowsOf('invitations', 'id'),
  rowsOf('poll_turns', 'store, kind, fresh, account_id'),
  deleteHooks,
]

/** The body of `AccountStorage.endDeletion`. */
export function* endDeletion(accountId: string): Work<void> {
  yield* run('delete from members where account_id = ?1', accountId)
  yield* run('delete from accounts where id = ?1 and deleted_at is not null', accountId)
}
