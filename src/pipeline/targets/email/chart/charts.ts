import { type Color, createCanvas } from './canvas.ts'
import type { DigestFigures } from './digest-figures.ts'

/** Pictures of the figures, without text: the HTML beside them has the labels. Transparent, for light and dark mail programs. */

const GOOD: Color = [43, 154, 102, 1]
const NEUTRAL: Color = [201, 138, 0, 1]
const BAD: Color = [209, 63, 63, 1]
const LINE: Color = [37, 99, 201, 1]
const FAINT: Color = [128, 128, 128, 0.22]
const COLOR_OF_STARS: Readonly<Record<number, Color>> = { 5: GOOD, 4: GOOD, 3: NEUTRAL, 2: BAD, 1: BAD }

/** One row for each number of stars. */
export const BARS = { width: 200, height: 120, rowHeight: 24 } as const
const BAR_HEIGHT = 12

export function barsPicture({ byStars }: DigestFigures): Buffer {
  const canvas = createCanvas(BARS.width, BARS.height)
  const most = Math.max(1, ...byStars.map(({ reviews }) => reviews))
  for (const [row, { stars, reviews }] of byStars.entries()) {
    const y = row * BARS.rowHeight + (BARS.rowHeight - BAR_HEIGHT) / 2
    canvas.bar(0, y, BARS.width, BAR_HEIGHT, FAINT)
    // A single review stays visible.
    const width = Math.max(BAR_HEIGHT / 2, (reviews / most) * BARS.width)
    if (reviews > 0) canvas.bar(0, y, width, BAR_HEIGHT, COLOR_OF_STARS[stars] ?? NEUTRAL)
  }
  return canvas.png()
}

export const TREND = { width: 240, height: 120 } as const
const MARGIN = 12
const DOT_RADIUS = 3.5
const DAY_MS = 24 * 60 * 60_000

/** Average stars by day, from five at the top to one at the bottom. */
export function trendPicture({ byDay }: DigestFigures): Buffer {
  const canvas = createCanvas(TREND.width, TREND.height)
  const step = (TREND.height - 2 * MARGIN) / 4
  const yOf = (stars: number) => MARGIN + (5 - stars) * step
  for (const stars of [1, 2, 3, 4, 5]) canvas.line([0, yOf(stars)], [TREND.width, yOf(stars)], 1, FAINT)
  const firstMs = byDay[0]?.dayMs ?? 0
  const spanMs = Math.max(DAY_MS, (byDay.at(-1)?.dayMs ?? 0) - firstMs)
  const points = byDay.map(({ dayMs, averageStars }) => {
    const x = MARGIN + ((dayMs - firstMs) / spanMs) * (TREND.width - 2 * MARGIN)
    return [x, yOf(averageStars)] as const
  })
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before !== undefined) canvas.line(before, point, 2, LINE)
  }
  for (const point of points) canvas.dot(point, DOT_RADIUS, LINE)
  return canvas.png()
}
