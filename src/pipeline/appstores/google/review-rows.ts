import type { PublicReply, StoreReview } from '../../../model/review.ts'
import { storableText } from '../../../model/storable-text.ts'
import { type AddedPositions, firstReadable } from '../added-formats.ts'
import { publicReplyOf } from '../public-reply.ts'
import { type PageRows, pageRowsOf } from '../review-page-rows.ts'
import { ROW } from './known-formats.ts'
import { at, textAt } from './shape.ts'

export type RowsPage =
  | (PageRows & { readonly kind: 'rows'; readonly token: string | null })
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * The reviews of a payload `[rows, [null, token]]`, in its order. `[]` and null rows mean no reviews. A null token is
 * the store's end. Rows that cannot be read are malformed; too many of them make the page unreadable.
 */
export function readRows(payload: unknown, added: AddedPositions = []): RowsPage {
  return firstReadable(ROW, added, (place) => readPlaced(payload, place))
}

function readPlaced(payload: unknown, place: (row: unknown) => unknown): RowsPage {
  if (!Array.isArray(payload)) return { kind: 'unreadable', reason: 'the reviews are not a list' }
  const rows = at(payload, 0) ?? []
  if (!Array.isArray(rows)) return { kind: 'unreadable', reason: 'the rows of the reviews are not a list' }
  const page = pageRowsOf(
    rows.map((raw: unknown) => {
      const row = place(raw)
      return { raw, reviewId: textAt(row, ...ROW.id), review: readRow(row) }
    }),
  )
  if (typeof page === 'string') return { kind: 'unreadable', reason: page }
  return { kind: 'rows', ...page, token: textAt(payload, 1, 1) }
}

/** The review, or a sentence on what is wrong with its row. */
export function readRow(row: unknown): StoreReview | string {
  const reviewId = textAt(row, ...ROW.id)
  if (reviewId === null) return `a review has no id at [${ROW.id}]`
  const rating = at(row, ...ROW.stars)
  if (typeof rating !== 'number' || !Number.isInteger(rating) || rating < 1 || rating > 5) {
    return `a review has no stars from 1 to 5 at [${ROW.stars}]`
  }
  const shownAt = instantOf(at(row, ...ROW.shownAt))
  if (shownAt === null) return `a review has no date at [${ROW.shownAt}]`
  const body = at(row, ...ROW.body) ?? ''
  if (typeof body !== 'string') return `a review's text at [${ROW.body}] is not text`
  return {
    reviewId,
    rating,
    title: textAt(row, ...ROW.title),
    body: storableText(body),
    author: textAt(row, ...ROW.author),
    appVersion: textAt(row, ...ROW.appVersion),
    shownAt,
    edited: at(row, ...ROW.hasHistory) === true,
    publicReply: replyOf(row),
  }
}

/** `[name of the developer, text, date]`. Undefined for anything else, so that it changes nothing. */
function replyOf(row: unknown): PublicReply | null | undefined {
  return at(row, ...ROW.reply) === null
    ? null
    : publicReplyOf(at(row, ...ROW.replyText), instantOf(at(row, ...ROW.replyAt)))
}

/** Seconds and nanoseconds since 1970; the nanoseconds may be missing (seen 2019). */
function instantOf(value: unknown): Date | null {
  const seconds = at(value, 0)
  const nanos = at(value, 1) ?? 0
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds <= 0) return null
  if (typeof nanos !== 'number' || !(nanos >= 0 && nanos < 1e9)) return null
  const instant = new Date(seconds * 1000 + Math.floor(nanos / 1e6))
  return Number.isNaN(instant.getTime()) ? null : instant
}
