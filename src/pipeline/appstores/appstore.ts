import type { MalformedRow } from '../../model/malformed-row.ts'
import type { Rating } from '../../model/rating.ts'
import type { Release } from '../../model/release.ts'
import type { StoreReview } from '../../model/review.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'

/**
 * The interface of a store client: HTTP in, values out, no state but what makes requests cheaper. Every outcome (docs/stores.md, Outcomes)
 * is a value. A client awaits `pace` before each request, so that fallbacks and pages count against the store's rate limit.
 */

/** Waits for a permit of the store's rate limit; `false` when the request must not be made (shutdown, store blocked). */
export type Pace = (signal: AbortSignal) => Promise<boolean>

/** A longer `Retry-After` of a store counts as a day: then one request per day checks whether the block ended. */
export const STORE_RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000

/** An answer that changes no state. */
export type StoreFailure = {
  /**
   * `unknown`: an empty answer that proves nothing, a null payload, a network failure, 5xx. `blocked`: 403, 429, 503,
   * captcha, consent page. `gone`: the store has no such app here. `changed`: an unknown format.
   */
  readonly kind: 'unknown' | 'blocked' | 'gone' | 'changed'
  /** The source that answered, e.g. `rss`, `web`, `batchexecute`. */
  readonly source: string
  /** A sentence for the operator. */
  readonly detail: string
  /** The source showed no reviews. With reviews of the app from another source, it is not served to us. */
  readonly emptyPage?: true
  /** The reviews are not newest first, although they were asked for so. */
  readonly unordered?: true
  /** From the store's `Retry-After`. */
  readonly retryAfterMs?: number
  /** The raw answer of a `changed` format, at most 64 KiB, for the operator. */
  readonly raw?: string
}

/**
 * A page of reviews. `earlierFailures` has the failures of the sources before the one that served: the reasons for the fallback,
 * and the raw answer of a source with a changed format.
 */
export type ReviewsPage =
  | {
      readonly kind: 'ok'
      readonly source: string
      /** Newest first, as the store orders them. Never empty for `ok` unless the page is `partial`, or `next` is given. */
      readonly reviews: readonly StoreReview[]
      /** An opaque cursor; null at the store's end. */
      readonly next: string | null
      /**
       * Reviews of this page may be missing: the page disappeared, or its source does not show the newest reviews.
       * Paging continues, and the next poll must not stop at known reviews.
       */
      readonly partial?: true
      /** Rows of the page that are not valid reviews. */
      readonly malformed?: readonly MalformedRow[]
      readonly earlierFailures?: readonly StoreFailure[]
    }
  | {
      readonly kind: 'empty'
      readonly source: string
      /**
       * A later page that is either the store's end or a throttled request, which answers in the same way. Throttling lasts minutes,
       * so the same answer to the next poll confirms the end.
       */
      readonly unconfirmed?: true
      readonly earlierFailures?: readonly StoreFailure[]
    }
  | StoreFailure

export type SourcePage = {
  readonly source: string
  /** Sources with the same index show the same reviews. Absent: none is known to. */
  readonly index?: string
  /** Asked for newest first. */
  readonly newestFirst: boolean
  /** One request. `empty` says nothing about the app. */
  readonly ask: (pace: Pace, signal: AbortSignal) => Promise<SourcePageAnswer>
}

export type SourcePageAnswer =
  | Extract<ReviewsPage, { kind: 'ok' }>
  | { readonly kind: 'empty'; readonly detail: string }
  | StoreFailure

export type RatingAnswer =
  | { readonly kind: 'ok'; readonly source: string; readonly rating: Rating; readonly app: StoreApp | null }
  /** The store shows no rating of the app in this storefront: not rated yet, or, once a rating was seen, not an answer. */
  | { readonly kind: 'empty'; readonly source: string; readonly app: StoreApp | null }
  | StoreFailure

/** A store's data of an app: for names in lists and for the search of the console. */
export type StoreApp = {
  readonly store: Store
  readonly appId: string
  readonly name: string
  readonly developer: string | null
  readonly iconUrl: string | null
  readonly rating: Rating | null
  /** Null or absent: the answer has no date of the newest version. */
  readonly release?: Release | null
}

export type AppsAnswer = { readonly kind: 'ok'; readonly apps: readonly StoreApp[] } | StoreFailure

export type AppStore = {
  readonly store: Store
  /** The most apps in one rating request: 200 for Apple, 1 for Google. */
  readonly ratingBatchMax: number
  /** Sources of reviews in the order of requests; the first one is the primary source. */
  readonly reviewSources: readonly string[]
  /**
   * One page of newest reviews; `cursor` is the `next` of the page before, null for the first. A first page requests
   * `startWith` before the other sources.
   */
  readonly reviewsPage: (
    query: {
      readonly appId: string
      readonly market: string
      readonly cursor: string | null
      /** The poll will read many pages: larger ones if the store has them. */
      readonly toTheEnd?: boolean
      readonly startWith?: string | null
      /** Sources not to ask for a first page, unless there is no other. */
      readonly without?: ReadonlySet<string>
      /** Storefronts of the market to look for the app in, if a first page has no reviews; by default the market's first. */
      readonly storefronts?: () => Promise<readonly Storefront[]>
    },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<ReviewsPage>
  /** The first page of a source other than `than` with a different index; `unknown` when none answers. */
  readonly otherReviewsPage: (
    query: {
      readonly appId: string
      readonly market: string
      readonly than: string
      readonly without?: ReadonlySet<string>
    },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<ReviewsPage>
  /** The first page of each source of reviews by itself, without fallbacks, in the order of `reviewSources`. */
  readonly sourcePages: (query: { readonly appId: string; readonly market: string }) => readonly SourcePage[]
  /** One answer per requested app id, at most `ratingBatchMax`. */
  readonly ratings: (
    query: { readonly appIds: readonly string[]; readonly storefront: Storefront },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, RatingAnswer>>
  /** When an edited review was first published; null when the store does not say. StoreFailure when the request failed. */
  readonly firstPublishedAt: (
    query: { readonly appId: string; readonly market: string; readonly reviewId: string },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<Date | null | StoreFailure>
  /** Apps by name, best match first. */
  readonly search: (
    query: { readonly term: string; readonly storefront: Storefront; readonly limit: number },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<AppsAnswer>
  /** One app by its id or package name: `gone` when the store has none. */
  readonly app: (
    query: { readonly appId: string; readonly storefront: Storefront },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<AppsAnswer>
}
