import { changed, type Parsed, parsed, recordOf } from '../parsed.ts'
import type { PageRows } from '../review-page-rows.ts'
import { failedAsChanged, sendRequest } from './request.ts'
import { noFields, type ReviewFields, reviewsOf } from './review-fields.ts'
import { type ReviewSource, type SourceAnswer, withinDepth } from './source.ts'
import { readJson } from './unreadable.ts'

/** Reviews per request, as on Apple's own page. With a higher limit the answer is empty (measured 2026-07). */
const WEB_PAGE_REVIEWS = 20

/** Without a browser's user agent the status is 429 (measured 2026-07). */
export const BROWSER_USER_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

/**
 * The reviews request of the web store. It needs no token, marks edited reviews, and has no app version. Its review ids
 * are those of the feed.
 */
export const webReviews: ReviewSource = {
  name: 'web',
  host: 'web',
  newestFirst: true,
  reviews: async (deps, { appId, storefront, position }, context) => {
    const query = `platform=web&sort=recent&limit=${WEB_PAGE_REVIEWS}&offset=${position}&l=en-US`
    const path = `/api/apps/v1/catalog/${storefront}/apps/${appId}/reviews?${query}`
    const headers = { 'user-agent': BROWSER_USER_AGENT }
    const response = await sendRequest(deps, { source: 'web', host: 'web', path, headers }, context)
    if (response.kind === 'failed') return response
    if (response.status === 404)
      return { kind: 'empty', reason: 'unknown_app', next: position + WEB_PAGE_REVIEWS }
    if (response.status === 400)
      return failedAsChanged('web', 'it rejects the request with status 400', response.text)
    const page = readJson('web', response, parseWebReviews)
    return page.kind === 'failed' ? page : answerOf(page.value, position)
  },
}

export type WebPage = PageRows & {
  /** Null without a next page. */
  readonly nextOffset: number | null
}

export function parseWebReviews(root: unknown): Parsed<WebPage> {
  const answer = recordOf(root)
  if (answer === null || !Array.isArray(answer.data)) return changed('the reviews have no list `data`')
  const rows: ReviewFields[] = []
  for (const item of answer.data as readonly unknown[]) {
    const row = recordOf(item)
    const attributes = recordOf(row?.attributes)
    if (row === null || attributes === null) {
      rows.push({ ...noFields(item), reviewId: row?.id })
      continue
    }
    rows.push({
      raw: item,
      reviewId: row.id,
      rating: attributes.rating,
      title: attributes.title,
      body: attributes.review,
      author: attributes.userName,
      shownAt: attributes.date,
      edited: attributes.isEdited,
      developerResponse: attributes.developerResponse,
    })
  }
  const reviews = reviewsOf(rows)
  if (reviews.kind === 'changed') return reviews
  if (answer.next === undefined || answer.next === null) return parsed({ ...reviews.value, nextOffset: null })
  // Its path has neither platform nor sort, so only the offset is used.
  const offset =
    typeof answer.next === 'string' ? /[?&]offset=(\d{1,9})(?:&|$)/.exec(answer.next)?.[1] : undefined
  if (offset === undefined) return changed('`next` has no offset')
  return parsed({ ...reviews.value, nextOffset: Number(offset) })
}

function answerOf(page: WebPage, position: number): SourceAnswer {
  const { reviews, malformed, rows, nextOffset } = page
  if (rows > 0) {
    if (nextOffset === null) return { kind: 'reviews', reviews, malformed, next: null }
    // Offsets may jump: continue right after this page, never before it or further ahead.
    const step = Math.min(nextOffset - position, WEB_PAGE_REVIEWS)
    return {
      kind: 'reviews',
      reviews,
      malformed,
      next: withinDepth(position + (step > 0 ? step : WEB_PAGE_REVIEWS)),
    }
  }
  const next = position + WEB_PAGE_REVIEWS
  if (nextOffset !== null) return { kind: 'empty', reason: 'missing', next }
  return { kind: 'empty', reason: position === 0 ? 'no_reviews' : 'end', next }
}
