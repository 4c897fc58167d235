/** A month of the App Store as collectors saw it in November 2026, and the same month without faults. */

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export type MonthPlan = {
  readonly feeds: number
  /** When the service starts and the last review appears. */
  readonly fromMs: number
  readonly untilMs: number
  readonly seed: number
  readonly faults: boolean
}

/** A review appears at the store so long after it was written (recorded 2021 to 2026). */
export const DELAY_MS = { least: 27 * HOUR_MS, most: 29 * HOUR_MS } as const

/** Pages of the feed that are empty without a reason, by address and hours. */
export const SHELLS = { share: 0.3, keptMs: { least: HOUR_MS, most: 6 * HOUR_MS } } as const

/**
 * More requests than these to the feed within this time get empty pages for every app, for some minutes. The service never makes a dozen
 * within half a minute, so the time is longer than what was seen.
 */
export const THROTTLE = { requests: 12, withinMs: 60_000, lastsMs: 10 * 60_000 } as const

/** The changes of the store, and the faults of its sources that tell each of them. */
export type Change = {
  readonly name: string
  readonly atMs: number
  readonly sources: readonly string[]
  readonly fault: string
}

const FEED = ['rss', 'rss_xml'] as const

/** The first two are as early as they can be noticed: twelve hours and three days after the start. */
export function changesOf({ fromMs }: MonthPlan): {
  readonly shells: Change
  readonly unsorted: Change
  readonly frozen: Change
} {
  return {
    shells: { name: 'empty pages', atMs: fromMs + 12 * HOUR_MS, sources: FEED, fault: 'empty' },
    unsorted: { name: 'unsorted web', atMs: fromMs + 3 * DAY_MS, sources: ['web'], fault: 'unsorted' },
    frozen: {
      name: 'frozen feed',
      atMs: Date.parse('2026-11-18T00:00:00Z'),
      sources: FEED,
      fault: 'frozen',
    },
  }
}

/** After the last review, so that every feed is polled again; the faults go on. */
export const DRAIN_MS = 2 * DAY_MS

export const NOVEMBER = {
  fromMs: Date.parse('2026-11-01T00:00:00Z'),
  untilMs: Date.parse('2026-12-01T00:00:00Z'),
} as const

export const REFERENCE_APP = '389801252'
