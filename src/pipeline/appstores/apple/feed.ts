import { parseFeedJson } from './feed-json.ts'
import { FEED_PAGE_REVIEWS, FEED_PAGES_MAX, type FeedPage } from './feed-page.ts'
import { parseFeedXml } from './feed-xml.ts'
import type { Parsed } from './parsed.ts'
import { type AppleResponse, type Failed, failedAsChanged, sendRequest } from './request.ts'
import { type AppleListing, type ReviewSource, type SourceAnswer, withinDepth } from './source.ts'
import { isHtml, jsonOf, unreadable } from './unreadable.ts'

/**
 * The customer reviews feed in two forms. They are one index behind two cache keys: one form has answered 0 and the
 * other 50 for the same app (measured 2026-09-20), so the second request uses the XML form.
 * Page URLs are built here: the feed's links lead from JSON to XML.
 */
export const jsonFeed: ReviewSource = {
  name: 'rss',
  host: 'itunes',
  reviews: async (deps, stretch, context) => {
    const request = { source: 'rss', host: 'itunes', path: `${pathOf(stretch)}/json` } as const
    const response = await sendRequest(deps, request, context)
    return response.kind === 'failed' ? response : read('rss', response, stretch, readJson)
  },
}

/** Some clients got an empty feed until they sent the user agent of iTunes (2026-06), so the second request does. */
export const xmlFeed: ReviewSource = {
  name: 'rss_xml',
  host: 'itunes',
  reviews: async (deps, stretch, context) => {
    const path = `${pathOf(stretch)}/xml`
    const headers = { 'user-agent': ITUNES_USER_AGENT }
    const response = await sendRequest(deps, { source: 'rss_xml', host: 'itunes', path, headers }, context)
    return response.kind === 'failed' ? response : read('rss_xml', response, stretch, readXml)
  },
}

export const ITUNES_USER_AGENT = 'iTunes/12.12 (Macintosh; OS X 10.15.7) AppleWebKit/605.1.15'

/** The page that holds `position`, 1 to 10. */
function pageOf(stretch: AppleListing): number {
  return Math.min(Math.floor(stretch.position / FEED_PAGE_REVIEWS) + 1, FEED_PAGES_MAX)
}

function pathOf(stretch: AppleListing): string {
  return `/${stretch.storefront}/rss/customerreviews/page=${pageOf(stretch)}/id=${stretch.appId}/sortby=mostrecent`
}

type Reader = (source: string, response: AppleResponse) => Parsed<FeedPage> | Failed

const readJson: Reader = (source, response) => {
  const json = jsonOf(source, response)
  return json.kind === 'failed' ? json : parseFeedJson(json.root)
}

const readXml: Reader = (source, response) =>
  isHtml(response.text) || !response.text.includes('<feed')
    ? unreadable(source, response.text, 'it is no feed')
    : parseFeedXml(response.text)

function read(source: string, response: AppleResponse, stretch: AppleListing, reader: Reader): SourceAnswer {
  const page = pageOf(stretch)
  const next = page * FEED_PAGE_REVIEWS
  if (response.status === 404) return { kind: 'nothing', means: 'absent', next }
  if (response.status === 400) {
    // "CustomerReviews RSS page depth is limited to 10" (recorded 2026-08).
    if (/page depth is limited/i.test(response.text)) return { kind: 'nothing', means: 'end', next }
    return failedAsChanged(source, 'the feed refuses the request with status 400', response.text)
  }
  const answer = reader(source, response)
  if (answer.kind === 'failed') return answer
  if (answer.kind === 'changed') return failedAsChanged(source, answer.detail, response.text)
  const { reviews, malformed, rows, lastPage, nextPage } = answer.value
  if (rows === 0) return { kind: 'nothing', means: emptyMeans(page, lastPage), next }
  // The links are hints; a full page is better evidence.
  const more = rows >= FEED_PAGE_REVIEWS || (lastPage ?? 0) > page || (nextPage ?? 0) > page
  return { kind: 'reviews', reviews, malformed, next: more ? withinDepth(next) : null }
}

/** An empty page whose links still name it (recorded 2026-09) is a hole; one without links proves nothing. */
function emptyMeans(page: number, lastPage: number | null): 'hole' | 'blank' | 'end' {
  if (lastPage === null) return 'blank'
  return lastPage >= page ? 'hole' : 'end'
}
