import type { MalformedRow } from '../../../model/malformed-row.ts'
import { storableText } from '../../../model/storable-text.ts'
import type { OfficialReply, OfficialReview } from '../official.ts'
import { changed, type Parsed, parsed, recordOf, textOf } from '../parsed.ts'
import { pageRowsOf } from '../review-page-rows.ts'

type Json = Readonly<Record<string, unknown>>

export type GoogleRows = {
  readonly reviews: readonly OfficialReview[]
  readonly malformed: readonly MalformedRow[]
  /** Null at the end. */
  readonly token: string | null
}

/** A page of reviews. Without reviews the list is absent, and on the last page the token. */
export function readReviewRows(root: Json): Parsed<GoogleRows> {
  const list = root.reviews ?? []
  if (!Array.isArray(list)) return changed('the reviews are not a list')
  const reviews = new Map<string, OfficialReview>()
  const page = pageRowsOf(
    list.map((item: unknown) => {
      const review = readReview(item)
      if (review.kind === 'parsed' && !reviews.has(review.value.reviewId)) {
        reviews.set(review.value.reviewId, review.value)
      }
      const id = recordOf(item)?.reviewId
      return {
        raw: item,
        reviewId: typeof id === 'string' ? id : null,
        review: review.kind === 'parsed' ? review.value : review.detail,
      }
    }),
  )
  if (typeof page === 'string') return changed(page)
  const token = recordOf(root.tokenPagination)?.nextPageToken
  if (token !== undefined && token !== null && typeof token !== 'string') {
    return changed('the token of the next page is not text')
  }
  return parsed({ reviews: [...reviews.values()], malformed: page.malformed, token: textOf(token) })
}

/**
 * One review: the newest comment of the user, since some saw the text before an edit first. `changed` when id, stars,
 * text or date is missing or malformed.
 */
export function readReview(item: unknown): Parsed<OfficialReview> {
  const row = recordOf(item)
  const id = row?.reviewId
  if (row === null || typeof id !== 'string' || id === '') return changed('a review has no id')
  const comments: readonly unknown[] = Array.isArray(row.comments) ? row.comments : []
  const comment = newest(comments, 'userComment')
  if (comment === null) return changed(`review ${id} has no comment of its user with a date`)
  const { starRating, originalText, reviewerLanguage } = comment.fields
  if (typeof starRating !== 'number' || !Number.isInteger(starRating) || starRating < 1 || starRating > 5) {
    return changed(`review ${id} has no 1 to 5 stars`)
  }
  // `text` would be a translation if one was requested.
  const text = textOf(originalText) ?? comment.fields.text
  if (typeof text !== 'string') return changed(`review ${id} has no text`)
  return parsed({
    reviewId: storableText(id),
    rating: starRating,
    ...titleAndBody(text),
    author: textOf(row.authorName),
    appVersion: textOf(comment.fields.appVersionName),
    shownAt: comment.at,
    edited: null,
    territory: null,
    storefront: null,
    language: languageOf(reviewerLanguage),
    submittedAt: null,
    publicReviewIds: publicReviewIdsOf(id),
    reply: readReply(comments),
  })
}

/** The public page has UUIDs. An older id (`gp:…`) is not one of them. */
export function publicReviewIdsOf(reviewId: string): readonly string[] {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reviewId) ? [reviewId] : []
}

/** A device language such as `en_US` as BCP 47; null for anything else. */
export function languageOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[a-z]{2,3}(?:[_-][a-z0-9]{2,8})*$/i.test(value)) return null
  return value.replaceAll('_', '-')
}

/** Title and text are separated by a tab; a leading tab means no title. */
function titleAndBody(text: string): { readonly title: string | null; readonly body: string } {
  const tab = text.indexOf('\t')
  if (tab < 0) return { title: null, body: storableText(text) }
  return { title: textOf(text.slice(0, tab).trim()), body: storableText(text.slice(tab + 1)) }
}

function readReply(comments: readonly unknown[]): OfficialReply | null {
  const reply = newest(comments, 'developerComment')
  const text = reply?.fields.text
  if (reply === null || typeof text !== 'string') return null
  return { replyId: null, text: storableText(text), state: 'published', updatedAt: reply.at }
}

/** The newest comment of this kind that has a date. */
function newest(
  comments: readonly unknown[],
  kind: 'userComment' | 'developerComment',
): { readonly fields: Json; readonly at: Date } | null {
  let last: { fields: Json; at: Date } | null = null
  for (const comment of comments) {
    const fields = recordOf(recordOf(comment)?.[kind])
    const at = timestampOf(fields?.lastModified)
    if (fields !== null && at !== null && (last === null || at > last.at)) last = { fields, at }
  }
  return last
}

/** `{seconds: "1582791383", nanos: 208000000}`; the nanoseconds may be missing. */
export function timestampOf(value: unknown): Date | null {
  const fields = recordOf(value)
  const { seconds, nanos = 0 } = fields ?? {}
  const text = typeof seconds === 'number' ? String(seconds) : seconds
  if (typeof text !== 'string' || !/^[1-9]\d{0,11}$/.test(text)) return null
  if (typeof nanos !== 'number' || !(nanos >= 0 && nanos < 1e9)) return null
  return new Date(Number(text) * 1000 + Math.floor(nanos / 1e6))
}
