import type { AppLine, AppPage, RatingDropLine } from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import type { AppDetail, RatingDrop, StarCounts } from '../../storage/port/reports.ts'
import { presentFeed } from './feed-health.ts'

const NONE: StarCounts = [0, 0, 0, 0, 0]

/** An app's page over the days until `now`. */
export function presentAppPage(detail: AppDetail, line: AppLine, now: Date): AppPage {
  return {
    ...line,
    until: now.toISOString(),
    feeds: detail.feeds.map(presentFeed),
    ratingHistory: detail.history.map(({ storefront, points }) => ({
      storefront,
      points: points.map(({ at, rating }) => ({
        at: at.toISOString(),
        rating: starsOf(rating.micros),
        count: rating.count,
      })),
    })),
    drops: detail.drops.newest.map(presentDrop),
    stars: detail.volume.reduce((total, { stars }) => added(total, stars), NONE),
    volume: detail.volume.map(({ at, stars }) => ({ at: at.toISOString(), stars })),
    themes: detail.themes,
    sentiments: { ...detail.sentiments },
  }
}

export function presentDrop({ storefront, at, before, now }: RatingDrop): RatingDropLine {
  return { storefront, at: at.toISOString(), before: starsOf(before.micros), now: starsOf(now.micros) }
}

function added(a: StarCounts, b: StarCounts): StarCounts {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]]
}
