import type { Routes } from '../../contract/routes.ts'
import type { ReplyRow } from '../../contract/v1/replies.ts'
import type { Operations } from '../../operations/operations.ts'
import type { ReplyView } from '../../operations/replies/replies.ts'
import { nameOf, type Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type ReplyRouteDeps = { readonly operations: Pick<Operations, 'replies'> }

export function replyRoutes(table: Routes, { operations: { replies } }: ReplyRouteDeps) {
  return {
    get_reply: apiRoute(table.get_reply, async ({ caller, param }) =>
      presentReply(await replies.get(caller.accountId, param('fingerprint'))),
    ),
    reply: apiRoute(table.reply, async ({ caller, param, body }) =>
      presentReply(
        await replies.publish(
          caller.accountId,
          param('fingerprint'),
          body.text,
          nameOf(caller),
          (body.undo_seconds ?? 0) * 1_000,
        ),
      ),
    ),
    undo_reply: apiRoute(table.undo_reply, async ({ caller, param }) =>
      presentReply(await replies.undo(caller.accountId, param('fingerprint'))),
    ),
    save_reply_draft: apiRoute(table.save_reply_draft, async ({ caller, param, body }) =>
      presentReply(await replies.saveDraft(caller.accountId, param('fingerprint'), body.text)),
    ),
    draft_reply: apiRoute(table.draft_reply, async ({ caller, param }) => ({
      text: await replies.generate(caller.accountId, param('fingerprint')),
    })),
    delete_reply: apiRoute(table.delete_reply, async ({ caller, param }) =>
      presentReply(await replies.remove(caller.accountId, param('fingerprint'), nameOf(caller))),
    ),
  } as const satisfies Record<string, Route>
}

function presentReply({ reply, obstacle, charsMax, canDelete, canGenerate, language }: ReplyView): ReplyRow {
  return {
    state: reply?.state ?? 'none',
    text: reply?.text ?? null,
    shown_text: reply?.shownText ?? null,
    draft: reply?.draft ?? null,
    problem: reply?.problem ?? null,
    author: reply?.author ?? null,
    requested_at: reply?.requestedAt?.toISOString() ?? null,
    updated_at: reply?.updatedAt.toISOString() ?? null,
    next_attempt_at: reply?.nextAttemptAt?.toISOString() ?? null,
    undo_until: reply?.undoUntil?.toISOString() ?? null,
    obstacle,
    chars_max: charsMax,
    can_delete: canDelete,
    can_generate: canGenerate,
    language,
  }
}
