import { z } from 'zod'
import { AUDIT_ACTIONS } from '../../model/audit.ts'
import { says } from '../field.ts'
import type { Route } from '../route.ts'
import { format, pageByNumber, pageOf, period } from './query.ts'

const actor = says('actor', 'text of at most 200 characters')

/** Filters of the audit log, also in the URL of its page. */
export const auditFilter = z.object({
  action: z.enum(AUDIT_ACTIONS, says('action', 'an action of the audit log')).optional(),
  actor: z
    .string(actor)
    .max(200, actor)
    .optional()
    .meta({ description: 'The id of a user or a token, or `command`.' }),
  ...period('Recorded'),
})
export type AuditFilterQuery = z.infer<typeof auditFilter>

/** Code generators have no type whose only value is null. */
const nothing = z.string().nullable().meta({ description: 'Always null.' })

const entry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z
      .discriminatedUnion('kind', [
        z
          .object({ kind: z.enum(['user', 'token', 'command']), id: z.string(), name: z.string() })
          .meta({ id: 'KnownActor' }),
        z
          .object({ kind: z.literal('none'), id: nothing, name: nothing })
          .meta({ id: 'UnknownActor', description: 'As in a failed sign-in.' }),
      ])
      .meta({ id: 'AuditActor', description: 'With the name at that time.' }),
    client_address: z.string().nullable(),
    action: z.enum(AUDIT_ACTIONS),
    target: z.string().nullable().meta({
      description: 'Id of the changed object; `store/app id` for an app; null for several or none.',
    }),
    detail: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditLine = z.infer<typeof entry>

const auditPage = pageOf('AuditPage', entry)
export type AuditPage = z.infer<typeof auditPage>

const errors = { 400: 'A filter is invalid; the message names it and the allowed values.' }

export const auditLogRoutes = {
  list_audit_log: {
    method: 'GET',
    path: '/audit-log',
    tag: 'Account',
    scopes: ['operate'],
    session: 'owner',
    summary: 'List the audit log',
    description: 'Sign-ins and changes in the account, newest first.',
    query: auditFilter.extend(pageByNumber),
    success: { status: 200, description: 'One page.', schema: auditPage },
    errors,
  },
  export_audit_log: {
    method: 'GET',
    path: '/exports/audit-log',
    tag: 'Account',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Export the audit log',
    description: 'All matching entries, newest first, as a stream.',
    query: auditFilter.extend({ format }),
    success: { status: 200, description: 'The rows.', schema: entry, rows: true },
    errors,
  },
} as const satisfies Record<string, Route>
