/** Synthetic times of reviews, in hours. Time 0 is the start of the measurement; earlier ones are history. */

/** Random numbers from 0 to 1. */
export type Rng = () => number

function normal(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng())
}

/** The shape of a feed's arrivals around its mean rate. */
export type Shape = 'poisson' | 'rhythm' | 'releases'

export type FeedArrivals = {
  readonly perDay: number
  /** When the store shows each review: sorted; negative ones are before the measurement. */
  readonly atHours: Float64Array
  /** The dates of these reviews. */
  readonly writtenHours: Float64Array
  /** The expected reviews per day at an hour. */
  readonly rateAt: (atHours: number) => number
}

const HISTORY_HOURS = 120 * 24
/** A release starts a burst of this many times the mean rate, which decays with this time constant. */
const BURST_FACTOR = 12
const BURST_DECAY_HOURS = 30
const RELEASE_INTERVAL_HOURS = 21 * 24
/** At night the rate is a tenth of the mean; in the evening 1.9 times. */
const RHYTHM = 0.9

/**
 * A store shows a review 27 to 29 hours after it was written (docs/stores.md, Delay); it is not known whether in batches.
 * `batchHours` 0: each at its own time.
 */
export type Publication = {
  readonly leastHours: number
  readonly mostHours: number
  readonly batchHours: number
}
export const AT_ONCE: Publication = { leastHours: 0, mostHours: 0, batchHours: 0 }
export const A_DAY_LATE: Publication = { leastHours: 27, mostHours: 29, batchHours: 0 }

export function arrivalsOf(
  perDay: number,
  shape: Shape,
  hours: number,
  rng: Rng,
  publication: Publication,
): FeedArrivals {
  const phase = rng() * 24
  const releases: number[] = []
  if (shape === 'releases') {
    for (let at = -HISTORY_HOURS; at < hours; at += -Math.log(1 - rng()) * RELEASE_INTERVAL_HOURS)
      releases.push(at)
  }
  // Bursts add to the base rate; both together have the mean `perDay`.
  const base =
    shape === 'releases' ? perDay / (1 + (BURST_FACTOR * BURST_DECAY_HOURS) / RELEASE_INTERVAL_HOURS) : perDay
  const rateAt = (at: number) => {
    if (shape === 'rhythm') return perDay * (1 + RHYTHM * Math.sin(((at - phase) / 24) * 2 * Math.PI))
    let rate = base
    for (const release of releases) {
      if (release > at) break
      rate += base * BURST_FACTOR * Math.exp((release - at) / BURST_DECAY_HOURS)
    }
    return rate
  }
  const most =
    shape === 'poisson'
      ? perDay
      : shape === 'rhythm'
        ? perDay * (1 + RHYTHM)
        : base * (1 + BURST_FACTOR * 2.5)
  const reviews: { readonly shown: number; readonly written: number }[] = []
  for (let at = -HISTORY_HOURS; ; ) {
    at += (-Math.log(1 - rng()) / most) * 24
    if (at >= hours) break
    if (rng() * most < rateAt(at)) reviews.push({ shown: shownAt(at, publication, rng), written: at })
  }
  reviews.sort((one, other) => one.shown - other.shown)
  return {
    perDay,
    rateAt,
    atHours: Float64Array.from(reviews, ({ shown }) => shown),
    writtenHours: Float64Array.from(reviews, ({ written }) => written),
  }
}

function shownAt(written: number, { leastHours, mostHours, batchHours }: Publication, rng: Rng): number {
  const shown = written + leastHours + rng() * (mostHours - leastHours)
  return batchHours === 0 ? shown : Math.ceil(shown / batchHours) * batchHours
}

/** Rates per day with this median and this standard deviation of their logarithm. */
export function logNormalRate(median: number, sigma: number, rng: Rng): number {
  return median * Math.exp(sigma * normal(rng))
}
