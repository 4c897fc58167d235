import type { Clock } from '../runtime/clock.ts'
import type {
  CountFilter,
  RatingCursor,
  RatingPage,
  RequestedFeature,
  ReviewCount,
  ReviewedVersion,
  StatisticsStorage,
} from '../storage/port/statistics.ts'
import type { AppId } from './apps/apps.ts'
import { OperationError } from './error.ts'

export type { ReviewCount }

export type StatisticsDeps = { readonly statistics: StatisticsStorage; readonly clock: Clock }

export type Period = { readonly since?: Date | undefined; readonly until?: Date | undefined }
export type StatisticsFilter = Omit<CountFilter, 'since' | 'until'> & Period

export type Statistics = {
  readonly since: Date
  readonly until: Date
  readonly counts: readonly ReviewCount[]
  /** Most requested first, at most `FEATURES_MAX`. */
  readonly features: readonly RequestedFeature[]
}

const DAY_MS = 24 * 3_600_000
const DAYS_DEFAULT = 30
const DAYS_MAX = 366
const FEATURES_MAX = 50
const SUGGESTED_MAX = 200

export function statisticsOperations({ statistics, clock }: StatisticsDeps) {
  return {
    /** Observed ratings of an app, newest first. Throws `not_found` when the account does not track it. */
    async ratings(
      accountId: string,
      app: AppId,
      filter: Parameters<StatisticsStorage['ratings']>[2],
      page: { readonly limit: number; readonly before: RatingCursor | null },
    ): Promise<RatingPage> {
      const found = await statistics.ratings(accountId, app, filter, page)
      if (found !== null) return found
      throw new OperationError('not_found', 'The account does not track this app.')
    },

    /** What reviews of the last year can be searched by: requested features and versions, with their numbers of reviews. */
    async ofSearch(accountId: string): Promise<{
      readonly features: readonly RequestedFeature[]
      readonly versions: readonly ReviewedVersion[]
    }> {
      const until = clock.now()
      const filter = { since: new Date(until.getTime() - DAYS_MAX * DAY_MS), until }
      const features = await statistics.requestedFeatures(accountId, filter, SUGGESTED_MAX)
      return { features, versions: await statistics.reviewedVersions(accountId, filter, SUGGESTED_MAX) }
    },

    /**
     * Numbers of reviews published in a period, by default the last 30 days, by day and label. Throws `invalid` for a period that is longer
     * than `DAYS_MAX` or ends before it starts.
     */
    async ofReviews(
      accountId: string,
      { since: from, until: to, ...scope }: StatisticsFilter,
    ): Promise<Statistics> {
      const until = to ?? clock.now()
      const since = from ?? new Date(until.getTime() - DAYS_DEFAULT * DAY_MS)
      if (until.getTime() - since.getTime() > DAYS_MAX * DAY_MS) {
        const problem = `must be at most ${DAYS_MAX} days before until.`
        throw new OperationError('invalid', problem, { field: 'since' })
      }
      const filter = { ...scope, since, until }
      const counts = await statistics.reviewCounts(accountId, filter)
      const features = await statistics.requestedFeatures(accountId, filter, FEATURES_MAX)
      return { since, until, counts, features }
    },
  }
}
