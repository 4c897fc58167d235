import { type DueWorkRow, dueWorkOf, FEED_QUEUES } from '../../maintenance/due-work.ts'
import { NODE_COLUMNS, type NodeRow, nodeOf, nodeValues } from '../../maintenance/node-rows.ts'
import { type NoticeRow, noticeOf } from '../../maintenance/notice-rows.ts'
import type { DueWork, MaintenanceStorage } from '../../port/maintenance.ts'
import type { Connection } from '../connect.ts'
import { depths } from '../queue/depths.ts'
import { prune, pruneQuotas } from './prune.ts'
import { releaseLeases } from './release-leases.ts'
import type { ServiceLock } from './service-lock.ts'

/** A file locked by another process for longer than this counts as unavailable. Commands hold the lock for less. */
const LOCKED_MS_MAX = 5_000

export function maintenanceStorage(db: Connection, lock: ServiceLock): MaintenanceStorage {
  return {
    dueWork: async () => dueWork(db),
    depths: async (now) => db.snapshot(() => depths(db, now)),
    prune: async (before, limit, quotas) => prune(db, before, limit, quotas),
    pruneQuotas: async (share) => pruneQuotas(db, share),

    notices: async (accountId, { hookId, limit }) =>
      db
        .all<NoticeRow>(
          `select n.seq, n.account_id, n.hook_id, n.kind, n.at, n.detail, h.name, h.target_url
           from notices n left join hooks h on h.id = n.hook_id and h.deleted_at is null
           where n.account_id = ? ${hookId === undefined ? '' : 'and n.hook_id = ?'} order by n.seq desc limit ?`,
          ...[accountId, ...(hookId === undefined ? [] : [hookId]), limit],
        )
        .map(noticeOf),

    heartbeat: async (node) => {
      db.run(
        `insert into nodes (${NODE_COLUMNS}) values (?, ?, ?, ?, ?, ?)
         on conflict (id) do update set version = excluded.version, roles = excluded.roles,
           started_at = excluded.started_at, seen_at = excluded.seen_at, skew_ms = excluded.skew_ms`,
        ...nodeValues(node),
      )
    },

    removeNode: async (id) => {
      db.run('delete from nodes where id = ?', id)
    },

    nodes: async () =>
      db.all<NodeRow>(`select ${NODE_COLUMNS} from nodes order by started_at, id`).map(nodeOf),

    getOrCreate: async (name, value) =>
      db.get<{ value: string }>(
        `insert into marks (name, value) values (?, ?)
         on conflict (name) do update set value = marks.value returning value`,
        name,
        value,
      )?.value ?? value,

    joinServices: async () => {
      let releasedLeases = 0
      const isAlone = await lock.join(async () => {
        releasedLeases = await releaseLeases(db)
      })
      return { sharesFile: !isAlone, releasedLeases }
    },

    ping: async () => {
      try {
        return db.queue.waitedMs < LOCKED_MS_MAX && db.get<{ one: number }>('select 1 as one')?.one === 1
      } catch {
        return false
      }
    },

    sizeBytes: async () =>
      db.get<{ bytes: number }>(
        'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
      )?.bytes ?? 0,

    backup: async (file) => db.copyTo(file),
  }
}

const FEEDS = FEED_QUEUES.map(
  ({ store, kind, column }) =>
    `(select min(next_poll_at) from feeds where store = '${store}' and kind = '${kind}' and next_poll_at is not null) as ${column}`,
)

/** Reads only the first entries of indexes. */
export const DUE_WORK = `select
  ${FEEDS.join(',\n  ')},
  (select min(at) from (
     select min(enrich_at) as at from reviews where enrich_at is not null and enrich_leased_until is null
     union all select min(enrich_leased_until) from reviews where enrich_leased_until is not null
  )) as enrich_at,
  (select min(ready_at) from occurrences where ready_at is not null) as fan_out_at,
  (select min(next_claim_at) from lanes where next_claim_at is not null) as send_at,
  (select min(next_at) from replays where status = 'running') as replay_at,
  (select min(next_poll_at) from review_sources where next_poll_at is not null) as official_at,
  (select min(next_at) from review_histories where next_at is not null) as history_at,
  (select min(next_at) from replies where next_at is not null) as reply_at`

function dueWork(db: Connection): DueWork {
  const row = db.get<DueWorkRow>(DUE_WORK)
  if (row === undefined) throw new Error('the query for due work returned no row')
  return dueWorkOf(row)
}
