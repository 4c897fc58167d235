import type { SimulatedAnswer } from '../answer.ts'
import type { Fault } from '../fault.ts'
import type { World, WorldApp } from '../world.ts'
import { json } from './reply.ts'
import type { Route } from './route.ts'

/** Maximum ids of a lookup; the others are ignored. */
const LOOKUP_IDS_MAX = 200

const HELP = {
  output: 'json',
  callback: 'A javascript function to handle your search results',
  country: 'ISO-2A country code',
  limit: 'The number of search results to return',
  term: 'A search string',
  lang: 'ISO-2A language code',
}

/** The answer omits apps that the storefront does not have. A lookup fails if one id is not a number. */
export function lookupAnswer(
  world: World,
  route: Extract<Route, { source: 'lookup' }>,
  faults: ReadonlyMap<string, Fault>,
): SimulatedAnswer {
  if (route.ids.some((id) => !/^\d{1,18}$/.test(id))) {
    return framed(400, { errorMessage: 'Invalid value(s) for key(s): [itunesId]', queryParameters: HELP })
  }
  const results = route.ids.slice(0, LOOKUP_IDS_MAX).flatMap((appId) => {
    const app = world.app({ store: 'apple', appId })
    const fault = faults.get(appId)?.kind
    return app === null || fault === 'gone'
      ? []
      : [resultOf(world, app, route.storefront, fault === 'zero_rating')]
  })
  const changed = [...faults.values()].some((fault) => fault.kind === 'changed')
  return framed(200, { resultCount: results.length, [changed ? 'apps' : 'results']: results })
}

/** Apps with every word of the term in name or developer, those that start with it first. */
export function searchAnswer(
  world: World,
  route: Extract<Route, { source: 'search' }>,
  fault: Fault | null,
): SimulatedAnswer {
  const term = (route.query.get('term') ?? '').toLowerCase().trim()
  const limit = Math.min(Math.max(Number(route.query.get('limit') ?? 50) || 50, 1), 200)
  const words = term.split(/\s+/)
  const found = world
    .apps('apple')
    .filter((app) => words.every((word) => `${app.name} ${app.developer}`.toLowerCase().includes(word)))
    .sort((a, b) => startsWith(b, term) - startsWith(a, term))
  const results = (term === '' || fault?.kind === 'gone' ? [] : found)
    .slice(0, limit)
    .map((app) => resultOf(world, app, route.storefront, fault?.kind === 'zero_rating'))
  return framed(200, {
    resultCount: results.length,
    [fault?.kind === 'changed' ? 'apps' : 'results']: results,
  })
}

function startsWith(app: WorldApp, term: string): number {
  return app.name.toLowerCase().startsWith(term) ? 1 : 0
}

function resultOf(world: World, app: WorldApp, storefront: string, zero: boolean): Record<string, unknown> {
  const rating = zero ? null : world.rating({ store: 'apple', appId: app.appId, storefront })
  const average = Number(rating?.average ?? 0)
  const count = rating?.count ?? 0
  return {
    ...(app.iconUrl === null
      ? {}
      : { artworkUrl60: app.iconUrl, artworkUrl100: app.iconUrl, artworkUrl512: app.iconUrl }),
    kind: 'software',
    wrapperType: 'software',
    trackId: Number(app.appId),
    trackName: app.name,
    trackCensoredName: app.name,
    trackViewUrl: `https://apps.apple.com/${storefront}/app/id${app.appId}?uo=4`,
    bundleId: `com.example.app${app.appId}`,
    artistId: 1,
    artistName: app.developer,
    sellerName: app.developer,
    ...(app.release === undefined
      ? {}
      : {
          version: app.release.version,
          // Whole seconds.
          currentVersionReleaseDate: `${app.release.releasedAt.toISOString().slice(0, 19)}Z`,
        }),
    price: 0,
    formattedPrice: 'Free',
    averageUserRating: average,
    averageUserRatingForCurrentVersion: average,
    userRatingCount: count,
    userRatingCountForCurrentVersion: count,
  }
}

/** The answer starts with newlines and has the content type of a script. */
function framed(status: number, value: unknown): SimulatedAnswer {
  const answer = json(status, value, 'text/javascript')
  return { ...answer, body: `\n\n\n${answer.body}\n\n\n` }
}
