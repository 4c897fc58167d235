import type { Enrichment, Sentiment, Severity, Store, Storefront, Theme } from '../events.ts'
import type { DeliveryStatus } from './deliveries.ts'
import type { PageQuery, Period } from './pages.ts'

/** A review of a tracked app. Its texts are untrusted: escape them before you show them. */
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
  /** Null if the store does not say. */
  readonly is_edited: boolean | null
  readonly occurred_at: string
  readonly observed_at: string
  /** The public pages, a store connection of the account, or an import. */
  readonly source: 'public' | 'appstoreconnect' | 'googleplay-developer' | 'import'
  /** True if this account imported the review. Other accounts do not see it. */
  readonly is_imported: boolean
  /** The developer's answer that the store's public page showed last. */
  readonly public_reply: { readonly text: string; readonly replied_at: string | null } | null
  readonly enrichment: Enrichment | null
}

export type ReviewDetail = Review & {
  /** The engine that made `enrichment`. */
  readonly enriched_by: string | null
  /** The reason for a missing `enrichment`; null before the first attempt. */
  readonly enrichment_failure: 'engine_failed' | 'over_budget' | 'worker_died' | 'too_many_tries' | null
  /** Events of this review for the account's hooks. */
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
  /** Only this storefront; for Google, its language. */
  readonly country?: Storefront
  /** One or more, 1 to 5. */
  readonly stars?: number | readonly number[]
  /** Language of the text, ISO 639-1. */
  readonly language?: string
  readonly sentiment?: Sentiment
  readonly severity?: Severity
  readonly theme?: Theme
  readonly app_version?: string
  /** Only requests for this feature. */
  readonly feature_slug?: string
  readonly is_bug_report?: boolean
  readonly is_feature_request?: boolean
  /** Words that must all occur in title, body or author, ignoring case. */
  readonly text?: string
}

export type ReviewQuery = ReviewFilter & PageQuery

/** A row of an import. */
/** An address of an app's reviews as Atom 1.0. */
export type AtomFeed = {
  readonly id: string
  readonly store: Store
  readonly app_id: string
  readonly created_at: string
}

/** Whoever has the address reads the reviews; it is in this response only. */
export type CreatedAtomFeed = AtomFeed & { readonly url: string }

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
  /** Publication time, RFC 3339. */
  readonly occurred_at: string
}

export type ImportCounts = {
  readonly added: number
  /** Reviews imported before with different content. */
  readonly replaced: number
  /** Unchanged reviews: imported before, or known from the store. */
  readonly known: number
}

/** A saved answer, with placeholders such as `{{author}}`. */
export type ReplyTemplateBody = {
  readonly name: string
  readonly text: string
  /** ISO 639-1; null or absent for any language. */
  readonly language?: string | null
}

export type ReplyTemplate = {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly language: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** `filled` is the text with the values of a review. */
export type FilledReplyTemplate = ReplyTemplate & { readonly filled: string }

/** The answer of the developer to a review of a connected app. */
export type Reply = {
  state: 'none' | 'draft' | 'pending' | 'sent' | 'published' | 'refused' | 'deleting' | 'deleted'
  /** The requested answer. */
  text: string | null
  /** The answer that the store showed last. */
  shown_text: string | null
  draft: string | null
  /** Why it was refused or is not sent yet. */
  problem: string | null
  author: string | null
  requested_at: string | null
  updated_at: string | null
  /** Time of the next request to the store; null during a request and in a final state. */
  next_attempt_at: string | null
  /** Why the review cannot be answered; null if it can. */
  obstacle: string | null
  chars_max: number
}

/** An answer that a model drafted, for a person to check. */
export type ReplyDraft = { text: string }
