import { isAppleAppId } from '../apple/app-id.ts'
import { failed } from '../official/failure.ts'
import { changedAnswer } from '../official/send.ts'
import type {
  AppStoreConnectCredentials,
  HistoryPage,
  OfficialContext,
  OfficialReviewsPage,
  OneReviewAnswer,
} from '../official.ts'
import { API, type AppStoreConnectState } from './deps.ts'
import { ask } from './request.ts'
import { readReview, readReviewRows, repliesOf } from './review-rows.ts'

type Query = {
  readonly credentials: AppStoreConnectCredentials
  readonly appId: string
  readonly cursor: string | null
}

/** The most that Apple returns in a page. */
const REVIEWS_PER_PAGE = 200

/** Apple documents no default order, so the order is always given. */
const FIRST_PAGE = `sort=-createdDate&limit=${REVIEWS_PER_PAGE}&include=response`

/** One page of all storefronts, newest first. A cursor is the path and query of Apple's link to the page. */
export async function reviewsPage(
  deps: AppStoreConnectState,
  { credentials, appId, cursor }: Query,
  context: OfficialContext,
): Promise<OfficialReviewsPage> {
  if (!isAppleAppId(appId)) return notAnAppId(appId)
  const pathname = `/v1/apps/${appId}/customerReviews`
  const path = cursor ?? `${pathname}?${FIRST_PAGE}`
  if (!path.startsWith(`${pathname}?`)) throw new TypeError('This cursor belongs to another app.')
  const about = { kind: 'app', id: appId } as const
  const answer = await ask(deps, credentials, { method: 'GET', path, about }, context)
  if (answer.kind === 'failed') return answer
  const rows = readReviewRows(answer.root ?? {}, appId)
  if (rows.kind === 'changed') return changedAnswer(API, rows.detail, answer.answer)
  const { reviews, malformed, next, total } = rows.value
  // The token goes with the request, so a link must be of this list; a repeated one would never end.
  if (next !== null && (!next.startsWith(`${pathname}?`) || next === path)) {
    return changedAnswer(API, 'the link to the next page leads elsewhere', answer.answer)
  }
  return { kind: 'ok', source: 'appstoreconnect', reviews, next, malformed, total, quota: answer.quota }
}

/** The same list: Apple keeps every review. A cursor is the number of reviews so far and the cursor of the list. */
export async function historyPage(
  deps: AppStoreConnectState,
  { credentials, appId, cursor }: Query,
  context: OfficialContext,
): Promise<HistoryPage> {
  const [before, path] = cursor === null ? [0, null] : splitCursor(cursor)
  const page = await reviewsPage(deps, { credentials, appId, cursor: path }, context)
  if (page.kind === 'failed') return page
  const { reviews, malformed, next, total } = page
  const done = before + reviews.length + malformed.length
  return {
    kind: 'ok',
    reviews,
    next: next === null ? null : `${done}:${next}`,
    ratingsOnly: 0,
    malformed,
    progress: total === null ? null : { done, total: Math.max(total, done) },
  }
}

function splitCursor(cursor: string): [done: number, path: string] {
  const colon = cursor.indexOf(':')
  return [Number(cursor.slice(0, colon)), cursor.slice(colon + 1)]
}

export async function oneReview(
  deps: AppStoreConnectState,
  query: {
    readonly credentials: AppStoreConnectCredentials
    readonly appId: string
    readonly reviewId: string
  },
  context: OfficialContext,
): Promise<OneReviewAnswer> {
  const { credentials, appId, reviewId } = query
  const path = `/v1/customerReviews/${encodeURIComponent(reviewId)}?include=response`
  const about = { kind: 'review', id: reviewId } as const
  const answer = await ask(deps, credentials, { method: 'GET', path, about }, context)
  if (answer.kind === 'failed') return answer
  const review = readReview(answer.root?.data, appId, repliesOf(answer.root?.included))
  if (review.kind === 'changed') return changedAnswer(API, review.detail, answer.answer)
  return { kind: 'ok', review: review.value, quota: answer.quota }
}

function notAnAppId(appId: string) {
  return failed(
    'app_not_found',
    `Apple has no app ${JSON.stringify(appId.slice(0, 60))}: its app ids are numbers.`,
    {
      field: 'app_id',
    },
  )
}
