import { isSameReply, type Reply } from '../../model/reply.ts'
import type { DraftReply } from '../../model/reply-draft.ts'
import { knownLanguage } from '../../model/review-language.ts'
import { storableText } from '../../model/storable-text.ts'
import type { OfficialStore } from '../../pipeline/appstores/official.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReplyRequest, ReplyStorage, ReplyTarget } from '../../storage/port/replies.ts'
import type { ReportStorage, ReviewRecord } from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'
import { errorOfRefusal, noModel } from '../model-refusal.ts'
import { requireReview } from '../reviews/require-review.ts'
import { charsMaxOf, DRAFT_CHARS_MAX } from './chars-max.ts'
import { undoUntilOf } from './undo.ts'

export type ReplyDeps = {
  readonly replies: Pick<ReplyStorage, 'target' | 'get' | 'request' | 'undo'>
  readonly reports: Pick<ReportStorage, 'review'>
  readonly officialStores: readonly OfficialStore[]
  /** Null without a model server. */
  readonly draftReply: DraftReply | null
  readonly limits: Pick<AccountGuard, 'replyDraft'>
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
  readonly clock: Clock
  /** Ends the wait of the loops. */
  readonly wake: () => void
}

/** An answer of a review, and whether the account can answer it. */
export type ReplyView = {
  /** Null without an answer, a draft or a request. */
  readonly reply: Reply | null
  /** Why the account cannot answer the review, a sentence; null when it can. */
  readonly obstacle: string | null
  /** Whether the store can delete an answer. */
  readonly canDelete: boolean
  readonly charsMax: number
  /** Of the review, ISO 639-1; null while it is unknown. */
  readonly language: string | null
  /** Whether a model can draft an answer. */
  readonly canGenerate: boolean
}

/**
 * Answers to reviews of connected apps. A request returns at once: the answer is sent in the background and followed until the
 * store shows it. Each throws `not_found` for a review that the account does not see.
 */
export function replyOperations({
  replies,
  reports,
  officialStores,
  draftReply,
  limits,
  stopping,
  clock,
  wake,
}: ReplyDeps) {
  /** `stored`: the answer as a request stored it, which may be under way since. */
  const view = async (accountId: string, review: ReviewRecord, stored?: Reply): Promise<ReplyView> => {
    const target = await replies.target(accountId, review)
    return {
      reply: stored ?? (await replies.get(accountId, review.fingerprint)),
      obstacle: target === null ? NOT_CONNECTED : null,
      canDelete: review.store === 'apple',
      charsMax: charsMaxOf(officialStores, review),
      language: knownLanguage(review.enrichment),
      canGenerate: draftReply !== null,
    }
  }
  const requireTarget = async (accountId: string, review: ReviewRecord): Promise<ReplyTarget> => {
    const target = await replies.target(accountId, review)
    if (target !== null) return target
    throw new OperationError('conflict', NOT_CONNECTED)
  }

  async function request(
    accountId: string,
    { fingerprint }: ReviewRecord,
    target: ReplyTarget,
    asked: ReplyRequest,
  ): Promise<Reply> {
    const stored = await replies.request(accountId, fingerprint, target, asked, clock.now())
    if (stored !== null) return stored
    // The review was erased, or the connection removed, after `target` found it.
    await requireReview(reports, accountId, fingerprint)
    throw new OperationError('conflict', NOT_CONNECTED)
  }

  return {
    get: async (accountId: string, fingerprint: string) =>
      view(accountId, await requireReview(reports, accountId, fingerprint)),

    /** Stores a draft, which is never sent by itself; null for none. */
    async saveDraft(accountId: string, fingerprint: string, text: string | null) {
      const review = await requireReview(reports, accountId, fingerprint)
      const target = await requireTarget(accountId, review)
      const draft = text?.trim() ? storableText(text) : null
      if (draft !== null) requireLength(draft, DRAFT_CHARS_MAX)
      return view(accountId, review, await request(accountId, review, target, { kind: 'draft', text: draft }))
    },

    /**
     * A draft by the model server, in the language of the review and within the limit of the store. It is neither stored nor sent. Throws
     * `conflict` without a model server or when the account cannot answer the review, `rate_limited`, and `unavailable` when the model
     * server fails or its draft is refused.
     */
    async generate(accountId: string, fingerprint: string) {
      const review = await requireReview(reports, accountId, fingerprint)
      if (draftReply === null) throw noModel('drafts')
      await requireTarget(accountId, review)
      limits.replyDraft(accountId)
      const { appName, enrichment } = review
      const language = knownLanguage(enrichment)
      const draft = await draftReply(
        { review, appName, language, charsMax: charsMaxOf(officialStores, review) },
        stopping,
      )
      if (draft.kind === 'drafted') return draft.text
      throw errorOfRefusal(draft, clock.now(), 'drafts')
    },

    /**
     * Publishes an answer, or replaces the present one. The same text again changes nothing. Throws `invalid` for the text and
     * `conflict` when the account cannot answer the review. Nothing is sent before `undoMs`.
     */
    async publish(accountId: string, fingerprint: string, given: string, author: string, undoMs = 0) {
      const review = await requireReview(reports, accountId, fingerprint)
      const text = storableText(given).trim()
      requireLength(text, charsMaxOf(officialStores, review))
      const target = await requireTarget(accountId, review)
      const before = await replies.get(accountId, fingerprint)
      const shown = before && textWithoutRequest(before)
      if (shown !== null && isSameReply(shown, text)) return view(accountId, review)
      const undoUntil = undoUntilOf(clock.now(), undoMs)
      const stored = await request(accountId, review, target, { kind: 'publish', text, author, undoUntil })
      wake()
      return view(accountId, review, stored)
    },

    /** Takes back an answer that is not sent yet. Its text becomes the draft, unless one was saved meanwhile. Throws `conflict`. */
    async undo(accountId: string, fingerprint: string) {
      const review = await requireReview(reports, accountId, fingerprint)
      if ((await replies.undo(accountId, { fingerprint }, clock.now())) > 0) return view(accountId, review)
      throw new OperationError('conflict', 'No answer can be undone: it was sent, refused or undone before.')
    },

    /** Deletes the answer. Throws `conflict` without one, and where the store cannot. */
    async remove(accountId: string, fingerprint: string, author: string) {
      const review = await requireReview(reports, accountId, fingerprint)
      const target = await requireTarget(accountId, review)
      if (review.store === 'google') {
        throw new OperationError('conflict', 'Google Play cannot delete an answer. Replace its text instead.')
      }
      const before = await replies.get(accountId, fingerprint)
      if (before === null || before.state === 'draft' || before.state === 'deleted') {
        throw new OperationError('conflict', 'The review has no answer.')
      }
      const stored = await request(accountId, review, target, { kind: 'delete', author })
      wake()
      return view(accountId, review, stored)
    },
  }
}

/** The text that the store shows in the end without another request; null when it is none, or not known. */
function textWithoutRequest({ state, text, shownText }: Reply): string | null {
  if (state === 'published') return shownText
  return state === 'pending' || state === 'sent' ? text : null
}

export const NOT_CONNECTED =
  'Only reviews that come from a store connection can be answered. Connect the store and use the connection for this app.'

function requireLength(text: string, max: number): void {
  const chars = [...text].length
  if (chars >= 1 && chars <= max) return
  const problem =
    chars === 0 ? `must have 1 to ${max} characters.` : `has ${chars} characters; at most ${max} are allowed.`
  throw new OperationError('invalid', problem, { field: 'text' })
}
