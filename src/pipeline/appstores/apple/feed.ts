import { ask, type Failed, failedAsChanged, type Told } from './ask.ts'
import { parseFeedJson } from './feed-json.ts'
import { FEED_PAGE_REVIEWS, FEED_PAGES_MAX, type FeedPage } from './feed-page.ts'
import { parseFeedXml } from './feed-xml.ts'
import type { Parsed } from './parsed.ts'
import { type ReviewSource, type SourceAnswer, type Stretch, withinDepth } from './source.ts'
import { isHtml, jsonOf, unreadable } from './unreadable.ts'

/**
 * The customer reviews feed in two forms. They are one index behind two cache keys: one form has answered 0 and the
 * other 50 for the same app (measured 2026-09-20), so the XML form is how we ask again.
 * Page URLs are our own: the feed's links lead from JSON to XML.
 */
export const jsonFeed: ReviewSource = {
  name: 'rss',
  host: 'itunes',
  reviews: async (deps, stretch, turn) => {
    const question = { source: 'rss', host: 'itunes', path: `${pathOf(stretch)}/json` } as const
    const told = await ask(deps, question, turn)
    return told.kind === 'failed' ? told : read('rss', told, stretch, readJson)
  },
}

/** Some clients got an empty feed until they named themselves iTunes (2026-06), so the second try does. */
export const xmlFeed: ReviewSource = {
  name: 'rss_xml',
  host: 'itunes',
  reviews: async (deps, stretch, turn) => {
    const path = `${pathOf(stretch)}/xml`
    const headers = { 'user-agent': ITUNES_USER_AGENT }
    const told = await ask(deps, { source: 'rss_xml', host: 'itunes', path, headers }, turn)
    return told.kind === 'failed' ? told : read('rss_xml', told, stretch, readXml)
  },
}

export const ITUNES_USER_AGENT = 'iTunes/12.12 (Macintosh; OS X 10.15.7) AppleWebKit/605.1.15'

/** The page that holds `position`, 1 to 10. */
function pageOf(stretch: Stretch): number {
  return Math.min(Math.floor(stretch.position / FEED_PAGE_REVIEWS) + 1, FEED_PAGES_MAX)
}

function pathOf(stretch: Stretch): string {
  return `/${stretch.storefront}/rss/customerreviews/page=${pageOf(stretch)}/id=${stretch.appId}/sortby=mostrecent`
}

type Reader = (source: string, told: Told) => Parsed<FeedPage> | Failed

const readJson: Reader = (source, told) => {
  const json = jsonOf(source, told)
  return json.kind === 'failed' ? json : parseFeedJson(json.root)
}

const readXml: Reader = (source, told) =>
  isHtml(told.text) || !told.text.includes('<feed')
    ? unreadable(source, told.text, 'it is no feed')
    : parseFeedXml(told.text)

function read(source: string, told: Told, stretch: Stretch, reader: Reader): SourceAnswer {
  const page = pageOf(stretch)
  const next = page * FEED_PAGE_REVIEWS
  if (told.status === 404) return { kind: 'nothing', means: 'absent', next }
  if (told.status === 400) {
    // "CustomerReviews RSS page depth is limited to 10" (recorded 2026-08).
    if (/page depth is limited/i.test(told.text)) return { kind: 'nothing', means: 'end', next }
    return failedAsChanged(source, 'the feed refuses our request with status 400', told.text)
  }
  const answer = reader(source, told)
  if (answer.kind === 'failed') return answer
  if (answer.kind === 'changed') return failedAsChanged(source, answer.detail, told.text)
  const { reviews, odd, rows, lastPage, nextPage } = answer.value
  if (rows === 0) return { kind: 'nothing', means: emptyMeans(page, lastPage), next }
  // The links are hints, and a full page says more than they do.
  const more = rows >= FEED_PAGE_REVIEWS || (lastPage ?? 0) > page || (nextPage ?? 0) > page
  return { kind: 'reviews', reviews, odd, next: more ? withinDepth(next) : null }
}

/** An empty page whose links still name it (recorded 2026-09) is a hole; one without links may mean anything. */
function emptyMeans(page: number, lastPage: number | null): 'hole' | 'blank' | 'end' {
  if (lastPage === null) return 'blank'
  return lastPage >= page ? 'hole' : 'end'
}
