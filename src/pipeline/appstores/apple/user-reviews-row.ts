import { changed, type Parsed, recordOf } from '../parsed.ts'
import type { PageRows } from '../review-page-rows.ts'
import { unescaped } from './entities.ts'
import { ITUNES_USER_AGENT } from './feed.ts'
import { ROW_SORTS } from './known-formats.ts'
import { failedAsChanged, sendRequest } from './request.ts'
import { noFields, type ReviewFields, reviewsOf } from './review-fields.ts'
import { type ReviewSource, type SourceName, withinDepth } from './source.ts'
import { readJson } from './unreadable.ts'

/** Reviews of one request (as of 2026-09). */
export const ROW_REVIEWS = 200

/** The endpoint of iTunes; other user agents get HTML. */
export const userReviewsRow: ReviewSource = {
  name: 'row',
  host: 'itunes',
  newestFirst: true,
  reviews: sortedBy('row', ROW_SORTS[0]),
}

/** The same endpoint in the other orders: those of ROW_SORTS, then those that an operator added. */
export function userReviewsRowSorted(added: readonly number[]): ReviewSource[] {
  const sorts = new Set([...ROW_SORTS, ...added]).difference(new Set([ROW_SORTS[0]]))
  return Array.from(sorts, (sort) => {
    const name: SourceName = `row_${sort}`
    return { ...userReviewsRow, name, insteadOf: 'row', reviews: sortedBy(name, sort) }
  })
}

export function isRow(source: SourceName): boolean {
  return source.startsWith('row')
}

function sortedBy(source: SourceName, sort: number): ReviewSource['reviews'] {
  return async (deps, { appId, storefront, position }, context) => {
    const range = `startIndex=${position}&endIndex=${position + ROW_REVIEWS}`
    const path = `/WebObjects/MZStore.woa/wa/userReviewsRow?id=${appId}&displayable-kind=11&${range}&sort=${sort}&cc=${storefront}`
    const headers = { 'user-agent': ITUNES_USER_AGENT }
    const response = await sendRequest(deps, { source, host: 'itunes', path, headers }, context)
    if (response.kind === 'failed') return response
    if (response.status === 404) return { kind: 'empty', reason: 'unknown_app', next: position + ROW_REVIEWS }
    if (response.status === 400)
      return failedAsChanged(source, 'it rejects the request with status 400', response.text)
    const page = readJson(source, response, parseUserReviews)
    if (page.kind === 'failed') return page
    const { reviews, malformed, rows } = page.value
    // A page may have fewer reviews than requested, so only an empty answer is the end.
    const next = position + (rows || ROW_REVIEWS)
    if (rows > 0) return { kind: 'reviews', reviews, malformed, next: withinDepth(next) }
    return { kind: 'empty', reason: position === 0 ? 'no_reviews' : 'end', next }
  }
}

/** Its texts are escaped as in HTML (`&#39;`, C 2026-09), unlike those of the other sources. */
export function parseUserReviews(root: unknown): Parsed<PageRows> {
  const list = recordOf(root)?.userReviewList
  if (!Array.isArray(list)) return changed('there is no list `userReviewList`')
  const rows: ReviewFields[] = []
  for (const item of list as readonly unknown[]) {
    const row = recordOf(item)
    if (row === null) {
      rows.push(noFields(item))
      continue
    }
    rows.push({
      raw: item,
      reviewId: row.userReviewId,
      rating: row.rating,
      title: unescapedIn(row.title),
      body: unescapedIn(row.body),
      author: unescapedIn(row.name),
      shownAt: row.date,
      edited: row.isEdited,
      developerResponse: responseOf(row.developerResponse),
    })
  }
  return reviewsOf(rows)
}

function responseOf(value: unknown): unknown {
  const response = recordOf(value)
  return response === null ? value : { ...response, body: unescapedIn(response.body) }
}

function unescapedIn(value: unknown): unknown {
  return typeof value === 'string' ? unescaped(value) : value
}
