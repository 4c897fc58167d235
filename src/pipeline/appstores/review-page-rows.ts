import { hashOf } from '../../model/canonical.ts'
import { MALFORMED_RAW_CHARS_MAX, type MalformedRow } from '../../model/malformed-row.ts'
import type { StoreReview } from '../../model/review.ts'
import { storableText } from '../../model/storable-text.ts'

/** One row of a page after parsing: a review, or the reason why it is none. */
export type RowRead = {
  /** The row as the store wrote it: JSON, or a piece of XML. */
  readonly raw: unknown
  /** The id in the row; null without a readable one. */
  readonly reviewId: string | null
  readonly review: StoreReview | string
}

export type PageRows = {
  /** In the order of the page. */
  readonly reviews: readonly StoreReview[]
  readonly malformed: readonly MalformedRow[]
  /** Rows on the page, including duplicates and malformed ones: how full the page is. */
  readonly rows: number
}

/** From this many rows a share decides; with fewer all must be malformed. */
const SHARE_ROWS_MIN = 3
/** Above this share of malformed rows a page has a changed format. */
const MALFORMED_SHARE_MAX = 1 / 3

/**
 * Splits a page into reviews and malformed rows. A sentence when the page has a changed format: more than a third of three
 * rows or more are malformed, or all of fewer.
 */
export function pageRowsOf(rows: readonly RowRead[]): PageRows | string {
  const reviews: StoreReview[] = []
  const malformed: { row: RowRead; reason: string }[] = []
  for (const row of rows) {
    if (typeof row.review === 'string') malformed.push({ row, reason: row.review })
    else reviews.push(row.review)
  }
  const first = malformed[0]
  const changed =
    rows.length >= SHARE_ROWS_MIN
      ? malformed.length > rows.length * MALFORMED_SHARE_MAX
      : malformed.length === rows.length
  if (first !== undefined && changed) {
    return rows.length === 1
      ? first.reason
      : `${first.reason} (${malformed.length} of ${rows.length} rows are malformed)`
  }
  const shown = new Set(reviews.map((review) => review.reviewId))
  const malformedRows = new Map<string, MalformedRow>()
  for (const { row, reason } of malformed) {
    const malformedRow = malformedRowOf(row, reason)
    // A good copy of the same review on the page counts instead.
    if (!shown.has(malformedRow.rowKey)) malformedRows.set(malformedRow.rowKey, malformedRow)
  }
  return { reviews, malformed: [...malformedRows.values()], rows: rows.length }
}

/** Chosen: Google's ids have 36 or 80 characters; the key of an index must be short. */
const ROW_KEY_CHARS_MAX = 200

function malformedRowOf({ raw, reviewId }: RowRead, reason: string): MalformedRow {
  const text = storableText(typeof raw === 'string' ? raw : jsonText(raw))
  const rawHash = hashOf(['row', text])
  return {
    rowKey: reviewId !== null && reviewId.length <= ROW_KEY_CHARS_MAX ? reviewId : `raw:${rawHash}`,
    reason: storableText(reason),
    // Not between the two halves of a surrogate pair.
    raw: text.slice(0, MALFORMED_RAW_CHARS_MAX).toWellFormed(),
    rawHash,
  }
}

/** JSON of a value that came as JSON; a placeholder when it is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return '"(nested too deeply)"'
  }
}
