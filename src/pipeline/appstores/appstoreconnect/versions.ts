import type { AppStoreConnectCredentials, OfficialContext } from '../official.ts'
import { instantOf, recordOf, textOf } from '../parsed.ts'
import type { AppStoreConnectState, AppVersion } from './deps.ts'
import { ask } from './request.ts'

/**
 * The versions of reviewed apps. Apple's reviews have none, but each version lists its own reviews. The newest versions are asked, because
 * new reviews are of those.
 */

/** A new version is rare, and a review of it may be found without its version in this time. */
const KNOWN_MS = 15 * 60_000
/** People who do not update write about older versions: three requests find most of them. */
const VERSIONS_MAX = 3
/** 1,000 versions. */
const PAGES_MAX = 5
const LIST = 'fields[appStoreVersions]=versionString,createdDate,appVersionState&limit=200'
/** Two hundred reviews of a version are more than arrive between two polls. */
const REVIEWS = 'sort=-createdDate&limit=200&fields[customerReviews]=createdDate'
/** States in which people can have a version. */
const RELEASED = new Set(['READY_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION'])

/** The app versions of reviews, by review id, as far as they are found. Failures find none: a version is not worth a lost review. */
export async function appVersionsOf(
  deps: AppStoreConnectState,
  query: {
    readonly credentials: AppStoreConnectCredentials
    readonly appId: string
    readonly reviewIds: readonly string[]
  },
  context: OfficialContext,
): Promise<ReadonlyMap<string, string>> {
  const { credentials, appId } = query
  const found = new Map<string, string>()
  const wanted = new Set(query.reviewIds)
  if (wanted.size === 0) return found
  for (const { id, name } of (await newestVersions(deps, credentials, appId, context)) ?? []) {
    const path = `/v1/appStoreVersions/${encodeURIComponent(id)}/customerReviews?${REVIEWS}`
    const about = { kind: 'app', id: appId } as const
    const answer = await ask(deps, credentials, { method: 'GET', path, about }, context)
    if (answer.kind === 'failed') return found
    for (const reviewId of idsOf(answer.root?.data)) {
      if (wanted.delete(reviewId)) found.set(reviewId, name)
    }
    if (wanted.size === 0) return found
  }
  return found
}

/** Newest first; null when they cannot be read. The list has no documented order. */
async function newestVersions(
  deps: AppStoreConnectState,
  credentials: AppStoreConnectCredentials,
  appId: string,
  context: OfficialContext,
): Promise<readonly AppVersion[] | null> {
  const cacheKey = `${credentials.keyId} ${appId}`
  const known = deps.versions.get(cacheKey)
  if (known !== undefined && known.untilMs > deps.clock.monotonicMs()) return known.versions
  const pathname = `/v1/apps/${appId}/appStoreVersions`
  const about = { kind: 'app', id: appId } as const
  const all: AppVersion[] = []
  let path: string | null = `${pathname}?${LIST}`
  for (let page = 0; page < PAGES_MAX && path !== null; page += 1) {
    const answer = await ask(deps, credentials, { method: 'GET', path, about }, context)
    if (answer.kind === 'failed' || !Array.isArray(answer.root?.data)) return null
    all.push(...answer.root.data.flatMap(versionOf))
    const next = recordOf(answer.root.links)?.next
    const url = typeof next === 'string' ? URL.parse(next, 'https://store.invalid') : null
    // The token goes with the request, so a link must be of this list.
    path = url?.pathname === pathname ? url.pathname + url.search : null
  }
  const versions = all.sort((a, b) => b.createdAtMs - a.createdAtMs).slice(0, VERSIONS_MAX)
  deps.versions.set(cacheKey, { versions, untilMs: deps.clock.monotonicMs() + KNOWN_MS })
  return versions
}

function versionOf(item: unknown): AppVersion[] {
  const row = recordOf(item)
  const attributes = recordOf(row?.attributes)
  const state = attributes?.appVersionState
  const name = textOf(attributes?.versionString)
  if (typeof row?.id !== 'string' || name === null) return []
  if (typeof state === 'string' && !RELEASED.has(state)) return []
  return [{ id: row.id, name, createdAtMs: instantOf(attributes?.createdDate)?.getTime() ?? 0 }]
}

function idsOf(data: unknown): string[] {
  return (Array.isArray(data) ? data : []).flatMap((item: unknown) => {
    const id = recordOf(item)?.id
    return typeof id === 'string' ? [id] : []
  })
}
