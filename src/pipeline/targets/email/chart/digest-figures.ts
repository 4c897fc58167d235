import { lazily } from '../../../../model/lazily.ts'
import type { DigestItem } from '../../target.ts'

/** The reviews of a digest in figures. */
export type DigestFigures = {
  /** From five stars to one. */
  readonly byStars: readonly { readonly stars: number; readonly reviews: number }[]
  /** The days with reviews, oldest first, in UTC. */
  readonly byDay: readonly DayFigures[]
}

export type DayFigures = {
  /** The start of the day. */
  readonly dayMs: number
  readonly reviews: number
  readonly averageStars: number
}

const DAY_MS = 24 * 60 * 60_000
/** One review is no distribution. */
const REVIEWS_MIN = 2

/** Null for a digest with too few reviews. */
export function digestFigures(items: readonly DigestItem[]): DigestFigures | null {
  const reviews = items.flatMap(({ event }) =>
    event.event_type === 'review.created'
      ? [{ stars: event.rating, dayMs: Math.floor(Date.parse(event.occurred_at) / DAY_MS) * DAY_MS }]
      : [],
  )
  if (reviews.length < REVIEWS_MIN) return null
  const byDay = [...Map.groupBy(reviews, ({ dayMs }) => dayMs)]
    .sort(([a], [b]) => a - b)
    .map(([dayMs, ofDay]) => ({
      dayMs,
      reviews: ofDay.length,
      averageStars: ofDay.reduce((sum, { stars }) => sum + stars, 0) / ofDay.length,
    }))
  const byStars = [5, 4, 3, 2, 1].map((stars) => ({
    stars,
    reviews: reviews.filter((review) => review.stars === stars).length,
  }))
  return { byStars, byDay }
}

const dayFormat = lazily(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)

/** `15 Jan` */
export function dayName(dayMs: number): string {
  return dayFormat().format(dayMs)
}

/** `5 stars: 12, 4 stars: 3, …` */
export function starsText({ byStars }: DigestFigures): string {
  return byStars
    .map(({ stars, reviews }) => `${stars} ${stars === 1 ? 'star' : 'stars'}: ${reviews}`)
    .join(', ')
}

/** `14 Jan: 4.5, 15 Jan: 3.2`; null for a single day. */
export function daysText({ byDay }: DigestFigures): string | null {
  if (byDay.length < 2) return null
  return byDay.map(({ dayMs, averageStars }) => `${dayName(dayMs)}: ${averageStars.toFixed(1)}`).join(', ')
}
