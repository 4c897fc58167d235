import { z } from 'zod'
import { AuditFilterQuery, type AuditLine, type AuditPage, AuditQuery } from '../../contract/console/audit.ts'
import type { AuditEntry } from '../../model/audit.ts'
import type { AuditFilter } from '../../operations/audit.ts'
import type { Operations } from '../../operations/operations.ts'
import { type CsvCell, sendExport } from '../export.ts'
import { pageBySeq } from '../page.ts'
import { type Route, route } from '../route.ts'

export type AuditRouteDeps = { readonly operations: Pick<Operations, 'audit'> }

const ExportQuery = AuditFilterQuery.extend({
  format: z.enum(['csv', 'jsonl'], { error: 'format: csv or jsonl' }).default('csv'),
})

/** The audit log of the account, for its owners. */
export function auditRoutes({ operations: { audit } }: AuditRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/audit',
      access: 'owner',
      query: AuditQuery,
      async run({ caller, query: { cursor, limit, ...filter } }): Promise<AuditPage> {
        const before = cursor === undefined ? null : Number(cursor)
        const list = (rowsMax: number) =>
          audit.list(caller.accountId, filterOf(filter), { limit: rowsMax, before })
        const { rows, next } = await pageBySeq(list, limit)
        return { entries: rows.map(presentEntry), next }
      },
    }),

    route({
      method: 'GET',
      path: '/audit/export',
      access: 'owner',
      query: ExportQuery,
      run: async ({ caller, query: { format, ...filter }, reply }) =>
        sendExport(reply, 'audit-log', format, TABLE, audit.pages(caller.accountId, filterOf(filter))),
    }),
  ]
}

function filterOf({ action, actor, since, until }: AuditFilterQuery): AuditFilter {
  return { action, actorId: actor, since: dateOf(since), until: dateOf(until) }
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

function presentEntry({ seq, at, actor, clientAddress, action, target, detail }: AuditEntry): AuditLine {
  return { seq, at: at.toISOString(), actor, clientAddress, action, target, detail }
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
