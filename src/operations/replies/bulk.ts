import { newId } from '../../model/ids.ts'
import type { AnswerState, BatchReply } from '../../model/reply.ts'
import { TO_ANSWER_STATES } from '../../model/reply.ts'
import { fillTemplate, type ReplyTemplate } from '../../model/reply-template.ts'
import type { ReplyTarget } from '../../storage/port/replies.ts'
import type { ReplyTemplateStorage } from '../../storage/port/reply-templates.ts'
import type { ReviewRecord } from '../../storage/port/reports.ts'
import { OperationError } from '../error.ts'
import { NOT_CONNECTED, type ReplyDeps } from './replies.ts'
import { undoUntilOf } from './undo.ts'

export type BulkReplyDeps = Pick<ReplyDeps, 'replies' | 'reports' | 'officialStores' | 'clock' | 'wake'> & {
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
     * Answers the reviews that have no answer, or an outdated one, with the text of a template. Nothing is sent before `undoMs`. Throws
     * `not_found` for the template, and `conflict` when it is no longer the one of `templateAt`, that a person saw.
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
      const batchId = newId('bat')
      const now = clock.now()
      const undoUntil = undoUntilOf(now, asked.undoMs)
      const failed: { readonly id: string; readonly reason: string }[] = []
      let changed = 0
      for (const { fingerprint, text, problem, target } of await prepareAll(
        deps,
        accountId,
        template,
        asked.fingerprints,
      )) {
        const request = { kind: 'publish', text, author, undoUntil, batchId } as const
        const stored =
          target !== null && problem === null
            ? await replies.request(accountId, fingerprint, target, request, now)
            : null
        if (stored === null) failed.push({ id: fingerprint, reason: problem ?? NOT_CONNECTED })
        else changed += 1
      }
      wake()
      return { batchId, undoUntil, changed, failed }
    },

    /** Throws `not_found` when the account has no answer of the batch. */
    async batch(accountId: string, batchId: string): Promise<readonly BatchReply[]> {
      const found = await replies.batch(accountId, batchId)
      if (found.length > 0) return found
      throw new OperationError(
        'not_found',
        'The account has no answers of this batch. Each was undone or replaced.',
      )
    },

    /** Takes back the answers of a batch that are not sent yet, and keeps their texts as drafts. Returns how many of how many. */
    async undoBatch(accountId: string, batchId: string) {
      const found = await this.batch(accountId, batchId)
      const undone = await replies.undo(accountId, { batchId }, clock.now())
      return { undone, tooLate: found.length - undone }
    },
  }
}

async function prepareAll(
  deps: BulkReplyDeps,
  accountId: string,
  template: ReplyTemplate,
  fingerprints: readonly string[],
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (const fingerprint of new Set(fingerprints)) {
    prepared.push(await prepare(deps, accountId, template, fingerprint))
  }
  return prepared
}

async function prepare(
  { replies, reports, officialStores }: BulkReplyDeps,
  accountId: string,
  template: ReplyTemplate,
  fingerprint: string,
): Promise<Prepared> {
  const review = await reports.review(accountId, fingerprint)
  if (review === null) {
    const problem = 'The account has no review with this fingerprint.'
    return { fingerprint, text: '', charsMax: 0, problem, target: null }
  }
  const text = fillTemplate(template.text, { author: review.author, app_name: review.appName }).trim()
  const charsMax = officialStores.find(({ store }) => store === review.store)?.replyCharsMax ?? 0
  const target = await replies.target(accountId, review)
  const chars = [...text].length
  const problem =
    target === null
      ? NOT_CONNECTED
      : (problemOf(review.answerState) ??
        (chars > charsMax ? `The text has ${chars} characters; the store accepts ${charsMax}.` : null) ??
        (chars === 0 ? 'The text is empty.' : null))
  return { fingerprint, text, charsMax, problem, target }
}

/** A colleague's answer is never replaced unseen. */
function problemOf(state: AnswerState): string | null {
  if (TO_ANSWER_STATES.includes(state)) return null
  return state === 'pending' ? 'An answer is being sent.' : 'The review has an answer.'
}
