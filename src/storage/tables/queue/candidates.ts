import { storefrontsWatched } from '../../../model/coverage.ts'
import type { Occurrence } from '../../../model/occurrence.ts'
import { columns, integer, named } from '../../columns.ts'
import type { Candidate, FiredSpike } from '../../port/occurrences.ts'
import { dateOf, msOf } from '../../values.ts'
import { all, lock, runRows, type SqlPair, sql, together, type Work } from '../../work.ts'
import { watchersOf } from '../feeds/coverage.ts'
import { WATCH, watchOf } from '../hooks/watch-columns.ts'

const WATCHED = sql(
  (d) => `from (select distinct store, app_id, event_type
      from ${d.rows('?1', 'app', { store: 'text', app_id: 'text', event_type: 'text' })}) v
    join watches w on w.store = v.store and w.app_id = v.app_id and w.event_type = v.event_type
    join hooks h on h.id = w.hook_id
    where h.status <> 'gone' and h.deleted_at is null order by w.created_at, w.id`,
)

const CANDIDATE = columns({ ...WATCH.shape, lateReviewsHours: named('h.late_reviews_hours', integer) }, 'w')

/** The candidates of each app and event type, read with two statements. */
export function* candidatesOf(
  occurrences: readonly Occurrence[],
): Work<(occurrence: Occurrence) => readonly Candidate[]> {
  const keyOf = ({ store, eventType, appId }: Pick<Occurrence, 'store' | 'eventType' | 'appId'>) =>
    `${store} ${eventType} ${appId}`
  const wanted = [...new Map(occurrences.map((occurrence) => [keyOf(occurrence), occurrence])).values()]
  const keys = wanted.map(({ store, appId, eventType }) => ({ store, app_id: appId, event_type: eventType }))
  const [watchers, watches] = yield* together(
    watchersOf(wanted),
    CANDIDATE.all(WATCHED, JSON.stringify(keys)),
  )
  const candidates = new Map<string, readonly Candidate[]>()
  const byKey = Map.groupBy(watches, keyOf)
  return (occurrence) => {
    const key = keyOf(occurrence)
    const known = candidates.get(key)
    if (known !== undefined) return known
    const { watches: ofApp, tracked } = watchers(occurrence)
    const storefronts = storefrontsWatched(ofApp, tracked)
    const found = (byKey.get(key) ?? []).map(({ lateReviewsHours, ...watch }) => ({
      watch: watchOf(watch),
      lateReviewsHours,
      storefronts: storefronts.get(watch.accountId) ?? [],
      slideFiredAt: null,
      spikeFiredAt: null,
    }))
    candidates.set(key, found)
    return found
  }
}

/**
 * When watches with a window, and watches of spikes, last had an event. One commit of fan-out reads them first, keeps changes in memory,
 * and writes them at its end. Another node may fan out another drop of the same feed, or another poll of the same app. Without the lock
 * both could fire for one slide or spike.
 */
type Fired = {
  /** Null if never. */
  readonly at: (watchId: string, market: string) => Date | null
  readonly add: (watchId: string, market: string, atMs: number) => void
  readonly store: () => Work<number>
}

const keyOf = (watchId: string, market: string) => JSON.stringify([watchId, market])

type Table = { readonly lock: string; readonly read: SqlPair; readonly write: SqlPair }

/** The lock is a statement of its own: the next one sees what its holder committed. A fixed order avoids deadlocks. */
const lockOf = (name: string) => `select pg_advisory_xact_lock(key) from (
    select hashtextextended('${name} of ' || id, 0) as key from unnest(?1::text[]) as id order by 1) keys`

/** A watch that was removed meanwhile has none. */
const SLIDES: Table = {
  lock: lockOf('slides'),
  read: sql(
    (d) => `select watch_id, market, fired_at from rating_slides where watch_id ${d.among('?1', 'text')}`,
  ),
  write: {
    sqlite: `insert into rating_slides (watch_id, market, fired_at) values (?1, ?2, ?3)
      on conflict (watch_id, market) do update set fired_at = max(fired_at, excluded.fired_at)`,
    postgres: `insert into rating_slides (watch_id, market, fired_at)
      select v.watch_id, v.market, v.fired_at
      from unnest(?1::text[], ?2::text[], ?3::bigint[]) as v (watch_id, market, fired_at)
      join watches w on w.id = v.watch_id for key share of w
      on conflict (watch_id, market) do update set fired_at = greatest(rating_slides.fired_at, excluded.fired_at)`,
  },
}

