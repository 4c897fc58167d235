import { jsonParser } from '../bounded-json.ts'
import { changed, type Parsed, parsed, recordOf } from '../parsed.ts'
import type { PageRows } from '../review-page-rows.ts'
import { PAGE_KINDS } from './known-formats.ts'
import { failed, failedAsChanged, sendRequest } from './request.ts'
import { type ReviewFields, reviewsOf } from './review-fields.ts'
import type { ReviewSource } from './source.ts'
import { blockPage, isCaptcha, unreadable } from './unreadable.ts'
import { BROWSER_USER_AGENT } from './web-reviews.ts'

/**
 * The app's page in the web store, the last source. It shows 8 to 50 of the most helpful reviews, not the newest. So
 * paging always ends with `unknown`: the page never proves that all reviews were read.
 */
export const appPage: ReviewSource = {
  name: 'page',
  host: 'web',
  newestFirst: false,
  reviews: async (deps, { appId, storefront, position }, context) => {
    if (position > 0) {
      return failed('unknown', 'page', 'Only the app page answers, and it does not show the newest reviews.')
    }
    const path = `/${storefront}/app/id${appId}?see-all=reviews`
    const headers = { 'user-agent': BROWSER_USER_AGENT }
    const response = await sendRequest(deps, { source: 'page', host: 'web', path, headers }, context)
    if (response.kind === 'failed') return response
    if (response.status === 404) return { kind: 'empty', reason: 'unknown_app', next: 1 }
    if (response.status === 400)
      return failedAsChanged('page', 'it rejects the request with status 400', response.text)
    const data = serializedData(response.text)
    if (data === null) {
      return isCaptcha(response.text) ? blockPage('page') : pageWithoutData(response.text)
    }
    const reviews = parsePageReviews(data, deps.pageKinds)
    if (reviews.kind === 'changed') return failedAsChanged('page', reviews.detail, response.text)
    if (reviews.value.rows === 0) return { kind: 'empty', reason: 'inconclusive', next: 1 }
    const { reviews: shown, malformed } = reviews.value
    return { kind: 'reviews', reviews: shown, malformed, next: 1 }
  },
}

function pageWithoutData(html: string) {
  return /<html/i.test(html)
    ? failedAsChanged('page', 'the page has no serialized-server-data', html)
    : unreadable('page', html, 'it is not a page')
}

/** Content of `<script ... id="serialized-server-data">`; null without one. */
function serializedData(html: string): string | null {
  const id = html.indexOf('id="serialized-server-data"')
  const start = html.indexOf('>', id)
  const end = html.indexOf('</script>', start)
  return id === -1 || start === -1 || end === -1 ? null : html.slice(start + 1, end)
}

/** All nodes of `"$kind": "Review"` at any position, newest first. */
export function parsePageReviews(json: string, kinds = PAGE_KINDS): Parsed<PageRows> {
  let root: unknown
  try {
    root = jsonParser()(json)
  } catch {
    return changed('serialized-server-data is not JSON')
  }
  const rows: ReviewFields[] = []
  let known = false
  const pending: unknown[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) {
      for (const item of node as readonly unknown[]) if (typeof item === 'object') pending.push(item)
      continue
    }
    const record = recordOf(node)
    if (record === null) continue
    known ||= typeof record.$kind === 'string' && kinds.has(record.$kind)
    if (record.$kind === 'Review') rows.push(fieldsOf(record))
    else for (const value of Object.values(record)) if (typeof value === 'object') pending.push(value)
  }
  if (!known) return changed('no node of the page has a known `$kind`')
  const page = reviewsOf(rows)
  if (page.kind === 'changed') return page
  const reviews = page.value.reviews.toSorted((a, b) => b.shownAt.getTime() - a.shownAt.getTime())
  return parsed({ ...page.value, reviews })
}

function fieldsOf(node: Readonly<Record<string, unknown>>): ReviewFields {
  // Seen 2026-09: `dateText` of an edited review starts with "edited". Any other text leaves it unknown.
  const edited = typeof node.dateText === 'string' && node.dateText.startsWith('edited') ? true : undefined
  return {
    raw: node,
    reviewId: node.id,
    rating: node.rating,
    title: node.title,
    body: node.contents,
    author: node.reviewerName,
    shownAt: node.date,
    edited,
  }
}
