import { hashOf } from '../../model/canonical.ts'
import { MALFORMED_RAW_CHARS_MAX, type MalformedRow } from '../../model/malformed-row.ts'
import type { StoreReview } from '../../model/review.ts'
import { storableText } from '../../model/storable-text.ts'

/** One parsed row of a page: a review, or the reason why it is malformed. */
export type RowRead = {
  /** The row as the store wrote it: JSON, or a piece of XML. */
  readonly raw: unknown
  /** The id of the row; null when it is missing or unreadable. */
  readonly reviewId: string | null
  readonly review: StoreReview | string
}

export type PageRows = {
  /** In the order of the page. */
  readonly reviews: readonly StoreReview[]
  readonly malformed: readonly MalformedRow[]
  /** Number of rows on the page, including duplicates and malformed ones. */
  readonly rows: number
}

/** A page with fewer rows has a changed format only if all of them are malformed. */
const SHARE_ROWS_MIN = 3
/** A page with a larger share of malformed rows has a changed format. */
const MALFORMED_SHARE_MAX = 1 / 3

/** Splits a page into reviews and malformed rows. Returns a sentence when the page has a changed format. */
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
    // A valid row of the same review takes precedence.
    if (!shown.has(malformedRow.rowKey)) malformedRows.set(malformedRow.rowKey, malformedRow)
  }
  return { reviews, malformed: [...malformedRows.values()], rows: rows.length }
}

/** Google's ids have 36 or 80 characters. Longer keys would bloat the index. */
const ROW_KEY_CHARS_MAX = 200

function malformedRowOf({ raw, reviewId }: RowRead, reason: string): MalformedRow {
  const text = storableText(typeof raw === 'string' ? raw : jsonText(raw))
  const rawHash = hashOf(['row', text])
  return {
    rowKey: reviewId !== null && reviewId.length <= ROW_KEY_CHARS_MAX ? reviewId : `raw:${rawHash}`,
    reason: storableText(reason),
    // The slice may split a surrogate pair.
    raw: text.slice(0, MALFORMED_RAW_CHARS_MAX).toWellFormed(),
    rawHash,
  }
}

/** The JSON of a parsed value; a placeholder when it is nested too deeply. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return '"(nested too deeply)"'
  }
}
