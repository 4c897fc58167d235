import { newId } from '../../model/ids.ts'
import type { AnswerState, BatchReply } from '../../model/reply.ts'
import { NO_BATCH, TO_ANSWER_STATES } from '../../model/reply.ts'
import { fillTemplate, type ReplyTemplate } from '../../model/reply-template.ts'
import { NO_REVIEW } from '../../model/review.ts'
import type { BatchSkip, ReplyStorage, ReplyTarget } from '../../storage/port/replies.ts'
import type { ReplyTemplateStorage } from '../../storage/port/reply-templates.ts'
import type { ReportStorage, ReviewRecord } from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import { charsMaxOf } from './chars-max.ts'
import { NOT_CONNECTED, type ReplyDeps } from './replies.ts'
import { undoUntilOf } from './undo.ts'

export type BulkReplyDeps = Pick<ReplyDeps, 'officialStores' | 'clock' | 'wake'> & {
  readonly replies: Pick<ReplyStorage, 'targets' | 'requestBatch' | 'batch' | 'undo'>
  readonly reports: Pick<ReportStorage, 'reviewsOf' | 'toAnswer' | 'countToAnswer'>
  readonly replyTemplates: Pick<ReplyTemplateStorage, 'list'>
}

/** The answer that a template makes for one review. */
export type AnswerPreview = {
  readonly fingerprint: string
  readonly text: string
  readonly charsMax: number
  /** Why it cannot be sent, a sentence; null when it can. */
  readonly problem: string | null
}

type Prepared = AnswerPreview & { readonly target: ReplyTarget | null }

/** Days after which a review without an answer no longer counts as to be answered. */
const TO_ANSWER_DAYS = 30
const DAY_MS = 24 * 3_600_000
const TO_ANSWER_COUNT_MAX = 1_000

/** Reviews that wait for an answer, and answers to several reviews from one template. */
export function bulkReplyOperations(deps: BulkReplyDeps) {
  const { replies, reports, replyTemplates, clock, wake } = deps
  const requireTemplate = async (accountId: string, id: string): Promise<ReplyTemplate> => {
    const template = (await replyTemplates.list(accountId)).find((each) => each.id === id)
    if (template !== undefined) return template
    throw new OperationError('not_found', 'The account has no answer template with this id.')
  }
  /** Throws `not_found` when the account has no answer of the batch. */
  const batch = async (accountId: string, batchId: string): Promise<readonly BatchReply[]> => {
    const found = await replies.batch(accountId, batchId)
    if (found.length > 0) return found
    throw new OperationError('not_found', NO_BATCH)
  }
  const since = () => new Date(clock.now().getTime() - TO_ANSWER_DAYS * DAY_MS)

  return {
    /** The first `limit` reviews that wait for an answer. */
    toAnswer: (accountId: string, limit: number): Promise<readonly ReviewRecord[]> =>
      reports.toAnswer(accountId, since(), limit),

    async countToAnswer(accountId: string) {
      const count = await reports.countToAnswer(accountId, since(), TO_ANSWER_COUNT_MAX + 1)
      return { count: Math.min(count, TO_ANSWER_COUNT_MAX), more: count > TO_ANSWER_COUNT_MAX }
    },

    /** The answers that a template makes, each with what keeps it from being sent. Throws `not_found` for the template. */
    async preview(accountId: string, templateId: string, fingerprints: readonly string[]) {
      const template = await requireTemplate(accountId, templateId)
      return prepareAll(deps, accountId, template, fingerprints)
    },

    /**
     * Answers the reviews that have no answer, or one from before they were edited, with the text of a template. Sends nothing for
     * `undoMs`. Throws `not_found` for the template, and `conflict` when it was changed since `templateAt`, of the preview that a
     * person saw.
     */
    async send(
      accountId: string,
      asked: {
        readonly templateId: string
        readonly templateAt: Date | null
        readonly fingerprints: readonly string[]
        readonly undoMs: number
      },
      author: string,
    ) {
      const template = await requireTemplate(accountId, asked.templateId)
      if (asked.templateAt !== null && asked.templateAt.getTime() !== template.updatedAt.getTime()) {
        throw new OperationError('conflict', 'The template was changed meanwhile. Look at the preview again.')
      }
      const prepared = await prepareAll(deps, accountId, template, asked.fingerprints)
      const sendable = prepared.flatMap(({ fingerprint, text, target, problem }) =>
        target === null || problem !== null ? [] : [{ fingerprint, text, target }],
      )
      const batchId = newId('bat')
      const now = clock.now()
      const undoUntil = undoUntilOf(now, asked.undoMs)
      const skipped = await replies.requestBatch(accountId, sendable, { batchId, author, undoUntil }, now)
      wake()
      const failed = prepared.flatMap(({ fingerprint, problem }) => {
        const skip = skipped.get(fingerprint)
        const reason = problem ?? (skip === undefined ? null : PROBLEMS[skip])
        return reason === null ? [] : [{ id: fingerprint, reason }]
      })
      return { batchId, undoUntil, changed: prepared.length - failed.length, failed }
    },

    batch,

    /** Takes back the answers of a batch that are not sent yet, and says how many were too late. Throws `not_found` as `batch` does. */
    async undoBatch(accountId: string, batchId: string) {
      const found = await batch(accountId, batchId)
      const undone = await replies.undo(accountId, { batchId }, clock.now())
      return { undone, tooLate: found.length - undone }
    },
  }
}

/** One for each fingerprint, in their order. */
async function prepareAll(
  { replies, reports, officialStores }: BulkReplyDeps,
  accountId: string,
  template: ReplyTemplate,
  fingerprints: readonly string[],
): Promise<Prepared[]> {
  const wanted = [...new Set(fingerprints)]
  const reviews = await reports.reviewsOf(accountId, wanted)
  const targets = await replies.targets(accountId, reviews)
  const byFingerprint = new Map(reviews.map((review) => [review.fingerprint, review]))
  return wanted.map((fingerprint) => {
    const review = byFingerprint.get(fingerprint)
    if (review === undefined) {
      return { fingerprint, text: '', charsMax: 0, problem: NO_REVIEW, target: null }
    }
    const text = fillTemplate(template.text, { author: review.author, app_name: review.appName }).trim()
    const charsMax = charsMaxOf(officialStores, review)
    const target = targets.get(fingerprint) ?? null
    const skip = target === null ? 'not_connected' : skipOf(review.answerState)
    const problem = skip === null ? lengthProblem(text, charsMax) : PROBLEMS[skip]
    return { fingerprint, text, charsMax, problem, target }
  })
}

const PROBLEMS: Readonly<Record<BatchSkip, string>> = {
  no_review: NO_REVIEW,
  not_connected: NOT_CONNECTED,
  pending: 'An answer is being sent.',
  published: 'The review has an answer.',
}

/** A colleague's answer is never replaced unseen. */
function skipOf(state: AnswerState): BatchSkip | null {
  if (TO_ANSWER_STATES.includes(state)) return null
  return state === 'pending' ? 'pending' : 'published'
}

function lengthProblem(text: string, charsMax: number): string | null {
  const chars = [...text].length
  if (chars === 0) return 'The text is empty.'
  return chars > charsMax ? `The text has ${chars} characters; the store accepts ${charsMax}.` : null
}
