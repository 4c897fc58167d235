import type { Enrichment } from '../../../src/model/enrichment.ts'
import { UNDETERMINED } from '../../../src/model/review-language.ts'

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' })

/** The enrichment of a review without text. */
export function withoutText(language: string, rating: number | null): Enrichment {
  return fromStars(
    language,
    rating,
    rating === null ? 'A review without text.' : `${rating} of 5 stars, without text.`,
  )
}

/** The enrichment of a review in a language without word lists, in which nothing else was ever measured. */
export function inUnreadLanguage(language: string, rating: number | null): Enrichment {
  const name = language === UNDETERMINED ? 'an unknown language' : LANGUAGE_NAMES.of(language)
  const stars = rating === null ? '' : ` with ${rating} of 5 stars`
  return fromStars(language, rating, `A review in ${name}${stars}, whose text was not read.`)
}

/** 1 and 2 stars are negative, 4 and 5 positive. */
function fromStars(language: string, rating: number | null, summary: string): Enrichment {
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
    summary_en: summary,
  }
}
