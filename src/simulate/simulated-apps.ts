import type { Store, Storefront } from '../model/vocabulary.ts'

export type SimulatedApp = {
  readonly name: string
  readonly developer: string
  readonly appIds: Readonly<Record<Store, string>>
  /** Number of reviews per store before the activity starts. For the first app they are more than one page in both stores. */
  readonly oldReviews: number
  readonly usualAverage: number
  /** The app's share of all activity. */
  readonly share: number
  readonly versions: readonly string[]
}

export const SIMULATED_APPS: readonly SimulatedApp[] = [
  {
    name: 'Larkspur Notes',
    developer: 'Larkspur Works',
    appIds: { apple: '9100000101', google: 'com.example.larkspur' },
    oldReviews: 960,
    usualAverage: 4.5,
    share: 4,
    versions: ['5.1.0', '5.0.2', '4.9.7'],
  },
  {
    name: 'Tidewater Habits',
    developer: 'Tidewater Studio',
    appIds: { apple: '9100000202', google: 'com.example.tidewater' },
    oldReviews: 280,
    usualAverage: 4.2,
    share: 2,
    versions: ['2.14', '2.13.1'],
  },
  {
    name: 'Copperleaf Budget',
    developer: 'Copperleaf GmbH',
    appIds: { apple: '9100000303', google: 'com.example.copperleaf' },
    oldReviews: 240,
    usualAverage: 3.9,
    share: 1,
    versions: ['11.3.5', '11.3.4', '11.2.0'],
  },
]

/** The relative number of reviewers in a storefront. */
export const REVIEWER_WEIGHTS: Readonly<Record<Storefront, number>> = {
  us: 6,
  gb: 2,
  ca: 1,
  au: 1,
  ie: 0.5,
  fr: 2,
  de: 2,
  es: 1.5,
  se: 1,
  br: 2,
  mx: 1,
  jp: 2,
  kr: 1.5,
  in: 2,
  nl: 1,
  it: 1.5,
}

/** The app of the first events. */
export function firstApp(): SimulatedApp {
  const [first] = SIMULATED_APPS
  if (first === undefined) throw new RangeError('There are no apps.')
  return first
}

/** The age of the newest release, which the stores show, and the days between it and each earlier one. */
export const NEWEST_RELEASE_DAYS_AGO = 11
const DAYS_BETWEEN_RELEASES = 14
const DAY_MS = 24 * 3_600_000

/** The versions that reviewers use at a time: the newest two that were released by then, or the oldest. */
export function versionsInUse({ versions }: SimulatedApp, daysAgo: number): readonly string[] {
  const released = versions.filter((_, index) => daysAgo <= releasedDaysAgo(index))
  return released.length === 0 ? versions.slice(-1) : released.slice(0, 2)
}

/** All releases until now; the stores show only the newest. */
export function releasesOf({ versions }: SimulatedApp, now: Date) {
  return versions.map((version, index) => ({
    version,
    releasedAt: new Date(now.getTime() - releasedDaysAgo(index) * DAY_MS),
  }))
}

/** The age of a release by its place among the versions, newest first. */
function releasedDaysAgo(index: number): number {
  return NEWEST_RELEASE_DAYS_AGO + index * DAYS_BETWEEN_RELEASES
}
