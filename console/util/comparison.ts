import { DAY_MS, dayStarts } from '../../src/model/days.ts'
import { STORES, type Store, type Storefront } from '../../src/model/vocabulary.ts'
import type { AppVersion } from './app-versions.ts'
import { ZONE } from './locale.ts'

/** The columns of a comparison, and which reviews each of them selects. */

export type Listing = { readonly store: Store; readonly app_id: string }

export type Period =
  /** The last days until now, or as long a time before them. */
  | { readonly kind: 'days'; readonly days: number; readonly before: boolean }
  /** Since the first review of a version. */
  | { readonly kind: 'release'; readonly version: string }
  | { readonly kind: 'dates'; readonly since: string | undefined; readonly until: string | undefined }

export type Column = {
  /** One listing, or an app's two; none means all apps. */
  readonly listings: readonly Listing[]
  readonly country: Storefront | undefined
  readonly version: string | undefined
  readonly period: Period
}

/** A column in an address, which has text. */
export type ColumnSearch = {
  readonly app?: string | undefined
  readonly country?: Storefront | undefined
  readonly version?: string | undefined
  readonly period?: string | undefined
  readonly release?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Filters of reviews, which the statistics and the list of reviews both have. */
export type Selection = {
  readonly store?: Store | undefined
  readonly app_id?: string | undefined
  readonly country?: Storefront | undefined
  readonly app_version?: string | undefined
  readonly since: string
  readonly until: string
}

export type Resolved =
  | {
      readonly kind: 'selected'
      /** One for each listing. */
      readonly selections: readonly Selection[]
      readonly since: Date
      /** `now` if the period has no end, so that later reviews do not come under earlier dates. */
      readonly until: Date
    }
  /** The versions of the app must be known first. */
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'invalid'
      readonly problem: 'app' | 'order' | 'length' | 'release' | 'version' | 'versions'
    }

/** In a link to a comparison, before anybody knows the versions. The page puts their names in its address. */
export const NEWEST_VERSION = 'newest'
export const VERSION_BEFORE = 'previous'

/** Longest period of statistics. */
export const DAYS_MAX = 366
export const DAYS_DEFAULT = 30
const ALL_APPS = 'all'

export function columnOf(search: ColumnSearch): Column {
  const { app = ALL_APPS, country, version } = search
  return {
    listings: app === ALL_APPS ? [] : listingsOf(app),
    country,
    version,
    period: periodOf(search),
  }
}

export function columnSearchOf({ listings, country, version, period }: Column): ColumnSearch {
  return {
    app: appValue(listings),
    country,
    version,
    period: period.kind === 'days' ? `${period.days}d${period.before ? '-before' : ''}` : undefined,
    release: period.kind === 'release' ? period.version : undefined,
    since: period.kind === 'dates' ? period.since : undefined,
    until: period.kind === 'dates' ? period.until : undefined,
  }
}

/** `apple/1,google/com.example`, or `all`. */
export function appValue(listings: readonly Listing[]): string {
  return listings.length === 0
    ? ALL_APPS
    : listings.map(({ store, app_id }) => `${store}/${app_id}`).join(',')
}

export function listingsOf(value: string): Listing[] {
  return value.split(/,(?=(?:apple|google)\/)/).flatMap((text) => {
    const store = STORES.find((each) => text.startsWith(`${each}/`))
    return store === undefined ? [] : [{ store, app_id: text.slice(store.length + 1) }]
  })
}

function periodOf({ period, release, since, until }: ColumnSearch): Period {
  if (period === undefined && release !== undefined) return { kind: 'release', version: release }
  if (period === undefined && (since !== undefined || until !== undefined)) {
    return { kind: 'dates', since, until }
  }
  const days = Number.parseInt(period ?? '', 10) || DAYS_DEFAULT
  return { kind: 'days', days, before: period?.endsWith('-before') ?? false }
}

