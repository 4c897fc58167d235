import type { AppLine, AppPage } from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import type { AppDetail, RatingPoint, StarCounts } from '../../storage/port/reports.ts'
import { presentFeed } from './feed-health.ts'
import { DAY_MS } from './overview-routes.ts'

const NONE: StarCounts = [0, 0, 0, 0, 0]

/** An app's page over `days` days from `since`, a UTC midnight. */
export function presentAppPage(detail: AppDetail, line: AppLine, since: Date, days: number): AppPage {
  const indexOf = (day: Date) => Math.round((day.getTime() - since.getTime()) / DAY_MS)
  const volume = Array.from({ length: days }, (_, index) => ({
    day: new Date(since.getTime() + index * DAY_MS).toISOString().slice(0, 10),
    stars: NONE,
  }))
  for (const { day, stars } of detail.volume) {
    const at = indexOf(day)
    const bucket = volume[at]
    if (bucket !== undefined) volume[at] = { ...bucket, stars }
  }
  return {
    ...line,
    feeds: detail.feeds.map(presentFeed),
    ratingHistory: detail.history.map(({ storefront, points }) => ({
      storefront,
      points: points.map((point, index) => presentPoint(point, points[index - 1])),
    })),
    stars: detail.volume.reduce((total, { stars }) => added(total, stars), NONE),
    volume,
    themes: presentThemes(detail.themes, days, indexOf),
    sentiments: { ...detail.sentiments },
  }
}

function presentPoint({ at, rating }: RatingPoint, before: RatingPoint | undefined) {
  return {
    at: at.toISOString(),
    rating: starsOf(rating.micros),
    count: rating.count,
    dropped: before !== undefined && rating.micros < before.rating.micros,
  }
}

function presentThemes(
  themes: AppDetail['themes'],
  days: number,
  indexOf: (day: Date) => number,
): AppPage['themes'] {
  return [...Map.groupBy(themes, ({ theme }) => theme)]
    .map(([theme, ofTheme]) => {
      const perDay = Array.from({ length: days }, () => 0)
      for (const { day, count } of ofTheme) perDay[indexOf(day)] = count
      return {
        theme,
        count: ofTheme.reduce((total, { count }) => total + count, 0),
        negative: ofTheme.reduce((total, { negative }) => total + negative, 0),
        perDay,
      }
    })
    .sort((a, b) => b.count - a.count)
}

function added(a: StarCounts, b: StarCounts): StarCounts {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]]
}
