import type { AppRange } from '../../port/reports.ts'
import { type NewRelease, RELEASES_MAX, type ReleaseRow } from '../../reports/release-rows.ts'
import type { AppScope } from '../../reports/scope.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/** Adds releases. The date of a known one only moves to an earlier time. */
export function saveReleases(db: Connection, releases: readonly NewRelease[]): void {
  for (const { store, appId, key, version, releasedAtMs } of releases) {
    db.run(
      `insert into releases (store, app_id, release_key, version, released_at) values (?, ?, ?, ?, ?)
       on conflict (store, app_id, release_key) do update set released_at = excluded.released_at
       where excluded.released_at < releases.released_at`,
      store,
      appId,
      key,
      version,
      releasedAtMs,
    )
  }
}

/** Newest first. */
export function releaseRows(
  db: Connection,
  { store, appId }: Pick<AppScope, 'store' | 'appId'>,
  { days: [since] }: AppRange,
  now: Date,
): ReleaseRow[] {
  return db.all<ReleaseRow>(
    `select version, released_at from releases
     where store = ? and app_id = ? and released_at >= ? and released_at <= ?
     order by released_at desc, release_key desc limit ${RELEASES_MAX}`,
    store,
    appId,
    msOf(since),
    msOf(now),
  )
}
