import type { Enrichment } from '../../../src/model/enrichment.ts'

/** The enrichment of a review without text, from its stars: 1 and 2 are negative, 4 and 5 positive. */
export function withoutText(language: string, rating: number | null): Enrichment {
  const sentiment = rating === null || rating === 3 ? 'neutral' : rating > 3 ? 'positive' : 'negative'
  const isPraise = sentiment === 'positive'
  return {
    language,
    sentiment,
    themes: [isPraise ? 'praise_general' : 'other'],
    is_feature_request: false,
    feature_slug: null,
    feature_phrase: null,
    is_bug_report: false,
    severity: 'low',
    mentions_competitor: false,
    competitor_named: null,
    other_topic: isPraise ? null : 'no topic named',
    summary_en: rating === null ? 'A review without text.' : `${rating} of 5 stars, without text.`,
  }
}
