import { isSameReply } from '../../../model/reply.ts'
import { failed } from '../official/failure.ts'
import { replyProblem } from '../official/reply-text.ts'
import { changedAnswer } from '../official/send.ts'
import type {
  AppStoreConnectCredentials,
  DeleteReplyAnswer,
  OfficialContext,
  ReplyAnswer,
} from '../official.ts'
import { API, type AppStoreConnectState } from './deps.ts'
import { ask } from './request.ts'
import { readReply } from './review-rows.ts'
import { oneReview } from './reviews.ts'

type ReviewQuery = {
  readonly credentials: AppStoreConnectCredentials
  readonly appId: string
  readonly reviewId: string
}

/** Apple replaces an existing answer without an error, so the present one is read first. */
export async function reply(
  deps: AppStoreConnectState,
  query: ReviewQuery & { readonly text: string; readonly replaces: string | null },
  context: OfficialContext,
): Promise<ReplyAnswer> {
  const { credentials, reviewId, text, replaces } = query
  const problem = replyProblem(text, deps.replyCharsMax, API)
  if (problem !== null) return failed('rejected', problem)
  const present = await oneReview(deps, query, context)
  if (present.kind === 'failed') return present
  const shown = present.review.reply
  if (shown !== null && isSameReply(shown.text, text)) return { kind: 'ok', reply: shown, written: false }
  const isExpected =
    shown === null ? replaces === null : replaces !== null && isSameReply(shown.text, replaces)
  if (!isExpected) return { kind: 'conflict', reply: shown }
  const body = {
    data: {
      type: 'customerReviewResponses',
      attributes: { responseBody: text },
      relationships: { review: { data: { type: 'customerReviews', id: reviewId } } },
    },
  }
  const about = { kind: 'reply', id: reviewId } as const
  const answer = await ask(
    deps,
    credentials,
    { method: 'POST', path: '/v1/customerReviewResponses', body, about },
    context,
  )
  if (answer.kind === 'failed') return answer
  const written = readReply(answer.root?.data)
  if (written === null) {
    // The status says that it was written, so the caller must read it before another attempt.
    return { ...changedAnswer(API, 'it has no reply', answer.answer), mayHaveApplied: true }
  }
  return { kind: 'ok', reply: written, written: true }
}

/** Deletes by the id of the answer, which is another one than that of the review. */
export async function deleteReply(
  deps: AppStoreConnectState,
  query: ReviewQuery,
  context: OfficialContext,
): Promise<DeleteReplyAnswer> {
  const present = await oneReview(deps, query, context)
  if (present.kind === 'failed') return present
  const replyId = present.review.reply?.replyId ?? null
  if (replyId === null) return { kind: 'ok', deleted: false }
  const path = `/v1/customerReviewResponses/${encodeURIComponent(replyId)}`
  const about = { kind: 'reply', id: query.reviewId } as const
  const answer = await ask(deps, query.credentials, { method: 'DELETE', path, about }, context)
  // Another tool was faster.
  if (answer.kind === 'failed' && answer.status === 404) return { kind: 'ok', deleted: false }
  return answer.kind === 'failed' ? answer : { kind: 'ok', deleted: true }
}
