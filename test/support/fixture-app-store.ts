import type { StoreReview } from '../../src/model/review.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import type {
  AppStore,
  Pace,
  RatingAnswer,
  ReviewsPage,
  StoreFailure,
} from '../../src/pipeline/appstores/appstore.ts'
import type { LeasedFeed } from '../../src/storage/port/feeds.ts'
import { NO_SOURCES } from './no-sources.ts'

/** A store client with answers that the test sets. */
export type FixtureStore = AppStore & {
  /** Newest first, split into pages of `pageSize`. */
  reviews: StoreReview[]
  pageSize: number
  /** Answers that replace a page, by page number from 1. */
  readonly pageAnswers: Map<number, ReviewsPage>
  /** The answer of the other source. */
  otherPage: ReviewsPage
  readonly ratingAnswers: Map<string, RatingAnswer>
  readonly firstPublished: Map<string, Date | StoreFailure>
  /** The requests, in order. */
  readonly requests: string[]
}

export function fixtureStore(store: Store = 'google', ratingBatchMax = 1): FixtureStore {
  const requests: string[] = []
  const stopped: StoreFailure = { kind: 'unknown', source: 'fixture', detail: 'The poll was stopped.' }
  const allowed = async (pace: Pace, signal: AbortSignal, what: string) => {
    if (!(await pace(signal))) return false
    requests.push(what)
    return true
  }
  const fixture: FixtureStore = {
    store,
    ratingBatchMax,
    reviewSources: ['fixture', 'other'],
    otherPage: { kind: 'unknown', source: 'other', detail: 'There is no other source.' },
    reviews: [],
    pageSize: 3,
    pageAnswers: new Map(),
    ratingAnswers: new Map(),
    firstPublished: new Map(),
    requests,
    async reviewsPage({ cursor, startWith = null }, pace, signal) {
      const number = cursor === null ? 1 : Number(cursor)
      const first = startWith === null ? '' : ` from ${startWith}`
      if (!(await allowed(pace, signal, `page ${number}${first}`))) return stopped
      const answer = fixture.pageAnswers.get(number)
      if (answer !== undefined) return answer
      const start = (number - 1) * fixture.pageSize
      const reviews = fixture.reviews.slice(start, start + fixture.pageSize)
      if (reviews.length === 0) return { kind: 'empty', source: 'fixture' }
      const more = fixture.reviews.length > start + fixture.pageSize
      return { kind: 'ok', source: 'fixture', reviews, next: more ? String(number + 1) : null }
    },
    sourcePages: () => [],
    async otherReviewsPage({ than }, pace, signal) {
      if (!(await allowed(pace, signal, `other than ${than}`))) return stopped
      return fixture.otherPage
    },
    async ratings({ appIds }, pace, signal) {
      if (!(await allowed(pace, signal, `ratings ${appIds.join(' ')}`))) {
        return new Map(appIds.map((appId) => [appId, stopped]))
      }
      return new Map([...fixture.ratingAnswers].filter(([appId]) => appIds.includes(appId)))
    },
    async firstPublishedAt({ reviewId }, pace, signal) {
      if (!(await allowed(pace, signal, `history ${reviewId}`))) return stopped
      return fixture.firstPublished.get(reviewId) ?? null
    },
    search: async () => ({ kind: 'ok', apps: [] }),
    app: async () => ({ kind: 'ok', apps: [] }),
  }
  return fixture
}

export function storeReview(reviewId: string, shownAt: Date, change: Partial<StoreReview> = {}): StoreReview {
  return {
    reviewId,
    rating: 3,
    title: null,
    body: `What ${reviewId} says.`,
    author: 'A person',
    appVersion: null,
    shownAt,
    edited: null,
    ...change,
  }
}

export function leasedFeed(change: Partial<LeasedFeed> = {}): LeasedFeed {
  return {
    id: 1,
    store: 'google',
    appId: 'org.example.app',
    kind: 'reviews',
    market: 'en',
    intervalMs: 900_000,
    failures: 0,
    lastOkAt: new Date('2026-03-01T00:00:00Z'),
    pagingIncomplete: false,
    lastSource: null,
    sources: NO_SOURCES,
    lease: 'lease_1',
    dueAt: new Date('2026-03-01T00:00:00Z'),
    baseline: null,
    forwardFrom: new Date('2026-03-01T00:00:00Z'),
    ...change,
  }
}
