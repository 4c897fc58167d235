import type { AppRange } from '../../port/reports.ts'
import { type NewRelease, RELEASES_MAX, type ReleaseRow } from '../../reports/release-rows.ts'
import type { AppScope } from '../../reports/scope.ts'
import { msOf } from '../../values.ts'
import type { Queries } from '../connect.ts'

/** Adds releases. The date of a known one only moves to an earlier time. */
export async function saveReleases(db: Queries, releases: readonly NewRelease[]): Promise<void> {
  await db.run(
    `insert into releases (store, app_id, release_key, version, released_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
     on conflict (store, app_id, release_key) do update set released_at = excluded.released_at
     where excluded.released_at < releases.released_at`,
    releases.map(({ store }) => store),
    releases.map(({ appId }) => appId),
    releases.map(({ key }) => key),
    releases.map(({ version }) => version),
    releases.map(({ releasedAtMs }) => releasedAtMs),
  )
}

/** Newest first. */
export async function releaseRows(
  db: Queries,
  { store, appId }: Pick<AppScope, 'store' | 'appId'>,
  { days: [since] }: AppRange,
  now: Date,
): Promise<ReleaseRow[]> {
  return db.all<ReleaseRow>(
    `select version, released_at from releases
     where store = $1 and app_id = $2 and released_at >= $3 and released_at <= $4
     order by released_at desc, release_key desc limit ${RELEASES_MAX}`,
    store,
    appId,
    msOf(since),
    msOf(now),
  )
}
