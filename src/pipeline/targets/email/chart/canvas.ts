import { type Pixels, pngOf } from './png.ts'

/** Red, green, blue, 0 to 255, and alpha, 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]
type Point = readonly [x: number, y: number]

const SCALE = 2
const ROUNDING = 3

/** A transparent picture in CSS pixels, drawn with twice as many for sharp screens. */
export function createCanvas(width: number, height: number) {
  const pixels: Pixels = {
    width: width * SCALE,
    height: height * SCALE,
    data: new Uint8Array(width * height * SCALE * SCALE * 4),
  }
  /** Paints what is inside a shape. `distanceOf` is that of a point to its edge, negative inside; half a pixel around the edge is soft. */
  const paint = ([from, to]: Box, distanceOf: (x: number, y: number) => number, color: Color) => {
    const [left, right] = range(from[0], to[0], pixels.width)
    const [top, bottom] = range(from[1], to[1], pixels.height)
    for (let row = top; row < bottom; row += 1)
      for (let column = left; column < right; column += 1) {
        const distance = distanceOf((column + 0.5) / SCALE, (row + 0.5) / SCALE) * SCALE
        const coverage = Math.min(1, Math.max(0, 0.5 - distance))
        if (coverage > 0) blend(pixels, (row * pixels.width + column) * 4, color, coverage)
      }
  }
  return {
    bar: (x: number, y: number, barWidth: number, barHeight: number, color: Color): void => {
      const radius = Math.min(ROUNDING, barWidth / 2, barHeight / 2)
      const box: Box = [
        [x, y],
        [x + barWidth, y + barHeight],
      ]
      paint(
        box,
        (px, py) => {
          const dx = Math.max(x + radius - px, px - (x + barWidth - radius), 0)
          const dy = Math.max(y + radius - py, py - (y + barHeight - radius), 0)
          return Math.hypot(dx, dy) - radius
        },
        color,
      )
    },
    line: (from: Point, to: Point, thickness: number, color: Color): void => {
      const edge = (x: number, y: number) => distanceToSegment([x, y], from, to) - thickness / 2
      paint(boxAround([from, to], thickness / 2), edge, color)
    },
    dot: (at: Point, radius: number, color: Color): void => {
      const edge = (x: number, y: number) => Math.hypot(x - at[0], y - at[1]) - radius
      paint(boxAround([at, at], radius), edge, color)
    },
    png: (): Buffer => pngOf(pixels),
  }
}

type Box = readonly [from: Point, to: Point]

function boxAround([[x1, y1], [x2, y2]]: Box, distance: number): Box {
  return [
    [Math.min(x1, x2) - distance, Math.min(y1, y2) - distance],
    [Math.max(x1, x2) + distance, Math.max(y1, y2) + distance],
  ]
}

/** The pixels of a range in CSS pixels, with one more at each end for soft edges. */
function range(from: number, to: number, max: number): [number, number] {
  return [Math.max(0, Math.floor(from * SCALE) - 1), Math.min(max, Math.ceil(to * SCALE) + 1)]
}

function distanceToSegment([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const lengthSquared = (x2 - x1) ** 2 + (y2 - y1) ** 2
  const along = lengthSquared === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / lengthSquared
  const nearest = Math.min(1, Math.max(0, along))
  return Math.hypot(x - (x1 + nearest * (x2 - x1)), y - (y1 + nearest * (y2 - y1)))
}

function blend({ data }: Pixels, offset: number, [red, green, blue, alpha]: Color, coverage: number): void {
  const above = alpha * coverage
  const below = ((data[offset + 3] ?? 0) / 255) * (1 - above)
  const total = above + below
  for (const [channel, value] of [red, green, blue].entries()) {
    const before = data[offset + channel] ?? 0
    data[offset + channel] = Math.round((value * above + before * below) / total)
  }
  data[offset + 3] = Math.round(total * 255)
}
