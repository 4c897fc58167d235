import type { AppKey, Watch, WatchFilter, WatchRules, WatchSet } from '../../../model/hook.ts'
import type { EventType, Store, Storefront } from '../../../model/vocabulary.ts'
import {
  type Column,
  columns,
  flag,
  instant,
  integer,
  json,
  named,
  nullable,
  type ObjectOf,
  real,
  text,
  word,
} from '../../columns.ts'
import { storefrontsOf, storefrontsText } from './tracked-storefronts.ts'

const storefronts: Column<readonly Storefront[] | null> = {
  read: (stored) => storefrontsOf(stored as string | null),
  store: storefrontsText,
  type: 'text',
}

const FILTER = {
  eventType: word<EventType>(),
  storefronts: named('storefront', storefronts),
  minStars: integer,
  maxStars: integer,
  deltaMicros: nullable(integer),
  deltaWindowHours: nullable(integer),
  thresholdMicros: nullable(integer),
  rules: nullable(json<WatchRules>()),
  spikeMinReviews: nullable(integer),
  spikeFactor: nullable(real),
}

const WATCH_SHAPE = {
  id: text,
  hookId: text,
  accountId: text,
  store: word<Store>(),
  appId: text,
  ...FILTER,
  createdAt: instant,
  setId: nullable(text),
}

export const WATCH = columns(WATCH_SHAPE)

export const WATCH_SET = columns({
  id: text,
  hookId: text,
  accountId: text,
  allApps: flag,
  ...FILTER,
  createdAt: instant,
})

export function watchOf(watch: ObjectOf<typeof WATCH_SHAPE>): Watch {
  return withSpike(watch)
}

export function storedWatch({ spike, ...watch }: Watch): ObjectOf<typeof WATCH_SHAPE> {
  return { ...watch, ...storedSpike(spike) }
}

export type StoredSet = ObjectOf<(typeof WATCH_SET)['shape']>

/** The apps of a set are those of its watches. */
export function watchSetOf({ allApps, ...set }: StoredSet, apps: readonly AppKey[]): WatchSet {
  return { ...withSpike(set), apps: allApps ? null : apps }
}

export function storedSet({ spike, apps, ...set }: WatchSet): StoredSet {
  return { ...set, allApps: apps === null, ...storedSpike(spike) }
}

type StoredSpike = { readonly spikeMinReviews: number | null; readonly spikeFactor: number | null }

function withSpike<Stored extends StoredSpike>({
  spikeMinReviews: minReviews,
  spikeFactor: factor,
  ...rule
}: Stored): Omit<Stored, keyof StoredSpike> & Pick<WatchFilter, 'spike'> {
  return { ...rule, spike: minReviews === null || factor === null ? null : { minReviews, factor } }
}

function storedSpike(spike: WatchFilter['spike']): StoredSpike {
  return { spikeMinReviews: spike?.minReviews ?? null, spikeFactor: spike?.factor ?? null }
}

const FILTERS = columns(FILTER)

export function hasSameFilter(one: WatchFilter, other: WatchFilter): boolean {
  const [a, b] = [one, other].map((filter) => FILTERS.values({ ...filter, ...storedSpike(filter.spike) }))
  return JSON.stringify(a) === JSON.stringify(b)
}
