import { type MalformedRow, QUARANTINED_ROWS_MAX } from '../../model/malformed-row.ts'
import type { StoreReview } from '../../model/review.ts'
import type { KnownMalformedRow } from '../../storage/port/feeds.ts'

/**
 * How often a walk continues past known pages to read the quarantined rows of its feed again: the store may have repaired
 * a row that is now behind newer reviews.
 */
export const QUARANTINE_SEARCH_INTERVAL_MS = 24 * 3_600_000

/** The malformed rows of one walk. */
export type MalformedRows = {
  /** Adds a page's rows. Returns whether all of its malformed rows were known before. */
  readonly take: (reviews: readonly StoreReview[], malformed: readonly MalformedRow[]) => boolean
  /** Whether the walk must continue past known pages. */
  readonly continuePastKnown: () => boolean
  readonly found: () => readonly MalformedRow[]
  /** Of those found, new rows and rows that the store changed. */
  readonly changed: () => readonly MalformedRow[]
  /** Rows that were in quarantine and are reviews now. */
  readonly released: () => readonly string[]
  /** Every quarantined row was found again. */
  readonly metAll: () => boolean
}

export function createMalformedRows(known: readonly KnownMalformedRow[], now: Date): MalformedRows {
  const hashes = new Map(known.map((row) => [row.rowKey, row.rawHash]))
  const missing = new Set(hashes.keys())
  const found = new Map<string, MalformedRow>()
  const released: string[] = []
  const isDue = known.some(({ checkedAt }) => {
    const ageMs = now.getTime() - checkedAt.getTime()
    return ageMs >= QUARANTINE_SEARCH_INTERVAL_MS || ageMs < 0
  })
  return {
    take(reviews, malformed) {
      for (const { reviewId } of reviews) {
        if (hashes.has(reviewId) && !released.includes(reviewId)) released.push(reviewId)
        missing.delete(reviewId)
        found.delete(reviewId)
      }
      for (const row of malformed) {
        missing.delete(row.rowKey)
        if (!released.includes(row.rowKey)) found.set(row.rowKey, row)
      }
      // A full quarantine takes no more, so a row outside of it would be new forever.
      return known.length >= QUARANTINED_ROWS_MAX || malformed.every((row) => hashes.has(row.rowKey))
    },
    continuePastKnown: () => isDue && missing.size > 0,
    found: () => [...found.values()],
    changed: () => [...found.values()].filter((row) => hashes.get(row.rowKey) !== row.rawHash),
    released: () => released,
    metAll: () => missing.size === 0,
  }
}
