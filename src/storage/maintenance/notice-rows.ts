import type { NoticeKind } from '../port/deliveries.ts'
import type { Notice } from '../port/maintenance.ts'
import { dateOf } from '../values.ts'

/** `target_url`: null for a deleted hook. */
export type NoticeRow = {
  readonly seq: number
  readonly account_id: string
  readonly hook_id: string
  readonly kind: NoticeKind
  readonly at: number
  readonly detail: string
  readonly name: string | null
  readonly target_url: string | null
}

export function noticeOf(row: NoticeRow): Notice {
  return {
    seq: row.seq,
    accountId: row.account_id,
    hookId: row.hook_id,
    kind: row.kind,
    at: dateOf(row.at),
    detail: row.detail,
    hook: row.target_url === null ? null : { name: row.name, targetUrl: row.target_url },
  }
}
