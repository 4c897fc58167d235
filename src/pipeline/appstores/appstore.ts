import type { OddRow } from '../../model/odd-row.ts'
import type { Rating } from '../../model/rating.ts'
import type { StoreReview } from '../../model/review.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'

/**
 * What a store client is to the rest: HTTP in, values out, nothing kept. Every outcome of DESIGN 5.4 is a value.
 * A client asks `pace` before each request it makes, so that fallbacks and pages count against the store's limit.
 */

/** Waits for this request's turn under the store's rate limit; `false` when we should stop (shutdown, backing off). */
export type Pace = (signal: AbortSignal) => Promise<boolean>

/** The longest wait taken from a store's `Retry-After`. Chosen: a store that blocks us for longer is asked once a day. */
export const STORE_RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000

/** An answer that moves no state. */
export type Trouble = {
  /**
   * `unknown`: an empty that proves nothing, a null payload, a network failure, 5xx. `blocked`: 403, 429, 503, captcha,
   * consent page. `gone`: the store has no such app here. `changed`: the shape is not the known one.
   */
  readonly kind: 'unknown' | 'blocked' | 'gone' | 'changed'
  /** The source that answered, e.g. `rss`, `web`, `batchexecute`. */
  readonly source: string
  /** A sentence for the operator. */
  readonly detail: string
  /** From the store's `Retry-After`. */
  readonly retryAfterMs?: number
  /** The raw answer of a `changed` shape, at most 64 KiB, for the operator. */
  readonly raw?: string
}

/**
 * A page of reviews. `passedOver` holds what the sources said that were asked before the one that served: why the store
 * client fell back, and the raw answer of one that changed.
 */
export type ReviewsPage =
  | {
      readonly kind: 'ok'
      readonly source: string
      /** Newest first, as the store orders them. Never empty for `ok` unless the page is `partial`, or `next` is given. */
      readonly reviews: readonly StoreReview[]
      /** Opaque; null at the store's end. */
      readonly next: string | null
      /**
       * Reviews may be missing that belong on this page: it vanished, or its source does not show the newest. The walk
       * goes on, and the next one must not take known reviews for a sign that everything older is known.
       */
      readonly partial?: true
      /** Rows of the page that cannot be read as reviews. */
      readonly odd?: readonly OddRow[]
      readonly passedOver?: readonly Trouble[]
    }
  | { readonly kind: 'empty'; readonly source: string; readonly passedOver?: readonly Trouble[] }
  | Trouble

export type RatingAnswer =
  | { readonly kind: 'ok'; readonly source: string; readonly rating: Rating; readonly app: StoreApp | null }
  /** The store says that nobody has rated the app here yet. Moves no baseline. */
  | { readonly kind: 'empty'; readonly source: string; readonly app: StoreApp | null }
  | Trouble

/** What a store tells of an app: for names in lists and for the search of the console. */
export type StoreApp = {
  readonly store: Store
  readonly appId: string
  readonly name: string
  readonly developer: string | null
  readonly iconUrl: string | null
  readonly rating: Rating | null
}

export type AppsAnswer = { readonly kind: 'ok'; readonly apps: readonly StoreApp[] } | Trouble

export type AppStore = {
  readonly store: Store
  /** Apps that one rating request can carry: 200 for Apple, 1 for Google. */
  readonly ratingBatchMax: number
  /** Sources of reviews in the order in which they are asked; the first one is the primary. */
  readonly reviewSources: readonly string[]
  /**
   * One page of newest reviews; `cursor` is the `next` of the page before, null for the first. A first page asks
   * `startWith` before the other sources.
   */
  readonly reviewsPage: (
    query: {
      readonly appId: string
      readonly market: string
      readonly cursor: string | null
      readonly startWith?: string | null
    },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<ReviewsPage>
  /** The first page of another source than `than`, one with an index of its own; `unknown` when none of them answers. */
  readonly otherReviewsPage: (
    query: { readonly appId: string; readonly market: string; readonly than: string },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<ReviewsPage>
  /** One answer per app id asked for, at most `ratingBatchMax`. */
  readonly ratings: (
    query: { readonly appIds: readonly string[]; readonly storefront: Storefront },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, RatingAnswer>>
  /** When an edited review was first published; null when the store does not tell. Trouble when the answer failed. */
  readonly firstPublishedAt: (
    query: { readonly appId: string; readonly market: string; readonly reviewId: string },
    pace: Pace,
    signal: AbortSignal,
  ) => Promise<Date | null | Trouble>
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
