import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import { nameOf, type Route } from '../route.ts'
import { presentReview } from './reviews.ts'
import { apiRoute } from './route.ts'

export type BulkReplyRouteDeps = { readonly operations: Pick<Operations, 'bulkReplies' | 'triage'> }

export function bulkReplyRoutes(table: Routes, { operations: { bulkReplies, triage } }: BulkReplyRouteDeps) {
  return {
    list_reviews_to_answer: apiRoute(table.list_reviews_to_answer, async ({ caller, query }) => {
      const reviews = await bulkReplies.toAnswer(caller.accountId, query.limit)
      const names = await triage.assigneesOf(reviews.map((review) => review.triage))
      return reviews.map((review) => presentReview(review, names))
    }),
    count_reviews_to_answer: apiRoute(table.count_reviews_to_answer, ({ caller }) =>
      bulkReplies.countToAnswer(caller.accountId),
    ),
    preview_replies: apiRoute(table.preview_replies, async ({ caller, body }) => {
      const previews = await bulkReplies.preview(caller.accountId, body.template_id, body.fingerprints)
      return previews.map(({ fingerprint, text, charsMax, problem }) => ({
        fingerprint,
        text,
        chars: [...text].length,
        chars_max: charsMax,
        problem,
      }))
    }),
    reply_to_many: apiRoute(table.reply_to_many, async ({ caller, body }) => {
      const asked = {
        templateId: body.template_id,
        templateAt: body.template_updated_at === undefined ? null : new Date(body.template_updated_at),
        fingerprints: body.fingerprints,
        undoMs: (body.undo_seconds ?? 0) * 1_000,
      }
      const { batchId, undoUntil, changed, failed } = await bulkReplies.send(
        caller.accountId,
        asked,
        nameOf(caller),
      )
      return { batch_id: batchId, undo_until: undoUntil?.toISOString() ?? null, changed, failed }
    }),
    get_reply_batch: apiRoute(table.get_reply_batch, async ({ caller, param }) => ({
      id: param('id'),
      replies: (await bulkReplies.batch(caller.accountId, param('id'))).map((reply) => ({
        fingerprint: reply.fingerprint,
        review_author: reply.reviewAuthor,
        store: reply.store,
        app_id: reply.appId,
        app_name: reply.appName,
        state: reply.state,
        text: reply.text,
        problem: reply.problem,
        undo_until: reply.undoUntil?.toISOString() ?? null,
      })),
    })),
    undo_reply_batch: apiRoute(table.undo_reply_batch, async ({ caller, param }) => {
      const { undone, tooLate } = await bulkReplies.undoBatch(caller.accountId, param('id'))
      return { undone, too_late: tooLate }
    }),
  } as const satisfies Record<string, Route>
}
