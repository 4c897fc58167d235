import type { Enrichment, Sentiment, Severity, Store, Storefront, Theme } from '../events.ts'
import type { DeliveryStatus } from './deliveries.ts'
import type { PageQuery, Period } from './pages.ts'

/** A review of an app that the account tracks. Its texts were written by strangers: escape them before you show them. */
export type Review = {
  /** `occurrence_id` of its events. */
  readonly fingerprint: string
  readonly store: Store
  readonly app_id: string
  readonly app_name: string | null
  /** The storefront; for Google, the language. */
  readonly market: string
  /** The store's id. */
  readonly review_id: string
  /** 1 to 5. */
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  readonly app_version: string | null
  /** Changes when the review is edited. */
  readonly content_hash: string
  /** Null when the store does not tell. */
  readonly is_edited: boolean | null
  readonly occurred_at: string
  readonly observed_at: string
  /** The account imported it; only this account sees it. */
  readonly is_imported: boolean
  readonly enrichment: Enrichment | null
}

export type ReviewDetail = Review & {
  /** The engine of `enrichment`. */
  readonly enriched_by: string | null
  /** Why there is no `enrichment`; null before the first try. */
  readonly enrichment_failure: 'engine_failed' | 'over_budget' | 'worker_died' | 'too_many_tries' | null
  /** Its events for hooks of the account. */
  readonly events: readonly {
    readonly event_id: string
    readonly hook_id: string
    readonly status: DeliveryStatus
    readonly attempts: number
  }[]
}

export type ReviewFilter = Period & {
  readonly store?: Store
  readonly app_id?: string
  /** Reviews of this storefront; for Google, of its language. */
  readonly country?: Storefront
  /** One or more, 1 to 5. */
  readonly stars?: number | readonly number[]
  /** Language of the text, ISO 639-1. */
  readonly language?: string
  readonly sentiment?: Sentiment
  readonly severity?: Severity
  readonly theme?: Theme
  readonly app_version?: string
  /** Reviews that ask for this feature. */
  readonly feature_slug?: string
  readonly is_bug_report?: boolean
  readonly is_feature_request?: boolean
  /** Every word of it occurs in title, text or author, in any case. */
  readonly text?: string
}

export type ReviewQuery = ReviewFilter & PageQuery

/** A row of an import. */
export type ImportRow = {
  readonly store: Store
  readonly app_id: string
  /** The storefront; for Google, the language. The account must track the app there. */
  readonly market: string
  /** The store's id. */
  readonly review_id: string
  readonly rating: number
  readonly title?: string | null
  readonly body?: string | null
  readonly author?: string | null
  readonly app_version?: string | null
  /** When it was published, RFC 3339. */
  readonly occurred_at: string
}

export type ImportCounts = {
  readonly added: number
  /** Imported before, with another content. */
  readonly replaced: number
  /** Known already: imported before, or shown by the store. */
  readonly known: number
}
