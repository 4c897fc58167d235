import { LANGUAGES } from '../../../../packages/language/src/language/detect.ts'
import type { Enrichment } from '../../../model/enrichment.ts'

/**
 * A model's answer beside the offline engine's, because a review may try to talk the model into something. The
 * language the rules found wins among those they have tables for; beyond them the model is believed. Null when the
 * model's sentiment is the opposite of what both the rules and the stars say: then the whole answer is not to be trusted.
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
