import type { PublicReply, StoreReview } from '../../../model/review.ts'
import { storableText } from '../../../model/storable-text.ts'
import { changed, instantOf, type Parsed, parsed, recordOf, textOf } from '../parsed.ts'
import { publicReplyOf } from '../public-reply.ts'
import { jsonText, type PageRows, pageRowsOf } from '../review-page-rows.ts'

/** The unvalidated fields of one review, as the source wrote them. */
export type ReviewFields = {
  /** The row they come from, for the quarantine. */
  readonly raw?: unknown
  readonly reviewId: unknown
  readonly rating: unknown
  readonly title: unknown
  readonly body: unknown
  readonly author?: unknown
  readonly appVersion?: unknown
  readonly shownAt: unknown
  readonly edited?: unknown
  /** `{body, modified}`, or nothing for no answer; absent when the source shows no answers. */
  readonly developerResponse?: unknown
}

/**
 * Parses one review. `changed` when the id, the stars, the text or the date is missing or malformed. The feed of 2018
 * to 2020 had no dates (recorded 2018-03): a review without a date may have any age, so it is malformed. Title, author
 * and version may be missing. An empty title becomes null, so that all of Apple's sources return the same review.
 */
export function reviewOf(fields: ReviewFields): Parsed<StoreReview> {
  const reviewId = reviewIdOf(fields)
  if (reviewId === null) {
    return changed(`a review has no numeric id but ${shown(fields.reviewId)}`)
  }
  const rating = starsOf(fields.rating)
  if (rating === null) return changed(`review ${reviewId} has no 1 to 5 stars but ${shown(fields.rating)}`)
  if (typeof fields.body !== 'string') return changed(`review ${reviewId} has no text`)
  const shownAt = instantOf(fields.shownAt)
  if (shownAt === null)
    return changed(`review ${reviewId} has no date with an offset but ${shown(fields.shownAt)}`)
  return parsed({
    reviewId,
    rating,
    title: textOf(fields.title),
    body: storableText(fields.body),
    author: textOf(fields.author),
    appVersion: textOf(fields.appVersion),
    shownAt,
    edited: typeof fields.edited === 'boolean' ? fields.edited : null,
    ...('developerResponse' in fields ? { publicReply: replyOf(fields.developerResponse) } : {}),
  })
}

function replyOf(response: unknown): PublicReply | null | undefined {
  if (response === undefined || response === null) return null
  const record = recordOf(response)
  return publicReplyOf(record?.body, instantOf(record?.modified))
}

/** Pages have up to 50 (the feed) or 200 (an app page). */
export const ROWS_MAX = 1_000

/** The rows of a page, split by `pageRowsOf`, without duplicates. */
export function reviewsOf(rows: readonly ReviewFields[]): Parsed<PageRows> {
  if (rows.length > ROWS_MAX) return changed(`the page has more than ${ROWS_MAX} reviews`)
  const page = pageRowsOf(
    rows.map((fields) => {
      const review = reviewOf(fields)
      return {
        raw: fields.raw,
        reviewId: reviewIdOf(fields),
        review: review.kind === 'parsed' ? review.value : review.detail,
      }
    }),
  )
  if (typeof page === 'string') return changed(page)
  // The first copy of a duplicate counts: pages are newest first.
  const first = new Map(page.reviews.toReversed().map((review) => [review.reviewId, review]))
  return parsed({ ...page, reviews: page.reviews.filter((review) => first.get(review.reviewId) === review) })
}

/** The fields of a row that is not an object: none, so it is malformed. */
export function noFields(raw: unknown): ReviewFields {
  return {
    raw,
    reviewId: undefined,
    rating: undefined,
    title: undefined,
    body: undefined,
    shownAt: undefined,
  }
}

/** Null for anything but a positive whole number, as text or as a number. */
function reviewIdOf({ reviewId }: ReviewFields): string | null {
  const id = typeof reviewId === 'number' ? String(reviewId) : reviewId
  return typeof id === 'string' && /^[1-9]\d{0,19}$/.test(id) ? id : null
}

/** The feed writes stars as text, the other sources as a number. */
function starsOf(value: unknown): number | null {
  if (typeof value === 'string') return /^[1-5]$/.test(value) ? Number(value) : null
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 5 ? value : null
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : jsonText(value).slice(0, 60)
}
