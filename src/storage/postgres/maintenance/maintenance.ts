import { type DueWorkRow, dueWorkOf, FEED_QUEUES } from '../../maintenance/due-work.ts'
import { NODE_COLUMNS, type NodeRow, nodeOf, nodeValues } from '../../maintenance/node-rows.ts'
import { type NoticeRow, noticeOf } from '../../maintenance/notice-rows.ts'
import type { DueWork, MaintenanceStorage } from '../../port/maintenance.ts'
import type { Database } from '../connect.ts'
import { depths } from '../queue/depths.ts'
import { prune, pruneQuotas } from './prune.ts'

export function maintenanceStorage(db: Database): MaintenanceStorage {
  return {
    dueWork: async () => dueWork(db),
    depths: async (now) => depths(db, now),
    prune: async (before, limit, quotas) => prune(db, before, limit, quotas),
    pruneQuotas: async (share) => pruneQuotas(db, share),

    notices: async (accountId, { hookId, limit }) => {
      const rows = await db.all<NoticeRow>(
        `select n.seq, n.account_id, n.hook_id, n.kind, n.at, n.detail, h.name, h.target_url
         from notices n left join hooks h on h.id = n.hook_id and h.deleted_at is null
         where n.account_id = $1 ${hookId === undefined ? '' : 'and n.hook_id = $3'} order by n.seq desc limit $2`,
        ...[accountId, limit, ...(hookId === undefined ? [] : [hookId])],
      )
      return rows.map(noticeOf)
    },

    heartbeat: async (node) => {
      await db.run(
        `insert into nodes (${NODE_COLUMNS}) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set version = excluded.version, roles = excluded.roles,
           started_at = excluded.started_at, seen_at = excluded.seen_at, skew_ms = excluded.skew_ms`,
        ...nodeValues(node),
      )
    },

    removeNode: async (id) => {
      await db.run('delete from nodes where id = $1', id)
    },

    nodes: async () =>
      (await db.all<NodeRow>(`select ${NODE_COLUMNS} from nodes order by started_at, id`)).map(nodeOf),

    getOrCreate: async (name, value) => {
      const row = await db.get<{ value: string }>(
        `insert into marks (name, value) values ($1, $2)
         on conflict (name) do update set value = marks.value returning value`,
        name,
        value,
      )
      return row?.value ?? value
    },

    joinServices: async () => ({ sharesFile: false, releasedLeases: 0 }),

    ping: async () => {
      try {
        return (await db.get<{ one: number }>('select 1 as one'))?.one === 1
      } catch {
        return false
      }
    },

    sizeBytes: async () =>
      (await db.get<{ bytes: number }>('select pg_database_size(current_database()) as bytes'))?.bytes ?? 0,

    backup: async () => {
      throw new Error(
        'Back up PostgreSQL with its own tools, such as pg_dump --format=custom, or with snapshots of its host.',
      )
    },
  }
}

/** The first entry of an index. With `min()` and outdated statistics the planner would read the whole backlog. */
function first(column: string, rest: string): string {
  return `(select ${column} from ${rest} order by ${column} limit 1)`
}

const FEEDS = FEED_QUEUES.map(
  ({ store, kind, column }) =>
    `${first('next_poll_at', `feeds where store = '${store}' and kind = '${kind}' and next_poll_at is not null`)} as ${column}`,
)

/** Reads only the first entries of indexes. */
export const DUE_WORK = `select ${FEEDS.join(', ')},
  least(
    ${first('enrich_at', 'reviews where enrich_at is not null and enrich_leased_until is null')},
    ${first('enrich_leased_until', 'reviews where enrich_leased_until is not null')}
  ) as enrich_at,
  ${first('ready_at', 'occurrences where ready_at is not null')} as fan_out_at,
  ${first('next_claim_at', 'lanes where next_claim_at is not null')} as send_at,
  ${first('next_at', "replays where status = 'running'")} as replay_at,
  ${first('next_poll_at', 'review_sources where next_poll_at is not null')} as official_at,
  ${first('next_at', 'review_histories where next_at is not null')} as history_at,
  ${first('next_at', 'replies where next_at is not null')} as reply_at`

async function dueWork(db: Database): Promise<DueWork> {
  const row = await db.get<DueWorkRow>(DUE_WORK)
  if (row === undefined) throw new Error('the query for due work returned no row')
  return dueWorkOf(row)
}
