import { hashOf } from '../../model/canonical.ts'
import { ODD_RAW_CHARS_MAX, type OddRow } from '../../model/odd-row.ts'
import type { StoreReview } from '../../model/review.ts'
import { storableText } from '../../model/storable-text.ts'

/** One row of a page after parsing: a review, or why it is none. */
export type RowRead = {
  /** The row as the store wrote it: JSON, or a piece of XML. */
  readonly raw: unknown
  /** As the row names itself; null when it has no id that we can read. */
  readonly reviewId: string | null
  readonly review: StoreReview | string
}

export type PageRows = {
  /** In the order of the page. */
  readonly reviews: readonly StoreReview[]
  readonly odd: readonly OddRow[]
  /** Rows on the page, duplicates and odd ones too: what says how full the page is. */
  readonly rows: number
}

/** From this many rows on a share decides; of fewer all must be odd. */
const SHARE_ROWS_MIN = 3
/** Above this share of odd rows a page has a changed format. */
const ODD_SHARE_MAX = 1 / 3

/**
 * Splits a page into reviews and odd rows. A sentence when the page has a changed format: more than a third of three
 * rows or more are odd, or all of fewer.
 */
export function pageRowsOf(rows: readonly RowRead[]): PageRows | string {
  const reviews: StoreReview[] = []
  const odd: { row: RowRead; why: string }[] = []
  for (const row of rows) {
    if (typeof row.review === 'string') odd.push({ row, why: row.review })
    else reviews.push(row.review)
  }
  const first = odd[0]
  const changed =
    rows.length >= SHARE_ROWS_MIN ? odd.length > rows.length * ODD_SHARE_MAX : odd.length === rows.length
  if (first !== undefined && changed) {
    return rows.length === 1 ? first.why : `${first.why} (${odd.length} of ${rows.length} rows are odd)`
  }
  const shown = new Set(reviews.map((review) => review.reviewId))
  const oddRows = new Map<string, OddRow>()
  for (const { row, why } of odd) {
    const oddRow = oddRowOf(row, why)
    // A good copy of the same review on the page is the better witness.
    if (!shown.has(oddRow.rowKey)) oddRows.set(oddRow.rowKey, oddRow)
  }
  return { reviews, odd: [...oddRows.values()], rows: rows.length }
}

/** Chosen: Google's ids have 36 or 80 characters; a key of an index must not be any text. */
const ROW_KEY_CHARS_MAX = 200

function oddRowOf({ raw, reviewId }: RowRead, why: string): OddRow {
  const text = storableText(typeof raw === 'string' ? raw : jsonText(raw))
  const rawHash = hashOf(['row', text])
  return {
    rowKey: reviewId !== null && reviewId.length <= ROW_KEY_CHARS_MAX ? reviewId : `raw:${rawHash}`,
    why: storableText(why),
    // A cut through a pair of surrogates would leave half of it.
    raw: text.slice(0, ODD_RAW_CHARS_MAX).toWellFormed(),
    rawHash,
  }
}

/** JSON of a value that came as JSON; a note in its place when it is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return '"(nested too deeply)"'
  }
}
