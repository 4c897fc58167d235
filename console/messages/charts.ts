import { average, counted, number } from '../util/numbers.ts'

/** Texts of the charts of an app. */

export const chartTexts = {
  noReviews: 'No reviews in this period.',
  noEnriched: 'No enriched reviews in this period.',
} as const

export const ratingHistoryTexts = {
  empty: 'No ratings in this period.',
  label: 'Average rating by storefront',
  now: (storefront: string, rating: number) => `${storefront}: now ${average(rating)}.`,
  shown: 'Storefronts shown',
} as const

export const sentimentByDayTexts = {
  label: 'Reviews per day by sentiment',
} as const

export const volumeByDayTexts = {
  total: (count: number) => `${counted(count, 'review')} in this period.`,
  label: 'Reviews per day by stars',
} as const

export const starShareTexts = {
  share: (stars: number, count: number, total: number) =>
    `${counted(stars, 'star')}: ${number(count)} of ${number(total)}`,
} as const

export const themeBarTexts = {
  negative: (count: number) => `${number(count)} negative`,
  other: (count: number) => `${number(count)} other`,
  redNote: 'Red: negative reviews.',
  trendNote: 'The bars on the right show mentions over time.',
  trend: (theme: string, from: number, until: number, max: number) =>
    `${theme}: ${number(from)} mentions at first, ${number(until)} at the end, ${number(max)} at the peak`,
} as const
