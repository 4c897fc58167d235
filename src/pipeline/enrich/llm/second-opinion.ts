import { LANGUAGES } from '../../../../packages/language/src/language/detect.ts'
import type { Enrichment } from '../../../model/enrichment.ts'

/**
 * Compares a model's answer with the offline engine's, because a review may contain a prompt injection. The rules
 * decide among languages with word lists, the model among others. Null when the model's sentiment contradicts both the
 * rules and the stars: then no part of the answer is trusted.
 */
export function secondOpinion(
  said: Enrichment,
  offline: Enrichment,
  review: { readonly rating: number },
): Enrichment | null {
  const opposite =
    (said.sentiment === 'positive' && offline.sentiment === 'negative' && review.rating <= 2) ||
    (said.sentiment === 'negative' && offline.sentiment === 'positive' && review.rating >= 4)
  if (opposite) return null
  return LANGUAGES.some((known) => known === said.language) ? { ...said, language: offline.language } : said
}