/** Of all markets together: ''. */
const SPIKES: Table = {
  lock: lockOf('spikes'),
  read: sql(
    (d) =>
      `select watch_id, '' as market, fired_at from watch_spikes where watch_id ${d.among('?1', 'text')}`,
  ),
  write: {
    sqlite: `insert into watch_spikes (watch_id, fired_at) select ?1, ?3 where ?2 = ''
      on conflict (watch_id) do update set fired_at = max(fired_at, excluded.fired_at)`,
    postgres: `insert into watch_spikes (watch_id, fired_at)
      select v.watch_id, v.fired_at
      from unnest(?1::text[], ?2::text[], ?3::bigint[]) as v (watch_id, market, fired_at)
      join watches w on w.id = v.watch_id for key share of w
      on conflict (watch_id) do update set fired_at = greatest(watch_spikes.fired_at, excluded.fired_at)`,
  },
}

function* firedOf(table: Table, watchIds: readonly string[]): Work<Fired> {
  const firedAtMs = new Map<string, number>()
  if (watchIds.length > 0) {
    yield* lock(table.lock, watchIds)
    type Row = { watch_id: string; market: string; fired_at: number }
    for (const { watch_id, market, fired_at } of yield* all<Row>(table.read, watchIds))
      firedAtMs.set(keyOf(watch_id, market), fired_at)
  }
  const changed = new Map<string, [watchId: string, market: string]>()
  return {
    at: (watchId, market) => {
      const ms = firedAtMs.get(keyOf(watchId, market))
      return ms === undefined ? null : dateOf(ms)
    },
    add: (watchId, market, atMs) => {
      const key = keyOf(watchId, market)
      firedAtMs.set(key, Math.max(firedAtMs.get(key) ?? 0, atMs))
      changed.set(key, [watchId, market])
    },
    store: () =>
      runRows(
        table.write,
        [...changed].map(([key, names]) => [...names, firedAtMs.get(key) ?? 0]),
      ),
  }
}

type FiredWatches = {
  /** Adds `slideFiredAt` to the candidates with a window, and `spikeFiredAt` to those of a spike. */
  readonly add: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly Candidate[]
  readonly slides: (occurrence: Occurrence, watchIds: readonly string[]) => void
  readonly spikes: (spikes: readonly FiredSpike[]) => void
  readonly store: () => Work<void>
}

export function* firedWatches(
  occurrences: readonly Occurrence[],
  candidates: (occurrence: Occurrence) => readonly Candidate[],
  now: Date,
): Work<FiredWatches> {
  const watchesOf = (type: Occurrence['eventType']) =>
    occurrences.filter(({ eventType }) => eventType === type).flatMap((each) => candidates(each))
  const idsOf = (found: readonly Candidate[]) => [...new Set(found.map(({ watch }) => watch.id))]
  const windows = watchesOf('rating.dropped').filter(({ watch }) => watch.deltaWindowHours !== null)
  const slides = yield* firedOf(SLIDES, idsOf(windows))
  const spikes = yield* firedOf(SPIKES, idsOf(watchesOf('reviews.spiked')))
  return {
    add: ({ eventType, market }, found) => {
      if (eventType === 'rating.dropped')
        return found.map((each) => ({ ...each, slideFiredAt: slides.at(each.watch.id, market) }))
      if (eventType !== 'reviews.spiked') return found
      return found.map((each) => ({ ...each, spikeFiredAt: spikes.at(each.watch.id, '') }))
    },
    // At the drop, but not after now. A drop that was observed with a clock that was ahead has a later time, and no drop before that time
    // would be sent.
    slides: ({ market, occurredAt }, watchIds) => {
      for (const id of watchIds) slides.add(id, market, Math.min(msOf(occurredAt), msOf(now)))
    },
    spikes: (fired) => {
      for (const { watchId, end } of fired) spikes.add(watchId, '', msOf(end))
    },
    *store() {
      yield* slides.store()
      yield* spikes.store()
    },
  }
}
