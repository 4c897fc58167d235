import { randomBytes } from 'node:crypto'
import { ratingMicros } from '../../../model/decimal.ts'
import type { Rating } from '../../../model/rating.ts'
import { releaseOf } from '../../../model/release.ts'
import type { StoreApp } from '../appstore.ts'
import { changed, instantOf, type Parsed, parsed, recordOf, textOf } from '../parsed.ts'
import { jsonText } from '../review-page-rows.ts'
import {
  type Failed,
  failed,
  failedAsChanged,
  type RequestContext,
  type RequestDeps,
  sendRequest,
} from './request.ts'
import { readJson } from './unreadable.ts'

/** The most ids in one lookup. */
export const LOOKUP_IDS_MAX = 200

/** An app in an answer of lookup or search. */
export type LookedUp = {
  readonly app: StoreApp
  /**
   * `none`: 0 stars of 0 ratings, or no rating at all. So a new app is shown, and apps with thousands of ratings have been shown so too
   * (recorded 2020): the caller knows whether a rating was ever seen.
   */
  readonly rating: { readonly kind: 'rated'; readonly rating: Rating } | { readonly kind: 'none' } | Failed
}

export type LookupAnswer =
  | { readonly kind: 'apps'; readonly apps: ReadonlyMap<string, LookedUp> }
  /** Apple rejected one of the ids without saying which. */
  | { readonly kind: 'rejected'; readonly detail: string }
  | Failed

/** Looks up at most 200 apps of one storefront. The answer omits apps that are not sold there. */
export async function lookUp(
  deps: RequestDeps,
  query: { readonly appIds: readonly string[]; readonly storefront: string },
  context: RequestContext,
): Promise<LookupAnswer> {
  // Apple caches answers by URL for a day or more (reported 2017 to 2024), so each lookup has its own URL.
  const fresh = randomBytes(6).toString('hex')
  const path = `/lookup?id=${query.appIds.join(',')}&country=${query.storefront}&_=${fresh}`
  const response = await sendRequest(deps, { source: 'lookup', host: 'itunes', path }, context)
  if (response.kind === 'failed') return response
  if (response.status === 404)
    return failed('unknown', 'lookup', 'Apple answered the lookup with status 404.')
  const read = readJson<LookedUp[] | string>('lookup', response, (root) => {
    const message = textOf(recordOf(root)?.errorMessage)
    return message === null ? parseApps(root) : parsed(message)
  })
  if (read.kind === 'failed') return read
  if (typeof read.value === 'string') return { kind: 'rejected', detail: read.value.slice(0, 200) }
  return { kind: 'apps', apps: new Map(read.value.map((one) => [one.app.appId, one])) }
}

/** Reads `{resultCount, results}` of lookup and search, without songs, books and other media. */
export function parseApps(root: unknown): Parsed<LookedUp[]> {
  const results = recordOf(root)?.results
  if (!Array.isArray(results)) return changed('there is no list `results`')
  const apps: LookedUp[] = []
  for (const item of results as readonly unknown[]) {
    const result = recordOf(item)
    if (result === null) return changed('an element of `results` is not an object')
    if (result.wrapperType !== undefined && result.wrapperType !== 'software') continue
    const appId = result.trackId
    if (typeof appId !== 'number' || !Number.isSafeInteger(appId))
      return changed('an app has no numeric `trackId`')
    const name = textOf(result.trackName)
    if (name === null) return changed(`app ${appId} has no name`)
    const rating = ratingOf(result)
    apps.push({
      app: {
        store: 'apple',
        appId: String(appId),
        name,
        developer: textOf(result.artistName) ?? textOf(result.sellerName),
        iconUrl: textOf(result.artworkUrl100) ?? textOf(result.artworkUrl512) ?? textOf(result.artworkUrl60),
        rating: rating.kind === 'rated' ? rating.rating : null,
        release: releaseOf(textOf(result.version), instantOf(result.currentVersionReleaseDate)),
      },
      rating,
    })
  }
  return parsed(apps)
}

/** Averages had steps of 0.5 until 2019 and have five decimal places since; a JSON number represents them exactly. */
function ratingOf(result: Readonly<Record<string, unknown>>): LookedUp['rating'] {
  const { averageUserRating: average = null, userRatingCount: count = null } = result
  if (average === null && count === null) return { kind: 'none' }
  const changedFormat = (reason: string) => failedAsChanged('lookup', reason, jsonText(result))
  const micros = typeof average === 'number' ? ratingMicros(average) : null
  if (micros === null) return changedFormat('`averageUserRating` is not a number from 0 to 5')
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
    return changedFormat('`userRatingCount` is not a whole number')
  }
  // The lowest rating is one star, so 0 stars or 0 ratings are none.
  if (micros === 0 || count === 0) return { kind: 'none' }
  return { kind: 'rated', rating: { micros, count } }
}
