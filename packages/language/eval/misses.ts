import type { Enrichment } from '../../../src/model/enrichment.ts'
import type { Labelled } from './labelled.ts'

/** Field names of `--errors`, and the prediction's key for each. */
export const FIELDS = {
  language: 'language',
  sentiment: 'sentiment',
  themes: 'themes',
  bug: 'is_bug_report',
  request: 'is_feature_request',
  slug: 'feature_slug',
  severity: 'severity',
  competitor: 'mentions_competitor',
  name: 'competitor_named',
} as const
export type Field = keyof typeof FIELDS

export type Miss = {
  readonly id: string
  readonly rating: number
  readonly text: string
  readonly gold: string
  readonly predicted: string
}

/** The reviews whose predicted `field` differs from the label. For themes, `gold` lists missing and `predicted` extra themes. */
export function misses(
  reviews: readonly (readonly [Labelled, Enrichment])[],
  field: Field,
  language: string | null,
): Miss[] {
  return reviews.flatMap(([review, predicted]) => {
    const { labels } = review
    if (language !== null && labels.language !== language) return []
    const [gold, actual] = answers(field, labels, predicted)
    if (gold === actual) return []
    const text = review.title === '' ? review.body : `${review.title} / ${review.body}`
    return [
      { id: review.id, rating: review.rating, text: text.replaceAll('\n', ' '), gold, predicted: actual },
    ]
  })
}

function answers(field: Field, gold: Labelled['labels'], predicted: Enrichment): [string, string] {
  if (field === 'themes') {
    const missed = gold.themes.filter((theme) => !predicted.themes.includes(theme))
    const extra = predicted.themes.filter((theme) => !gold.themes.includes(theme))
    return [missed.map((theme) => `-${theme}`).join(' '), extra.map((theme) => `+${theme}`).join(' ')]
  }
  if (field === 'slug')
    return gold.feature_key === null ? ['', ''] : [gold.feature_key, String(predicted.feature_slug)]
  return [String(gold[FIELDS[field]]), String(predicted[FIELDS[field]])]
}
