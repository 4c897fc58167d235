import { z } from 'zod'
import { AUDIT_ACTIONS, type AuditAction, type AuditActor } from '../../model/audit.ts'

/** Filters of the audit log, also in the URL of the page. */
export const AuditFilterQuery = z.object({
  action: z.enum(AUDIT_ACTIONS, { error: 'action: an action of the audit log' }).optional(),
  /** The id of a user or a token, or `command`. */
  actor: z.string().max(200).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
export type AuditFilterQuery = z.infer<typeof AuditFilterQuery>

/** `GET /api/console/audit` and `…/audit/export?format=csv|jsonl`, which has no pages. Owners only. Newest first. */
export const AuditQuery = AuditFilterQuery.extend({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'cursor: use `next` of the previous page')
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export type AuditLine = {
  readonly seq: number
  readonly at: string
  readonly actor: AuditActor
  readonly clientAddress: string | null
  readonly action: AuditAction
  /** An id; `store/app id` for an app. */
  readonly target: string | null
  readonly detail: string | null
}
export type AuditPage = { readonly entries: readonly AuditLine[]; readonly next: string | null }
