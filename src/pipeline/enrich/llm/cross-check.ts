import { LANGUAGES } from '../../../../packages/language/src/language/detect.ts'
import type { Enrichment } from '../../../model/enrichment.ts'
import { UNDETERMINED } from '../../../model/review-language.ts'

/**
 * Compares a model's answer with the offline engine's, because a review may contain a prompt injection. The offline
 * rules decide the language if they have word lists for the model's language. Null when the model's sentiment
 * contradicts both the rules and the stars: then no part of the answer is trusted.
 */
export function crossCheck(
  modelAnswer: Enrichment,
  offline: Enrichment,
  review: { readonly rating: number },
): Enrichment | null {
  const opposite =
    (modelAnswer.sentiment === 'positive' && offline.sentiment === 'negative' && review.rating <= 2) ||
    (modelAnswer.sentiment === 'negative' && offline.sentiment === 'positive' && review.rating >= 4)
  if (opposite) return null
  return LANGUAGES.some((known) => known === modelAnswer.language) && offline.language !== UNDETERMINED
    ? { ...modelAnswer, language: offline.language }
    : modelAnswer
}
