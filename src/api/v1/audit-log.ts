import type { Routes } from '../../contract/routes.ts'
import type { AuditFilterQuery, AuditLine } from '../../contract/v1/audit-log.ts'
import type { AuditEntry } from '../../model/audit.ts'
import type { AuditFilter } from '../../operations/audit.ts'
import type { Operations } from '../../operations/operations.ts'
import { type CsvCell, sendExport } from '../export.ts'
import { pageOf } from '../page.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type AuditLogRouteDeps = { readonly operations: Pick<Operations, 'audit'> }

export function auditLogRoutes(table: Routes, { operations: { audit } }: AuditLogRouteDeps) {
  return {
    list_audit_log: apiRoute(table.list_audit_log, ({ caller, query: { cursor, limit, ...filter } }) =>
      pageOf(
        ({ last, limit }) => audit.list(caller.accountId, filterOf(filter), { limit, before: last }),
        { cursor, limit },
        (entries) => entries.map(presentEntry),
      ),
    ),

    export_audit_log: apiRoute(
      table.export_audit_log,
      async ({ caller, query: { format, ...filter }, reply }) =>
        sendExport(reply, 'audit-log', format, TABLE, audit.pages(caller.accountId, filterOf(filter))),
    ),
  } as const satisfies Record<string, Route>
}

function filterOf({ actor, ...filter }: AuditFilterQuery): AuditFilter {
  return { ...filter, actorId: actor }
}

function presentEntry({ seq, at, actor, clientAddress, action, target, detail }: AuditEntry): AuditLine {
  return {
    id: String(seq),
    at: at.toISOString(),
    actor,
    client_address: clientAddress,
    action,
    target,
    detail,
  }
}

const TABLE = {
  columns: ['at', 'actor_kind', 'actor_id', 'actor_name', 'client_address', 'action', 'target', 'detail'],
  cellsOf: ({ at, actor, clientAddress, action, target, detail }: AuditEntry): CsvCell[] => [
    at.toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    clientAddress,
    action,
    target,
    detail,
  ],
  jsonOf: presentEntry,
}
