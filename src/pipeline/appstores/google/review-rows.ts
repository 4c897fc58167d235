import type { PublicReply, StoreReview } from '../../../model/review.ts'
import { storableText } from '../../../model/storable-text.ts'
import { publicReplyOf } from '../public-reply.ts'
import { type PageRows, pageRowsOf } from '../review-page-rows.ts'
import { at, textAt } from './shape.ts'

/**
 * Positions of a review's fields in its row. Checked on 300 rows of 2026-07 and on rows of 2019 and 2021. The length of
 * a row varies (13, 15, 17). Only id, stars and date are required.
 */
const ID = 0
const AUTHOR = 1
const STARS = 2
const TITLE = 3
const BODY = 4
const SHOWN_AT = 5
const REPLY = 7
const APP_VERSION = 10
const HAS_HISTORY = 14

export type RowsPage =
  | (PageRows & { readonly kind: 'rows'; readonly token: string | null })
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * The reviews of a payload `[rows, [null, token]]`, in its order. `[]` and null rows mean no reviews. A null token is
 * the store's end. Rows that cannot be read are malformed; too many of them make the page unreadable.
 */
export function readRows(payload: unknown): RowsPage {
  if (!Array.isArray(payload)) return { kind: 'unreadable', reason: 'the reviews are not a list' }
  const rows = at(payload, 0) ?? []
  if (!Array.isArray(rows)) return { kind: 'unreadable', reason: 'the rows of the reviews are not a list' }
  const page = pageRowsOf(
    rows.map((row: unknown) => ({ raw: row, reviewId: textAt(row, ID), review: readRow(row) })),
  )
  if (typeof page === 'string') return { kind: 'unreadable', reason: page }
  return { kind: 'rows', ...page, token: textAt(payload, 1, 1) }
}

/** The review, or a sentence on what is wrong with its row. */
export function readRow(row: unknown): StoreReview | string {
  const reviewId = textAt(row, ID)
  if (reviewId === null) return `a review has no id at [${ID}]`
  const rating = at(row, STARS)
  if (typeof rating !== 'number' || !Number.isInteger(rating) || rating < 1 || rating > 5) {
    return `a review has no stars from 1 to 5 at [${STARS}]`
  }
  const shownAt = instantOf(at(row, SHOWN_AT))
  if (shownAt === null) return `a review has no date at [${SHOWN_AT}]`
  const body = at(row, BODY) ?? ''
  if (typeof body !== 'string') return `a review's text at [${BODY}] is not text`
  return {
    reviewId,
    rating,
    title: textAt(row, TITLE),
    body: storableText(body),
    author: textAt(row, AUTHOR, 0),
    appVersion: textAt(row, APP_VERSION),
    shownAt,
    edited: at(row, HAS_HISTORY, 0) === true,
    publicReply: replyOf(at(row, REPLY)),
  }
}

/** `[name of the developer, text, date]`. Undefined for anything else, so that it changes nothing. */
function replyOf(value: unknown): PublicReply | null | undefined {
  return value === null ? null : publicReplyOf(at(value, 1), instantOf(at(value, 2)))
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
