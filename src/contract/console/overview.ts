import type { RatingDropLine } from './apps.ts'
import type { NoticeView } from './destinations.ts'

export const RANGES = ['24h', '7d', '30d'] as const
export type Range = (typeof RANGES)[number]

/** `GET /api/console/overview?range=24h&zone=Europe/Berlin` */
export type Overview = {
  readonly apps: number
  readonly destinations: number
  readonly reviews: number
  /** The number of drops of at least 0.05 or that match a subscription. */
  readonly drops: number
  readonly newestDrops: readonly (RatingDropLine & {
    readonly store: string
    readonly appId: string
    readonly appName: string | null
  })[]
  readonly delivered: number
  readonly failedAttempts: number
  /** The share of delivered ones among deliveries that ended in the range or are late, 0 to 1; null without any. */
  readonly successRate: number | null
  readonly pending: number
  /** The pending ones of failing destinations. */
  readonly late: number
  readonly held: number
  readonly oldestDueAt: string | null
  readonly dead: number
  readonly p95Ms: number | null
  /** Each of 24 hours, or each day in the time zone of the request, oldest first. */
  readonly series: readonly {
    readonly at: string
    readonly reviews: number
    readonly delivered: number
    readonly failed: number
  }[]
  readonly movements: readonly {
    readonly store: string
    readonly appId: string
    readonly appName: string | null
    readonly storefront: string
    readonly before: number
    readonly now: number
    readonly count: number
  }[]
  readonly notices: readonly NoticeView[]
  /** The setup steps of a new account, in the order of the console. */
  readonly steps: { readonly app: boolean; readonly destination: boolean; readonly delivered: boolean }
}
