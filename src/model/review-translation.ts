import type { ModelRefusal } from './reply-draft.ts'

/** A review for a model that translates it to English. */
export type TranslationRequest = {
  readonly title: string | null
  readonly body: string
  /** ISO 639-1; null while it is unknown. */
  readonly language: string | null
}

export type TranslatedReview = { readonly title: string | null; readonly body: string }

export type ReviewTranslation = ({ readonly kind: 'translated' } & TranslatedReview) | ModelRefusal

/** Translates a review to English. Every failure is a value. */
export type TranslateReview = (request: TranslationRequest, signal: AbortSignal) => Promise<ReviewTranslation>
