import type { MalformedRow } from '../../../model/malformed-row.ts'
import { publicReviewIdsOf } from '../../../model/public-review-id.ts'
import { storableText } from '../../../model/storable-text.ts'
import type { OfficialReply, OfficialReview } from '../official.ts'
import { changed, instantOf, type Parsed, parsed, recordOf, textOf } from '../parsed.ts'
import { jsonText, pageRowsOf } from '../review-page-rows.ts'
import { storefrontOf } from './territories.ts'

type Json = Readonly<Record<string, unknown>>

export type AscRows = {
  readonly reviews: readonly OfficialReview[]
  readonly malformed: readonly MalformedRow[]
  /** Path and query of the next page, as Apple wrote them; null at the end. */
  readonly next: string | null
  readonly total: number | null
}

/** A page of customer reviews with their answers (`include=response`). */
export function readReviewRows(root: Json, appId: string): Parsed<AscRows> {
  if (!Array.isArray(root.data)) return changed('the reviews have no list `data`')
  const replies = repliesOf(root.included)
  const reviews = new Map<string, OfficialReview>()
  const rows = root.data.map((item: unknown) => {
    const review = readReview(item, appId, replies)
    const id = recordOf(item)?.id
    if (review.kind === 'parsed' && !reviews.has(review.value.reviewId)) {
      reviews.set(review.value.reviewId, review.value)
    }
    return {
      raw: item,
      reviewId: typeof id === 'string' ? id : null,
      review: review.kind === 'parsed' ? review.value : review.detail,
    }
  })
  const page = pageRowsOf(rows)
  if (typeof page === 'string') return changed(page)
  const next = recordOf(root.links)?.next
  if (next !== undefined && next !== null && typeof next !== 'string') {
    return changed('the link to the next page is not text')
  }
  const url = typeof next === 'string' ? URL.parse(next, 'https://store.invalid') : null
  if (typeof next === 'string' && url === null) return changed('the link to the next page is not a URL')
  const total = recordOf(recordOf(root.meta)?.paging)?.total
  return parsed({
    reviews: [...reviews.values()],
    malformed: page.malformed,
    next: url === null ? null : url.pathname + url.search,
    total: typeof total === 'number' && Number.isInteger(total) && total >= 0 ? total : null,
  })
}

/** One review. `changed` when the id, the stars, the text or the date is missing or malformed. */
export function readReview(
  item: unknown,
  appId: string,
  replies: ReadonlyMap<string, OfficialReply>,
): Parsed<OfficialReview> {
  const row = recordOf(item)
  const id = row?.id
  if (row === null || typeof id !== 'string' || id === '') return changed('a review has no id')
  const attributes = recordOf(row.attributes)
  if (attributes === null) return changed(`review ${id} has no attributes`)
  const { rating, body, territory } = attributes
  if (typeof rating !== 'number' || !Number.isInteger(rating) || rating < 1 || rating > 5) {
    return changed(`review ${id} has no 1 to 5 stars but ${shown(rating)}`)
  }
  if (typeof body !== 'string') return changed(`review ${id} has no text`)
  const shownAt = instantOf(attributes.createdDate)
  if (shownAt === null)
    return changed(`review ${id} has no date with an offset but ${shown(attributes.createdDate)}`)
  const replyId = recordOf(recordOf(recordOf(row.relationships)?.response)?.data)?.id
  return parsed({
    reviewId: storableText(id),
    rating,
    title: textOf(attributes.title),
    body: storableText(body),
    author: textOf(attributes.reviewerNickname),
    appVersion: null,
    shownAt,
    edited: null,
    territory: textOf(territory),
    storefront: typeof territory === 'string' ? storefrontOf(territory) : null,
    language: null,
    submittedAt: null,
    publicReviewIds: publicReviewIdsOf(id, appId),
    reply: typeof replyId === 'string' ? (replies.get(replyId) ?? null) : null,
  })
}

/** The answers in `included`, by id. Entries of other types, and answers without a text, are left out. */
export function repliesOf(included: unknown): ReadonlyMap<string, OfficialReply> {
  const replies = new Map<string, OfficialReply>()
  for (const item of Array.isArray(included) ? included : []) {
    const reply = readReply(item)
    if (reply !== null && reply.replyId !== null) replies.set(reply.replyId, reply)
  }
  return replies
}

/** An answer; null when it is none. Any state but `PUBLISHED` is pending, so that a new one is not shown as published. */
export function readReply(item: unknown): OfficialReply | null {
  const row = recordOf(item)
  const attributes = recordOf(row?.attributes)
  const text = attributes?.responseBody
  if (row?.type !== 'customerReviewResponses' || typeof row.id !== 'string' || typeof text !== 'string')
    return null
  return {
    replyId: storableText(row.id),
    text: storableText(text),
    state: attributes?.state === 'PUBLISHED' ? 'published' : 'pending',
    updatedAt: instantOf(attributes?.lastModifiedDate),
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : jsonText(value).slice(0, 60)
}
