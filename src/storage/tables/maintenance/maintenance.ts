import { columns, instant, integer, json, named, nullable, text, word } from '../../columns.ts'
import type { NoticeKind } from '../../port/deliveries.ts'
import type { MaintenanceStorage } from '../../port/maintenance.ts'
import { type Db, run, where } from '../../work.ts'
import { depths, dueWork } from './depths.ts'
import { getOrCreate } from './marks.ts'
import { prune, pruneQuotas } from './prune.ts'

const NODE = columns({
  id: text,
  version: text,
  roles: json<readonly string[]>(),
  startedAt: instant,
  seenAt: instant,
  skewMs: nullable({ ...integer, store: Math.round }),
})

const NOTICE = columns(
  {
    seq: integer,
    accountId: text,
    hookId: text,
    kind: word<NoticeKind>(),
    at: instant,
    detail: text,
    name: named('h.name', nullable(text)),
    // Null for a deleted hook.
    targetUrl: named('h.target_url', nullable(text)),
  },
  'n',
)

/** Without what concerns the whole database. */
export function maintenanceStorage(
  db: Db,
): Omit<MaintenanceStorage, 'joinServices' | 'ping' | 'sizeBytes' | 'diskSpace' | 'backup'> {
  return {
    depths: (now) => db.snapshot(() => depths(now)),
    dueWork: () => db.alone(dueWork()),
    prune: (before, limit, quotas) => prune(db, before, limit, quotas),
    pruneQuotas: (share) => db.alone(pruneQuotas(share)),

    async notices(accountId, { hookId, limit }) {
      const { conditions, values } = where([
        ['n.account_id = ?', accountId],
        ['n.hook_id = ?', hookId],
      ])
      const found = NOTICE.all(
        `from notices n left join hooks h on h.id = n.hook_id and h.deleted_at is null
         where ${conditions} order by n.seq desc limit ?${values.length + 1}`,
        ...values,
        limit,
      )
      return (await db.alone(found)).map(({ name, targetUrl, ...notice }) => ({
        ...notice,
        hook: targetUrl === null ? null : { name, targetUrl },
      }))
    },

    async heartbeat(node) {
      const update = `on conflict (id) do update set version = excluded.version, roles = excluded.roles,
        started_at = excluded.started_at, seen_at = excluded.seen_at, skew_ms = excluded.skew_ms`
      await db.alone(NODE.insert('nodes', node, update))
    },

    async removeNode(id) {
      await db.alone(run('delete from nodes where id = ?1', id))
    },

    nodes: () => db.alone(NODE.all('from nodes order by started_at, id')),

    getOrCreate: (name, value) => db.alone(getOrCreate(name, value)),
  }
}
