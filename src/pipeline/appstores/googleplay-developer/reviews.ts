import { failed } from '../official/failure.ts'
import { changedAnswer, jsonOf } from '../official/send.ts'
import type {
  GooglePlayCredentials,
  OfficialContext,
  OfficialReviewsPage,
  OneReviewAnswer,
} from '../official.ts'
import { recordOf } from '../parsed.ts'
import { API, type GooglePlayState } from './deps.ts'
import { ask } from './request.ts'
import { readReview, readReviewRows } from './review-rows.ts'

/** The most that Google returns in a page. */
const REVIEWS_PER_PAGE = 100

export function reviewsPath(appId: string): string {
  return `/androidpublisher/v3/applications/${encodeURIComponent(appId)}/reviews`
}

/** One page of the reviews of the last seven days, newest first. A cursor is Google's token. */
export async function reviewsPage(
  deps: GooglePlayState,
  query: {
    readonly credentials: GooglePlayCredentials
    readonly appId: string
    readonly cursor: string | null
    /** 100 by default. */
    readonly reviewsMax?: number
  },
  context: OfficialContext,
): Promise<OfficialReviewsPage> {
  const { credentials, appId, cursor } = query
  if (!isPackageName(appId)) return notAPackageName(appId)
  const parameters = new URLSearchParams({
    maxResults: String(query.reviewsMax ?? REVIEWS_PER_PAGE),
    ...(cursor === null ? {} : { token: cursor }),
  })
  const path = `${reviewsPath(appId)}?${parameters}`
  const about = { kind: 'app', id: appId } as const
  const answer = await ask(deps, credentials, { method: 'GET', host: 'api', path, about }, context)
  if (answer.kind === 'failed') return answer
  const root = recordOf(jsonOf(answer))
  if (root === null || answer.truncated) return changedAnswer(API, 'it is not a JSON object', answer)
  const rows = readReviewRows(root)
  if (rows.kind === 'changed') return changedAnswer(API, rows.detail, answer)
  const { reviews, malformed, token } = rows.value
  if (token !== null && token === cursor)
    return changedAnswer(API, 'the token of the next page is the same', answer)
  return {
    kind: 'ok',
    source: 'googleplay-developer',
    reviews,
    next: token,
    malformed,
    total: null,
    quota: null,
  }
}

/** One review, also an older one than a week (reported, not documented). */
export async function oneReview(
  deps: GooglePlayState,
  query: {
    readonly credentials: GooglePlayCredentials
    readonly appId: string
    readonly reviewId: string
  },
  context: OfficialContext,
): Promise<OneReviewAnswer> {
  const { credentials, appId, reviewId } = query
  if (!isPackageName(appId)) return notAPackageName(appId)
  const path = `${reviewsPath(appId)}/${encodeURIComponent(reviewId)}`
  const about = { kind: 'review', id: reviewId, appId } as const
  const answer = await ask(deps, credentials, { method: 'GET', host: 'api', path, about }, context)
  if (answer.kind === 'failed') return answer
  const review = readReview(jsonOf(answer))
  if (review.kind === 'changed') return changedAnswer(API, review.detail, answer)
  return { kind: 'ok', review: review.value, quota: null }
}

function isPackageName(appId: string): boolean {
  return /^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(appId) && appId.length <= 255
}

function notAPackageName(appId: string) {
  const detail = `${JSON.stringify(appId.slice(0, 60))} is not a package name such as com.example.app.`
  return failed('app_not_found', detail, { field: 'app_id' })
}
