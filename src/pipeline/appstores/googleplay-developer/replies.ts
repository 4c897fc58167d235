import { isSameReply } from '../../../model/reply.ts'
import { failed } from '../official/failure.ts'
import { replyProblem } from '../official/reply-text.ts'
import { changedAnswer, jsonOf } from '../official/send.ts'
import type { GooglePlayCredentials, OfficialContext, ReplyAnswer } from '../official.ts'
import { recordOf } from '../parsed.ts'
import { API, type GooglePlayState } from './deps.ts'
import { ask } from './request.ts'
import { timestampOf } from './review-rows.ts'
import { oneReview, reviewsPath } from './reviews.ts'

/** "Approximately 350 characters" in the specification, "at most 350" in the guide. */
export const REPLY_CHARS_MAX = 350

/** Google replaces an existing reply, so the present one is read first. */
export async function reply(
  deps: GooglePlayState,
  query: {
    readonly credentials: GooglePlayCredentials
    readonly appId: string
    readonly reviewId: string
    readonly text: string
    readonly replaces: string | null
  },
  context: OfficialContext,
): Promise<ReplyAnswer> {
  const { credentials, appId, reviewId, text, replaces } = query
  const problem = replyProblem(withoutTags(text), REPLY_CHARS_MAX, API)
  if (problem !== null) return failed('rejected', problem)
  const present = await oneReview(deps, query, context)
  if (present.kind === 'failed') return present
  const shown = present.review.reply
  const isShown = (wanted: string) =>
    shown !== null && isSameReply(withoutTags(shown.text), withoutTags(wanted))
  if (shown !== null && isShown(text)) return { kind: 'ok', reply: shown, written: false }
  const isExpected = shown === null ? replaces === null : replaces !== null && isShown(replaces)
  if (!isExpected) return { kind: 'conflict', reply: shown }
  const path = `${reviewsPath(appId)}/${encodeURIComponent(reviewId)}:reply`
  const about = { kind: 'review', id: reviewId, appId } as const
  const body = { replyText: text }
  const answer = await ask(deps, credentials, { method: 'POST', host: 'api', path, body, about }, context)
  if (answer.kind === 'failed') return answer
  const result = recordOf(recordOf(jsonOf(answer))?.result)
  if (typeof result?.replyText !== 'string') {
    return { ...changedAnswer(API, 'it has no reply', answer), mayHaveApplied: true }
  }
  return {
    kind: 'ok',
    written: true,
    reply: {
      replyId: null,
      text: result.replyText,
      state: 'published',
      updatedAt: timestampOf(result.lastEdited),
    },
  }
}

/** Google removes well-formed tags and does not count them. */
function withoutTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>]*>/gi, '')
}
