import type { Store } from '../model/vocabulary.ts'
import { type Fault, type FaultScope, faultMatches, type RequestSubject } from './fault.ts'
import { createOfficialWorld, type OfficialWorld } from './official/official-world.ts'

/**
 * The state of the two simulated stores: apps, ratings, reviews, active faults and a log of requests. Kept in memory, without a clock or
 * timers: the caller provides all times.
 */

/** An aggregate rating as the store shows it. `average` keeps its digits, e.g. `4.83076`. */
export type WorldRating = { readonly average: string; readonly count: number }

export type WorldApp = {
  readonly store: Store
  readonly appId: string
  readonly name: string
  readonly developer: string
  readonly iconUrl: string | null
  /** The newest version and its date; the stores show none without it. */
  readonly release?: WorldRelease
}

export type WorldRelease = { readonly version: string; readonly releasedAt: Date }

/** One version of a review's text, with the time at which it was written. */
export type ReviewVersion = {
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly at: Date
}

export type WorldReview = {
  readonly id: string
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly author: string | null
  /** The reviewed version of the app. */
  readonly version: string | null
  readonly publishedAt: Date
  /** Null before the first edit. */
  readonly editedAt: Date | null
  /** Earlier texts, oldest first; empty before the first edit. */
  readonly history: readonly ReviewVersion[]
}

export type LoggedRequest = RequestSubject & {
  readonly method: string
  readonly url: string
  readonly at: Date
  /** Null when the connection was closed without an answer. */
  readonly status: number | null
}

type AppKey = { readonly store: Store; readonly appId: string }
type ReviewPlace = AppKey & { readonly market: string }

export type World = {
  /** Adds an app, or renames an existing one. */
  readonly addApp: (app: WorldApp) => void
  readonly app: (key: AppKey) => WorldApp | null
  /** In the order they were added. */
  readonly apps: (store: Store) => readonly WorldApp[]
  /** `null` makes the app unrated in the storefront. */
  readonly setRating: (where: AppKey & { readonly storefront: string }, rating: WorldRating | null) => void
  readonly rating: (where: AppKey & { readonly storefront: string }) => WorldRating | null
  /** `market` is a storefront, or a language for Google. An existing id is replaced. */
  readonly addReview: (where: ReviewPlace, review: Omit<WorldReview, 'editedAt' | 'history'>) => void
  /** Adds the earlier text to its history. Throws for an unknown review. */
  readonly editReview: (
    where: ReviewPlace & { readonly reviewId: string },
    change: { readonly rating?: number; readonly title?: string | null; readonly body?: string },
    at: Date,
  ) => void
  /** Removes a review from the store. Throws for an unknown review. */
  readonly removeReview: (where: ReviewPlace & { readonly reviewId: string }) => void
  /** Newest first by the shown date, so an edited review moves to the top. */
  readonly reviews: (where: ReviewPlace) => readonly WorldReview[]
  /** The reviews of an app in every market that has some, in no particular order. */
  readonly reviewsOfApp: (
    key: AppKey,
  ) => readonly { readonly market: string; readonly reviews: readonly WorldReview[] }[]
  /** The official APIs: their keys, replies, quotas and reports. */
  readonly official: OfficialWorld
  /** Activates a fault; the returned function deactivates it. A later fault overrides an earlier one. */
  readonly setFault: (scope: FaultScope, fault: Fault) => () => void
  readonly clearFaults: () => void
  /** The fault for this request, if any, which counts towards its `times`. For the stores' handlers. */
  readonly consumeFault: (subject: RequestSubject) => Fault | null
  /** For the stores' handlers. */
  readonly logRequest: (request: LoggedRequest) => void
  /** Oldest first. */
  readonly requests: (store?: Store) => readonly LoggedRequest[]
}

/** The date that the store shows: of the last edit, if there was one. */
export function shownAtOf(review: WorldReview): Date {
  return review.editedAt ?? review.publishedAt
}

/** Maximum requests in the log, because a simulation may run for days. Enough for 20 per second for over an hour. */
const LOGGED_REQUESTS_MAX = 100_000

export function createWorld(): World {
  const apps = new Map<string, WorldApp>()
  const ratings = new Map<string, WorldRating>()
  const reviews = new Map<string, Map<string, WorldReview>>()
  let faults: { readonly scope: FaultScope; readonly fault: Fault; left: number }[] = []
  const log: LoggedRequest[] = []

  return {
    addApp: (app) => {
      apps.set(keyOf(app), app)
    },
    app: (key) => apps.get(keyOf(key)) ?? null,
    apps: (store) => [...apps.values()].filter((app) => app.store === store),
    setRating: (where, rating) => {
      if (rating === null) ratings.delete(keyOf(where, where.storefront))
      else ratings.set(keyOf(where, where.storefront), rating)
    },
    rating: (where) => ratings.get(keyOf(where, where.storefront)) ?? null,
    addReview: (where, review) => {
      const place = keyOf(where, where.market)
      const there = reviews.get(place) ?? new Map<string, WorldReview>()
      there.set(review.id, { ...review, editedAt: null, history: [] })
      reviews.set(place, there)
    },
    editReview: (where, change, at) => {
      const there = reviews.get(keyOf(where, where.market))
      const review = there?.get(where.reviewId)
      if (there === undefined || review === undefined) {
        throw new Error(
          `There is no review ${where.reviewId} of ${where.store} ${where.appId} in ${where.market}.`,
        )
      }
      const before = { rating: review.rating, title: review.title, body: review.body, at: shownAtOf(review) }
      there.set(review.id, { ...review, ...change, editedAt: at, history: [...review.history, before] })
    },
    removeReview: ({ reviewId, ...where }) => {
      if (reviews.get(keyOf(where, where.market))?.delete(reviewId) !== true) {
        throw new Error(`There is no review ${reviewId} of ${where.store} ${where.appId} in ${where.market}.`)
      }
    },
    reviews: (where) =>
      [...(reviews.get(keyOf(where, where.market))?.values() ?? [])].sort(
        (a, b) => shownAtOf(b).getTime() - shownAtOf(a).getTime() || compareIds(b.id, a.id),
      ),
    reviewsOfApp: (key) =>
      [...reviews].flatMap(([place, there]) =>
        place.startsWith(keyOf(key))
          ? [{ market: place.slice(keyOf(key).length), reviews: [...there.values()] }]
          : [],
      ),
    official: createOfficialWorld(),
    setFault: (scope, fault) => {
      const entry = { scope, fault, left: scope.times ?? Number.POSITIVE_INFINITY }
      faults.unshift(entry)
      return () => {
        faults = faults.filter((other) => other !== entry)
      }
    },
    clearFaults: () => {
      faults = []
    },
    consumeFault: (subject) => {
      const entry = faults.find((one) => one.left > 0 && faultMatches(one.scope, one.fault, subject))
      if (entry === undefined) return null
      entry.left -= 1
      return entry.fault
    },
    logRequest: (request) => {
      log.push(request)
      if (log.length > LOGGED_REQUESTS_MAX) log.splice(0, LOGGED_REQUESTS_MAX / 10)
    },
    requests: (store) => log.filter((request) => store === undefined || request.store === store),
  }
}

function keyOf(app: AppKey, market = ''): string {
  return `${app.store}/${app.appId}/${market}`
}

/** Apple's ids are increasing numbers, Google's are opaque: the longer number is the later one, otherwise the order is that of the text. */
function compareIds(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b) && a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
