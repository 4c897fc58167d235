import type { Store } from './vocabulary.ts'

/** What a model gets to draft an answer to a review. */
export type ReplyDraftRequest = {
  readonly review: {
    readonly store: Store
    readonly rating: number
    readonly title: string | null
    readonly body: string
  }
  readonly appName: string | null
  /** Of the review, ISO 639-1; null while it is unknown. */
  readonly language: string | null
  /** The most characters that the store accepts. */
  readonly charsMax: number
}

export type ReplyDraft = { readonly kind: 'drafted'; readonly text: string } | ModelRefusal

/** Why a model server gave no text. */
export type ModelRefusal =
  /** The installation has used its requests of the day. */
  | { readonly kind: 'daily_limit' }
  /** The model server failed repeatedly and is not asked for this time. */
  | { readonly kind: 'paused'; readonly waitMs: number }
  /** `problem`: a sentence for the person who asked. */
  | { readonly kind: 'failed'; readonly problem: string }

/** Drafts an answer for a person to read, change and publish. Every failure is a value. */
export type DraftReply = (request: ReplyDraftRequest, signal: AbortSignal) => Promise<ReplyDraft>
