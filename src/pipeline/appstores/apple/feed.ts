import type { Parsed } from '../parsed.ts'
import { parseFeedJson } from './feed-json.ts'
import { FEED_PAGE_REVIEWS, type FeedPage } from './feed-page.ts'
import { feedPageOf, feedPath } from './feed-spellings.ts'
import { parseFeedXml } from './feed-xml.ts'
import {
  type AppleResponse,
  type Failed,
  failedAsChanged,
  type RequestContext,
  type RequestDeps,
  type StoreRequest,
  sendRequest,
} from './request.ts'
import {
  type AppleListing,
  type ReviewSource,
  type SourceAnswer,
  type SourceName,
  withinDepth,
} from './source.ts'
import { isHtml, readJson, unreadable } from './unreadable.ts'

/**
 * The customer reviews feed in two forms: one index with two cache keys. One form has returned 0 reviews and the other 50 for the same
 * app (measured 2026-09-20), so the second request uses the XML form, and another spelling of the address, since a cache may keep an empty
 * page. Page URLs are built here, because the feed's links lead from JSON to XML.
 */
export const jsonFeed: ReviewSource = {
  name: 'rss',
  host: 'itunes',
  newestFirst: true,
  reviews: (deps, listing, context) => feedPage(deps, listing, context, { source: 'rss', form: 'json' }),
}

/** Sends the user agent of iTunes: without it some clients got an empty feed (2026-06). */
export const xmlFeed: ReviewSource = {
  name: 'rss_xml',
  host: 'itunes',
  newestFirst: true,
  reviews: (deps, listing, context) =>
    feedPage(deps, listing, context, {
      source: 'rss_xml',
      form: 'xml',
      headers: { 'user-agent': ITUNES_USER_AGENT },
    }),
}

export const ITUNES_USER_AGENT = 'iTunes/12.12 (Macintosh; OS X 10.15.7) AppleWebKit/605.1.15'

/** A page of 50 reviews has 78 to 127 KB (recorded). Each field of the XML form is searched for: hostile 8 MB took 275 ms. */
const FEED_BYTES_MAX = 1024 * 1024

type Form = Pick<StoreRequest, 'headers'> & { readonly source: SourceName; readonly form: 'json' | 'xml' }

async function feedPage(
  deps: RequestDeps,
  listing: AppleListing,
  context: RequestContext,
  { form, ...request }: Form,
): Promise<SourceAnswer> {
  const spelling = deps.feedSpellings?.next(listing) ?? 0
  const path = feedPath(listing, form, spelling, deps.feedSpellings?.all)
  const response = await sendRequest(
    deps,
    { ...request, host: 'itunes', path, bodyBytesMax: FEED_BYTES_MAX },
    context,
  )
  if (response.kind === 'failed') return response
  const answer = read(request.source, response, listing, form === 'json' ? readFeedJson : readXml)
  const isMissing =
    answer.kind === 'empty' && (answer.reason === 'missing' || answer.reason === 'inconclusive')
  if (answer.kind === 'reviews' || isMissing) deps.feedSpellings?.answered(listing, spelling, !isMissing)
  return answer
}

const readFeedJson: Reader = (source, response) => readJson(source, response, parseFeedJson)

type Reader = (source: string, response: AppleResponse) => Parsed<FeedPage> | Failed

const readXml: Reader = (source, response) =>
  isHtml(response.text) || !response.text.includes('<feed')
    ? unreadable(source, response.text, 'it is not a feed')
    : parseFeedXml(response.text)

function read(source: string, response: AppleResponse, listing: AppleListing, reader: Reader): SourceAnswer {
  const page = feedPageOf(listing)
  const next = page * FEED_PAGE_REVIEWS
  if (response.status === 404) return { kind: 'empty', reason: 'unknown_app', next }
  if (response.status === 400) {
    // "CustomerReviews RSS page depth is limited to 10" (recorded 2026-08).
    if (/page depth is limited/i.test(response.text)) return { kind: 'empty', reason: 'end', next }
    return failedAsChanged(source, 'the feed rejects the request with status 400', response.text)
  }
  const answer = reader(source, response)
  if (answer.kind === 'failed') return answer
  if (answer.kind === 'changed') return failedAsChanged(source, answer.detail, response.text)
  const { reviews, malformed, rows, lastPage, nextPage } = answer.value
  if (rows === 0) return { kind: 'empty', reason: emptyReasonOf(page, lastPage), next }
  // The links are hints; a full page is better evidence.
  const more = rows >= FEED_PAGE_REVIEWS || (lastPage ?? 0) > page || (nextPage ?? 0) > page
  return { kind: 'reviews', reviews, malformed, next: more ? withinDepth(next) : null }
}

/** An empty page that the links still name is missing (recorded 2026-09). One without links proves nothing. */
function emptyReasonOf(page: number, lastPage: number | null): 'missing' | 'inconclusive' | 'end' {
  if (lastPage === null) return 'inconclusive'
  return lastPage >= page ? 'missing' : 'end'
}
