import { counted, number } from '../util/numbers.ts'

/** Texts of the charts of an app. */

export const starShareTexts = {
  empty: 'No reviews in this period.',
  share: (stars: number, count: number, total: number) =>
    `${counted(stars, 'star')}: ${number(count)} of ${number(total)}`,
} as const

export const themeBarTexts = {
  empty: 'No enriched reviews in this period.',
  negative: (count: number) => `${count} negative`,
  other: (count: number) => `${count} other`,
  redNote: 'Red: negative reviews.',
  trendNote: 'The bars on the right show mentions over time.',
  trend: (theme: string, from: number, until: number, max: number) =>
    `${theme}: from ${number(from)} to ${number(until)} mentions, at most ${number(max)}`,
} as const
