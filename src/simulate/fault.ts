import type { Store } from '../model/vocabulary.ts'

/** A fault of a store. Each store's handler ignores faults of the other store. */
export type Fault =
  /** A rate limit or a server error: 403, 429, 503, 500. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** HTTP 200 without reviews, although there are some and the paging links show it. */
  | { readonly kind: 'transient_empty' }
  /** The same for one page of the reviews; the first page is 1. */
  | { readonly kind: 'hole'; readonly page: number }
  /** HTTP 200 without reviews for every app, which Apple returns to some networks. */
  | { readonly kind: 'empty_shell' }
  /** Google's `null` payload, without or with an error of its gateway. */
  | { readonly kind: 'null_payload' | 'gateway_error' }
  /** 0 stars of 0 ratings. */
  | { readonly kind: 'zero_rating' }
  /** Well-formed, but in an unknown format. */
  | { readonly kind: 'changed' }
  /** An HTML page instead of data; `captcha` has a captcha. */
  | { readonly kind: 'html' | 'captcha' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The connection is closed without an answer. */
  | { readonly kind: 'drop' }
  /** Well-formed, but these reviews have no stars, so their rows cannot be parsed. */
  | { readonly kind: 'malformed_rows'; readonly reviewIds: readonly string[] }
  /** The store shows its state at this time, without newer data. */
  | { readonly kind: 'frozen'; readonly at: Date }
  /** The store ignores the requested order, except userReviewsRow for `sort=4`: here the oldest review is first. */
  | { readonly kind: 'unsorted' }
  /** The store does not have the app in this market. */
  | { readonly kind: 'gone' }

/** The scope of a fault. An omitted field matches everything. */
export type FaultScope = {
  readonly store: Store
  /** A source as in the request log: `rss`, `web`, `row`, `page`, `lookup`, `search`; `batchexecute`, `details`, ... */
  readonly source?: string
  readonly appId?: string
  /** A storefront, or a language for Google reviews. */
  readonly market?: string
  /** The number of affected requests; by default all until it is cleared. */
  readonly times?: number
}

/** The known parameters of a request. */
export type RequestSubject = {
  readonly store: Store
  readonly source: string
  readonly appIds: readonly string[]
  readonly market: string | null
  /** Page number from 1; null for requests without pages. */
  readonly page: number | null
}

export function faultMatches(scope: FaultScope, fault: Fault, subject: RequestSubject): boolean {
  if (scope.store !== subject.store) return false
  if (scope.source !== undefined && scope.source !== subject.source) return false
  if (scope.market !== undefined && scope.market !== subject.market) return false
  if (scope.appId !== undefined && !subject.appIds.includes(scope.appId)) return false
  return fault.kind !== 'hole' || fault.page === subject.page
}
