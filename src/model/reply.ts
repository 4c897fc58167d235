import type { Store } from './vocabulary.ts'

/**
 * The state of an answer to a review. `draft`: not sent. `pending`: to be sent. `sent`: the store accepted it and does not show it
 * yet. `published`: the store shows it. `refused`: the store does not take it, with the reason. `deleting`: to be deleted.
 * `deleted`: the store shows none.
 */
export const REPLY_STATES = [
  'draft',
  'pending',
  'sent',
  'published',
  'refused',
  'deleting',
  'deleted',
] as const
export type ReplyState = (typeof REPLY_STATES)[number]

/**
 * What a list of reviews says of the answer to a review, exactly one of each. `unanswered`: no answer is shown, requested or drafted.
 * `draft`: only a draft. `pending`: to be sent, or not shown yet. `edited`: published, and the review was edited afterwards.
 */
export const ANSWER_STATES = ['unanswered', 'draft', 'pending', 'published', 'refused', 'edited'] as const
export type AnswerState = (typeof ANSWER_STATES)[number]

/** The states of a review that a person should answer. */
export const TO_ANSWER_STATES: readonly AnswerState[] = ['edited', 'refused', 'draft', 'unanswered']

/** The answer of a developer to a review of a connected app. */
export type Reply = {
  readonly accountId: string
  /** Of the review as the account sees it. */
  readonly fingerprint: string
  readonly store: Store
  readonly appId: string
  /** The id of the review in the official interface. */
  readonly reviewId: string
  readonly state: ReplyState
  /** The text to publish; null for a draft alone, a deletion, and an answer of another tool. */
  readonly text: string | null
  /** The answer that the store showed last, also of another tool; null for none. */
  readonly shownText: string | null
  readonly draft: string | null
  /** Why it is refused, or why it is not sent yet; null without a problem. */
  readonly problem: string | null
  /** Who requested the text; null for an answer from another tool. */
  readonly author: string | null
  readonly requestedAt: Date | null
  readonly updatedAt: Date
  /** Time of the next request to the store; null during a request and in a final state. */
  readonly nextAttemptAt: Date | null
  /** Until then the answer is not sent, and can be undone; null or past: it cannot. */
  readonly undoUntil: Date | null
}

/** An answer that was one of several in a request. */
export type BatchReply = Reply & { readonly reviewAuthor: string | null; readonly appName: string | null }

/** Whether two texts are the same answer, although a store may change line ends and spaces at the ends. */
export function isSameReply(a: string, b: string): boolean {
  return comparable(a) === comparable(b)
}

function comparable(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim()
}

/** Apple publishes and deletes an answer within a day. */
export const PUBLISH_MS_MAX = 48 * 3_600_000

export const NO_BATCH =
  'The account has no answers of this batch: each was undone or replaced, or it is not the id of a batch.'
