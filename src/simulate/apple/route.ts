import type { SimulatedRequest } from '../answer.ts'

/** A request to the simulated App Store. */
export type Route =
  | ({
      readonly source: 'rss'
      readonly form: 'json' | 'xml'
      readonly page: number
      readonly newestFirst: boolean
    } & OneApp)
  | ({ readonly source: 'web'; readonly query: URLSearchParams } & OneApp)
  | ({ readonly source: 'row'; readonly query: URLSearchParams } & OneApp)
  | ({ readonly source: 'page' } & OneApp)
  | { readonly source: 'lookup'; readonly ids: readonly string[]; readonly storefront: string }
  | { readonly source: 'search'; readonly query: URLSearchParams; readonly storefront: string }
type OneApp = { readonly appId: string; readonly storefront: string }

/** Null for an unknown path. Handles both of Apple's hosts, because their paths differ. */
export function routeOf(request: SimulatedRequest): Route | null {
  const { pathname, searchParams: query } = new URL(request.url, 'http://store.invalid')
  const country = (query.get('country') ?? query.get('cc') ?? 'us').toLowerCase()
  if (pathname === '/lookup') {
    return {
      source: 'lookup',
      ids: (query.get('id') ?? '').split(',').filter((id) => id !== ''),
      storefront: country,
    }
  }
  if (pathname === '/search') return { source: 'search', query, storefront: country }
  if (pathname === '/WebObjects/MZStore.woa/wa/userReviewsRow') {
    return { source: 'row', appId: query.get('id') ?? '', storefront: country, query }
  }
  const web = /^\/api\/apps\/v1\/catalog\/([a-z]{2})\/apps\/(\d+)\/reviews$/.exec(pathname)
  if (web !== null) return { source: 'web', storefront: web[1] ?? '', appId: web[2] ?? '', query }
  const page = /^\/([a-z]{2})\/app\/(?:[^/]+\/)?id(\d+)$/.exec(pathname)
  if (page !== null) return { source: 'page', storefront: page[1] ?? '', appId: page[2] ?? '' }
  return feedRoute(pathname, country)
}

/** The feed accepts its segments in any order and case; the default is the first page. */
function feedRoute(pathname: string, country: string): Route | null {
  const feed = /^(?:\/([a-z]{2}))?\/rss\/customerreviews\/(.+)\/(json|xml)$/i.exec(pathname)
  if (feed === null) return null
  const segments = new Map((feed[2] ?? '').split('/').map((segment) => pairOf(segment.toLowerCase())))
  return {
    source: 'rss',
    form: feed[3]?.toLowerCase() === 'xml' ? 'xml' : 'json',
    storefront: (feed[1] ?? country).toLowerCase(),
    appId: segments.get('id') ?? '',
    page: Number(segments.get('page') ?? 1),
    newestFirst: segments.get('sortby') !== 'mosthelpful',
  }
}

function pairOf(segment: string): [string, string] {
  const [key = '', value = ''] = segment.split('=', 2)
  return [key, value]
}
