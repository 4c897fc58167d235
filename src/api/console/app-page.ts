import type { AppPage, FeedLine, RatingDropLine, ReviewTally } from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import type { FeedView } from '../../model/feed.ts'
import { feedHealth, feedReason } from '../../model/feed-health.ts'
import type { AppView } from '../../operations/apps/apps.ts'
import { presentApp } from '../v1/apps.ts'
import { presentReview } from '../v1/reviews.ts'

/** The page of an app for the days of a range. `names`: of the assignees of its reviews. */
export function presentAppPage(view: AppView, names: ReadonlyMap<string, string>): AppPage {
  return {
    app: presentApp(view),
    until: view.until.toISOString(),
    feeds: view.feeds.map(presentFeed),
    ratingHistory: view.history.map(({ storefront, points }) => ({
      storefront,
      points: points.map(({ at, rating }) => ({
        at: at.toISOString(),
        rating: starsOf(rating.micros),
        count: rating.count,
      })),
    })),
    drops: view.drops.newest.map(presentDrop),
    days: view.days.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
    before: {
      from: view.before.from.toISOString(),
      until: view.before.until.toISOString(),
      stars: view.before.stars,
    },
    releases: view.releases.map(({ version, releasedAt }) => ({ version, at: releasedAt.toISOString() })),
    themes: view.themes,
    versions: view.versions.map(({ version, firstAt, ...tally }) => ({
      version,
      firstSeenAt: firstAt.toISOString(),
      ...presentTally(tally),
    })),
    markets: view.markets.map(({ market, ...tally }) => ({ market, ...presentTally(tally) })),
    requests: view.requests,
    newestLow: view.newestLow.map((review) => presentReview(review, names)),
  }
}

export function presentDrop({
  storefront,
  at,
  before,
  now,
}: AppView['drops']['newest'][number]): RatingDropLine {
  return { storefront, at: at.toISOString(), before: starsOf(before.micros), now: starsOf(now.micros) }
}

/** Has only periods with reviews. */
function presentTally({ count, starsSum, low }: Omit<AppView['markets'][number], 'market'>): ReviewTally {
  return { count, average: starsSum / count, low }
}

function presentFeed(feed: FeedView): FeedLine {
  return {
    kind: feed.kind,
    market: feed.market,
    health: feedHealth(feed),
    reason: feedReason(feed),
    source: feed.lastSource,
    lastOkAt: feed.lastOkAt?.toISOString() ?? null,
    nextPollAt: feed.nextPollAt?.toISOString() ?? null,
  }
}
