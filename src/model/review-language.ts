/** The language of a text that the engine cannot tell (ISO 639-2). */
export const UNDETERMINED = 'und'

/** The language of a review: ISO 639-1, or `und`. */
export const REVIEW_LANGUAGE = /^(?:[a-z]{2}|und)$/

/** The same for people. */
export const REVIEW_LANGUAGES_ALLOWED = 'ISO 639-1 codes of two lowercase letters, or und for undetermined'

/** ISO 639-1; null before detection, and when detection finds none. */
export function knownLanguage(enrichment: { readonly language: string } | null): string | null {
  return enrichment === null || enrichment.language === UNDETERMINED ? null : enrichment.language
}
