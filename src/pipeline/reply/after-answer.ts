import { PUBLISH_MS_MAX } from '../../model/reply.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { ClaimedReply, ReplyStep } from '../../storage/port/replies.ts'
import type {
  DeleteReplyAnswer,
  OfficialFailure,
  OneReviewAnswer,
  ReplyAnswer,
} from '../appstores/official.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Most answers are published soon, and a person looks at the page. Late ones cost few requests of the store's limit. */
const FOLLOW_MS = { first: 30_000, firstHourMax: 5 * MINUTE_MS, laterShare: 1 / 12 }
/** An answer above the quota is tried at most once a minute, as many may wait for the same place. */
const QUOTA_WAIT_MS_MIN = MINUTE_MS
/** A request that fails for this long is refused: the person should know and decide. */
const RETRY_MS_MAX = DAY_MS
/** Also after a day: an answer may have waited that long for the quota before its first attempt. */
const RETRIES_MIN = 10
const RETRY_WAIT_MS_MAX = HOUR_MS

/** Failures that the same request may not have later. */
const TEMPORARY = new Set<OfficialFailure['reason']>([
  'rate_limited',
  'unavailable',
  'interrupted',
  'changed',
  'clock_skew',
])

/** The step after an attempt to write an answer. */
export function afterReply(claimed: ClaimedReply, answer: ReplyAnswer, now: Instant): ReplyStep {
  if (answer.kind === 'failed') return afterFailure(claimed, answer, now)
  if (answer.kind === 'conflict') {
    const shownText = answer.reply?.text ?? null
    const problem =
      shownText === null
        ? 'The answer that this one replaces is no longer in the store. Publish it again.'
        : 'The store shows another answer, which was written elsewhere. Publish again to replace it.'
    return { state: 'refused', shownText, problem, nextAt: null }
  }
  const { text, state } = answer.reply
  return state === 'published'
    ? { state: 'published', shownText: text, problem: null, nextAt: null }
    : {
        state: 'sent',
        shownText: claimed.shownText,
        problem: null,
        nextAt: later(now, followMs(claimed, now)),
      }
}

/** The step after reading the review of an answer that the store accepted. */
export function afterRead(claimed: ClaimedReply, answer: OneReviewAnswer, now: Instant): ReplyStep {
  const follow = { state: claimed.state, shownText: claimed.shownText, problem: null }
  const isLate = now.getTime() - (claimed.requestedAt ?? now).getTime() > PUBLISH_MS_MAX
  const waitMs = followMs(claimed, now)
  if (answer.kind === 'failed' && !isLate) {
    return { ...follow, nextAt: later(now, Math.max(waitMs, answer.retryAfterMs ?? 0)) }
  }
  if (answer.kind === 'ok' && answer.review.reply?.state === 'published') {
    return { state: 'published', shownText: answer.review.reply.text, problem: null, nextAt: null }
  }
  if (!isLate) return { ...follow, nextAt: later(now, waitMs) }
  return {
    state: 'refused',
    shownText: null,
    problem: 'The store accepted the answer two days ago and still does not show it. Check it in the store.',
    nextAt: null,
  }
}

/** The step after an attempt to delete an answer. */
export function afterDelete(claimed: ClaimedReply, answer: DeleteReplyAnswer, now: Instant): ReplyStep {
  if (answer.kind === 'failed') return afterFailure(claimed, answer, now)
  return { state: 'deleted', shownText: null, problem: null, nextAt: null }
}

function afterFailure(claimed: ClaimedReply, failure: OfficialFailure, now: Instant): ReplyStep {
  const { shownText, state, requestedAt, attempts } = claimed
  const isLate = attempts >= RETRIES_MIN && now.getTime() - (requestedAt ?? now).getTime() > RETRY_MS_MAX
  const mayRetry = TEMPORARY.has(failure.reason) || failure.mayHaveApplied === true
  if (!mayRetry || isLate) return { state: 'refused', shownText, problem: failure.detail, nextAt: null }
  const doubled = Math.min(RETRY_WAIT_MS_MAX, MINUTE_MS * 2 ** Math.min(attempts - 1, 20))
  const waitMs = failure.reason === 'interrupted' ? 0 : Math.max(doubled, failure.retryAfterMs ?? 0)
  return { state, shownText, problem: failure.detail, nextAt: later(now, waitMs) }
}

/** The wait before the answer is looked for again: as long as it was waited so far, within limits. */
function followMs({ requestedAt }: Pick<ClaimedReply, 'requestedAt'>, now: Date): number {
  const waitedMs = now.getTime() - (requestedAt ?? now).getTime()
  const { first, firstHourMax, laterShare } = FOLLOW_MS
  return Math.max(first, Math.min(firstHourMax, waitedMs), waitedMs * laterShare)
}

/** The step of an answer above the quota of the store. `fullSince`: when the oldest answer that counts was sent. */
export function afterQuota(
  { state, shownText }: Pick<ClaimedReply, 'state' | 'shownText'>,
  { max, fullSince }: { readonly max: number; readonly fullSince: Date },
  now: Instant,
): ReplyStep {
  const problem = `The app has reached the store's limit of answers a day (${max}). This one is sent later.`
  const waitMs = Math.max(QUOTA_WAIT_MS_MIN, fullSince.getTime() + DAY_MS - now.getTime())
  return { state, shownText, problem, nextAt: later(now, waitMs), isUnsent: true }
}

/** Whether an answer sent then still counts towards the quota of a day. */
export function countsForQuota(sentAt: Date, now: Date): boolean {
  return sentAt.getTime() + DAY_MS > now.getTime()
}
