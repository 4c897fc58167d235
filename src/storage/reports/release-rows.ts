import { type Release, releaseKeyOf } from '../../model/release.ts'
import type { Store } from '../../model/vocabulary.ts'
import { dateOf, msOf } from '../values.ts'

/** Releases of an app in a report; a chart with more marks could not be read. */
export const RELEASES_MAX = 100

export type ReleaseRow = { readonly version: string | null; readonly released_at: number }

/** Oldest first, from rows with the newest first. */
export function releasesOf(rows: readonly ReleaseRow[]): Release[] {
  return rows.map(({ version, released_at }) => ({ version, releasedAt: dateOf(released_at) })).reverse()
}

type SavedApp = { readonly store: Store; readonly appId: string; readonly release?: Release | null }

export type NewRelease = {
  readonly store: Store
  readonly appId: string
  readonly key: string
  readonly version: string | null
  readonly releasedAtMs: number
}

/** The releases in a store's answers, each once and in one order for all writers, so that two of them cannot deadlock. */
export function newReleases(apps: readonly SavedApp[]): NewRelease[] {
  const found = new Map<string, NewRelease>()
  for (const { store, appId, release } of apps) {
    if (release === null || release === undefined) continue
    const key = releaseKeyOf(release)
    const id = `${store} ${appId} ${key}`
    const releasedAtMs = Math.min(msOf(release.releasedAt), found.get(id)?.releasedAtMs ?? Infinity)
    found.set(id, { store, appId, key, version: release.version, releasedAtMs })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, release]) => release)
}