/** The column with the name of its version, or null without such a version. */
export function withNamedVersion(column: Column, versions: readonly AppVersion[]): Column | null {
  const at = [NEWEST_VERSION, VERSION_BEFORE].indexOf(column.version ?? '')
  if (at < 0) return column
  const version = versions[at]?.version
  return version === undefined ? null : { ...column, version }
}

/** The reviews of a column. `versions`: those of its app, undefined until they are loaded. */
export function resolved(column: Column, versions: readonly AppVersion[] | undefined, now: Date): Resolved {
  const named = withNamedVersion(column, versions ?? [])
  if (named === null) {
    if (versions === undefined) return WAITING
    return { kind: 'invalid', problem: versions.length === 0 ? 'versions' : 'version' }
  }
  const { period, country, version, listings } = named
  if (period.kind === 'release' && versions === undefined) return WAITING
  const bounds = boundsOf(period, versions ?? [], now)
  if (bounds === null) return { kind: 'invalid', problem: 'release' }
  const until = bounds.until ?? now
  if (until <= bounds.since) return { kind: 'invalid', problem: 'order' }
  if (until.getTime() - bounds.since.getTime() > DAYS_MAX * DAY_MS) {
    return { kind: 'invalid', problem: 'length' }
  }
  const shared = {
    country,
    app_version: version,
    since: bounds.since.toISOString(),
    until: until.toISOString(),
  }
  return {
    kind: 'selected',
    selections: listings.length === 0 ? [shared] : listings.map((listing) => ({ ...listing, ...shared })),
    since: bounds.since,
    until,
  }
}

const WAITING = { kind: 'waiting' } as const

type Bounds = { readonly since: Date; readonly until: Date | undefined }

/** Null if the period begins with a version that has no review. */
function boundsOf(period: Period, versions: readonly AppVersion[], now: Date): Bounds | null {
  switch (period.kind) {
    case 'days': {
      const [since] = dayStarts(now, period.days, ZONE)
      if (!period.before) return { since, until: undefined }
      // Today is not over, so whole days before would be a longer period.
      const [before] = dayStarts(now, 2 * period.days, ZONE)
      const untilMs = before.getTime() + (now.getTime() - since.getTime())
      return { since: before, until: new Date(Math.min(untilMs, since.getTime())) }
    }
    case 'release': {
      const first = versions.find(({ version }) => version === period.version)?.firstAt
      if (first === undefined) return null
      const longestAgo = dayStarts(now, DAYS_MAX - 1, ZONE)[0]
      return { since: new Date(Math.max(Date.parse(first), longestAgo.getTime())), until: undefined }
    }
    case 'dates': {
      const until = period.until === undefined ? undefined : new Date(period.until)
      const since =
        period.since === undefined
          ? new Date((until ?? now).getTime() - DAYS_DEFAULT * DAY_MS)
          : new Date(period.since)
      return { since, until }
    }
  }
}

const LAST_YEAR: Period = { kind: 'days', days: 365, before: false }
export const DEFAULT_PERIOD: Period = { kind: 'days', days: DAYS_DEFAULT, before: false }
const column = (listings: readonly Listing[], change: Partial<Column> = {}): Column => ({
  listings,
  country: undefined,
  version: undefined,
  period: DEFAULT_PERIOD,
  ...change,
})

/** The newest version of a listing and the one before. */
export function lastVersions(listing: Listing): Column[] {
  return [NEWEST_VERSION, VERSION_BEFORE].map((version) => column([listing], { version, period: LAST_YEAR }))
}

/** The last days and as long a time before. */
export function lastPeriods(listings: readonly Listing[], days = DAYS_DEFAULT): Column[] {
  return [false, true].map((before) => column(listings, { period: { kind: 'days', days, before } }))
}

/** One column for each listing. */
export function sideBySide(listings: readonly Listing[], days = DAYS_DEFAULT): Column[] {
  return listings.map((listing) => column([listing], { period: { kind: 'days', days, before: false } }))
}
