import type { Sentiment, Severity, Theme } from './vocabulary.ts'

/**
 * The enrichment of one review: the `enrichment` object of docs/contract.md, enrichment, key for key. `language` is ISO
 * 639-1. `feature_slug` and `feature_phrase` are null unless `is_feature_request`; `competitor_named` is null unless
 * `mentions_competitor`; `other_topic` is null unless `themes` contains `other`.
 */
export type Enrichment = {
  readonly language: string
  readonly sentiment: Sentiment
  readonly themes: readonly Theme[]
  readonly is_feature_request: boolean
  readonly feature_slug: string | null
  readonly feature_phrase: string | null
  readonly is_bug_report: boolean
  readonly severity: Severity
  readonly mentions_competitor: boolean
  readonly competitor_named: string | null
  readonly other_topic: string | null
  readonly summary_en: string
}

/** The engine of an enrichment and its version. A newer version may enrich a review again. */
export type EnrichmentEngine = { readonly name: 'offline' | 'llm'; readonly version: string }
