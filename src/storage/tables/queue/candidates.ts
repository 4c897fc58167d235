import { storefrontsWatched } from '../../../model/coverage.ts'
import type { Occurrence } from '../../../model/occurrence.ts'
import type { Candidate } from '../../port/occurrences.ts'
import { sql, together, type Work } from '../../work.ts'
import { watchersOf } from '../feeds/coverage.ts'
import { watchesFrom } from '../hooks/watch-columns.ts'

const WATCHED = sql(
  (d) => `from (select distinct store, app_id, event_type
      from ${d.rows('?1', 'app', { store: 'text', app_id: 'text', event_type: 'text' })}) v
    join watches w on w.store = v.store and w.app_id = v.app_id and w.event_type = v.event_type
    join hooks h on h.id = w.hook_id
    where h.status <> 'gone' and h.deleted_at is null order by w.created_at, w.id`,
)

/** The candidates of each app and event type, read with two statements. */
export function* candidatesOf(
  occurrences: readonly Occurrence[],
): Work<(occurrence: Occurrence) => readonly Candidate[]> {
  const keyOf = ({ store, eventType, appId }: Pick<Occurrence, 'store' | 'eventType' | 'appId'>) =>
    `${store} ${eventType} ${appId}`
  const wanted = [...new Map(occurrences.map((occurrence) => [keyOf(occurrence), occurrence])).values()]
  const keys = wanted.map(({ store, appId, eventType }) => ({ store, app_id: appId, event_type: eventType }))
  const [watchers, watches] = yield* together(watchersOf(wanted), watchesFrom(WATCHED, JSON.stringify(keys)))
  const candidates = new Map<string, readonly Candidate[]>()
  const byKey = Map.groupBy(watches, keyOf)
  return (occurrence) => {
    const key = keyOf(occurrence)
    const known = candidates.get(key)
    if (known !== undefined) return known
    const { watches: ofApp, tracked } = watchers(occurrence)
    const storefronts = storefrontsWatched(ofApp, tracked)
    const found = (byKey.get(key) ?? []).map((watch) => ({
      watch,
      storefronts: storefronts.get(watch.accountId) ?? [],
      slideFiredAt: null,
      spikeFiredAt: null,
    }))
    candidates.set(key, found)
    return found
  }
}
