import type { AuditAction, AuditActor, AuditEntry } from '../../model/audit.ts'
import type { AuditFilter } from '../port/audit.ts'
import { dateOf, msOf } from '../values.ts'

/** Rows of the audit log, the same on both engines. */

const COLUMNS = 'account_id, at, actor_kind, actor_id, actor_name, client_address, action, target, detail'

export type AuditRow = {
  seq: number
  account_id: string
  at: number
  actor_kind: AuditActor['kind']
  actor_id: string | null
  actor_name: string | null
  client_address: string | null
  action: AuditAction
  target: string | null
  detail: string | null
}

type Statement = { readonly sql: string; readonly values: readonly (string | number | null)[] }

/** The engine's numbered placeholder: `?1` or `$1`. */
type Placeholder = (place: number) => string

export function insertOf(entry: Omit<AuditEntry, 'seq'>, placeholder: Placeholder): Statement {
  const { accountId, at, actor, clientAddress, action, target, detail } = entry
  const values = [
    accountId,
    msOf(at),
    actor.kind,
    actor.id,
    actor.name,
    clientAddress,
    action,
    target,
    detail,
  ]
  const places = values.map((_, index) => placeholder(index + 1)).join(', ')
  return { sql: `insert into audit_entries (${COLUMNS}) values (${places})`, values }
}

export function selectOf(
  accountId: string,
  filter: AuditFilter,
  { limit, before }: { readonly limit: number; readonly before: number | null },
  placeholder: Placeholder,
): Statement {
  const values: (string | number)[] = []
  const conditions: string[] = []
  const add = (value: string | number | null | undefined, condition: string) => {
    if (value !== undefined && value !== null) {
      conditions.push(`${condition} ${placeholder(values.push(value))}`)
    }
  }
  add(accountId, 'account_id =')
  add(before, 'seq <')
  add(filter.action, 'action =')
  add(filter.actorId, 'actor_id =')
  add(filter.since && msOf(filter.since), 'at >=')
  add(filter.until && msOf(filter.until), 'at <')
  const sql = `select seq, ${COLUMNS} from audit_entries where ${conditions.join(' and ')}
    order by seq desc limit ${placeholder(values.push(limit))}`
  return { sql, values }
}

export function entryOf(row: AuditRow): AuditEntry {
  return {
    seq: row.seq,
    accountId: row.account_id,
    at: dateOf(row.at),
    // It was written from an `AuditActor`.
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name } as AuditActor,
    clientAddress: row.client_address,
    action: row.action,
    target: row.target,
    detail: row.detail,
  }
}
