import type { AppKey } from '../../../model/hook.ts'
import { type Release, releaseKeyOf } from '../../../model/release.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, instant, nullable, text, word } from '../../columns.ts'
import { msOf } from '../../values.ts'
import type { Work } from '../../work.ts'

/** Releases of an app in a report; a chart with more marks could not be read. */
const RELEASES_MAX = 100

const RELEASE = columns({ version: nullable(text), releasedAt: instant })

const NEW_RELEASE = columns({ store: word<Store>(), appId: text, releaseKey: text, ...RELEASE.shape })

/** The releases of an app in a period, oldest first. */
export function* releasesIn({ store, appId }: AppKey, since: Date, until: Date): Work<Release[]> {
  const newest = yield* RELEASE.all(
    `from releases where store = ?1 and app_id = ?2 and released_at >= ?3 and released_at <= ?4
     order by released_at desc, release_key desc limit ${RELEASES_MAX}`,
    ...[store, appId, msOf(since), msOf(until)],
  )
  return newest.reverse()
}

/** Adds the releases in a store's answers. The date of a known one only moves to an earlier time. */
export function saveReleases(apps: readonly SavedApp[]): Work<number> {
  return NEW_RELEASE.insertAll(
    'releases',
    newReleases(apps),
    `on conflict (store, app_id, release_key) do update set released_at = excluded.released_at
       where excluded.released_at < releases.released_at`,
  )
}

type SavedApp = { readonly store: Store; readonly appId: string; readonly release?: Release | null }

/** The releases in a store's answers, each once and in one order for all writers, so that two of them cannot deadlock. */
function newReleases(apps: readonly SavedApp[]) {
  const found = new Map<string, Release & AppKey & { readonly releaseKey: string }>()
  for (const { store, appId, release } of apps) {
    if (release === null || release === undefined) continue
    const releaseKey = releaseKeyOf(release)
    const id = `${store} ${appId} ${releaseKey}`
    const known = found.get(id)
    const releasedAt =
      known === undefined || release.releasedAt < known.releasedAt ? release.releasedAt : known.releasedAt
    found.set(id, { store, appId, releaseKey, version: release.version, releasedAt })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, release]) => release)
}
