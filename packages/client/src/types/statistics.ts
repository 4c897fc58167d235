import type { Sentiment, Store, Storefront, Theme } from '../events.ts'
import type { Period } from './pages.ts'

export type Interval = 'day' | 'week' | 'month'

/** Default: the last 30 days of all apps. At most 366 days. */
export type StatisticsQuery = Period & {
  readonly store?: Store
  readonly app_id?: string
  readonly country?: Storefront
  /** In UTC. Weeks start on Monday. */
  readonly interval?: Interval
}

export type ReviewStatistics = {
  readonly since: string
  readonly until: string
  readonly interval: Interval
  readonly reviews: number
  /** Reviews by stars, one star first. */
  readonly stars: readonly number[]
  readonly average_stars: number | null
  readonly bug_reports: number
  readonly feature_requests: number
  /** Most frequent first. */
  readonly sentiments: readonly { readonly sentiment: Sentiment; readonly count: number }[]
  /** Most frequent first. A review counts for each of its themes. */
  readonly themes: readonly { readonly theme: Theme; readonly count: number; readonly negative: number }[]
  /** The 50 most requested features. */
  readonly requested_features: readonly {
    readonly feature_slug: string
    readonly feature_phrase: string | null
    readonly count: number
    readonly last_at: string
    /** The intervals with requests. */
    readonly series: readonly { readonly at: string; readonly count: number }[]
  }[]
  /** The intervals with reviews, oldest first. */
  readonly series: readonly {
    /** Start of the interval, UTC. */
    readonly at: string
    readonly reviews: number
    readonly stars: readonly number[]
    readonly negative: number
    readonly bug_reports: number
    readonly feature_requests: number
  }[]
}
