import type { Rating } from '../../../model/rating.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import type { AppsAnswer, Pace, StoreApp } from '../appstore.ts'
import { ratingOfNode } from './details-page.ts'
import { APP_NODE } from './known-formats.ts'
import { blocksOf } from './page-data.ts'
import { type RequestDeps, sendRequest, unreadable } from './request.ts'
import { at, textAt } from './shape.ts'

const SOURCE = 'search'

/** Paths in a search page: its sections, the list of apps of a section, and the exact match. */
const SECTIONS = [0, 1] as const
const LIST = [22, 0] as const
const EXACT = [23, 16] as const

export async function searchApps(
  deps: RequestDeps,
  query: {
    readonly term: string
    readonly storefront: Storefront
    readonly language: string
    readonly limit: number
  },
  pace: Pace,
  signal: AbortSignal,
): Promise<AppsAnswer> {
  const parameters = new URLSearchParams({
    q: query.term,
    c: 'apps',
    hl: query.language,
    gl: query.storefront,
  })
  const request = { method: 'GET', path: `/store/search?${parameters}`, headers: {} } as const
  const response = await sendRequest(deps, SOURCE, request, pace, signal)
  if (response.kind === 'failed') return response.failure
  if (response.kind === 'not_found') return unreadable(SOURCE, 'the search URL returns status 404', '')
  const apps = readSearchPage(response.text)
  if (apps === null) return unreadable(SOURCE, 'the search page has no app data', response.text)
  return { kind: 'ok', apps: apps.slice(0, query.limit) }
}

/**
 * The apps of a search page, the exact match first, without duplicates. Empty without results; null when it is not a
 * search page. The block is identified by its shape, because its number changes.
 */
export function readSearchPage(page: string): StoreApp[] | null {
  const blocks = blocksOf(page)
  const apps = new Map<string, StoreApp>()
  for (const data of blocks.values()) {
    const sections = at(data, ...SECTIONS)
    for (const section of Array.isArray(sections) ? sections : []) {
      const list = at(section, ...LIST)
      const found = [exactMatch(at(section, ...EXACT)), ...(Array.isArray(list) ? list.map(listed) : [])]
      for (const app of found) if (app !== null && !apps.has(app.appId)) apps.set(app.appId, app)
    }
  }
  // A page that links to apps but yields none has a changed format.
  const unreadable = apps.size === 0 && /\/store\/apps\/details\?id(?:=|\\u003d)/.test(page)
  return blocks.size === 0 || unreadable ? null : [...apps.values()]
}

/** An entry of the list. Its average has no count, so it is not a rating. */
function listed(entry: unknown): StoreApp | null {
  const item = at(entry, 0)
  return appOf(textAt(item, 0, 0), textAt(item, 3), textAt(item, 14), textAt(item, 1, 3, 2), null)
}

/** The exact match, which has the shape of an app page's data. */
function exactMatch(match: unknown): StoreApp | null {
  const node = at(match, 2)
  const appId = textAt(match, 3, '12', 0, 0) ?? textAt(node, ...APP_NODE.appId)
  const rating = ratingOfNode(node)
  return appOf(
    appId,
    textAt(node, ...APP_NODE.name),
    textAt(node, ...APP_NODE.developer),
    textAt(node, ...APP_NODE.iconUrl),
    rating === 'absent' ? null : (rating ?? null),
  )
}

function appOf(
  appId: string | null,
  name: string | null,
  developer: string | null,
  iconUrl: string | null,
  rating: Rating | null,
): StoreApp | null {
  return appId === null || name === null ? null : { store: 'google', appId, name, developer, iconUrl, rating }
}
