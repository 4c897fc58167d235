import { type MalformedRow, QUARANTINED_ROWS_MAX } from '../../model/malformed-row.ts'
import type { StoreReview } from '../../model/review.ts'
import type { KnownMalformedRow } from '../../storage/port/feeds.ts'

/**
 * How often a poll continues past known pages to read its quarantined rows again: the store may have fixed a row that
 * newer reviews have pushed to a later page.
 */
export const QUARANTINE_SEARCH_INTERVAL_MS = 24 * 3_600_000

export type MalformedRows = ReturnType<typeof createMalformedRows>

/** The malformed rows of one poll. */
export function createMalformedRows(known: readonly KnownMalformedRow[], now: Date) {
  const hashes = new Map(known.map((row) => [row.rowKey, row.rawHash]))
  const missing = new Set(hashes.keys())
  const found = new Map<string, MalformedRow>()
  const released: string[] = []
  const isDue = known.some(({ checkedAt }) => {
    const ageMs = now.getTime() - checkedAt.getTime()
    return ageMs >= QUARANTINE_SEARCH_INTERVAL_MS || ageMs < 0
  })
  return {
    /** Adds the rows of a page. Returns whether all of its malformed rows were known. */
    add(reviews: readonly StoreReview[], malformed: readonly MalformedRow[]): boolean {
      for (const { reviewId } of reviews) {
        if (hashes.has(reviewId) && !released.includes(reviewId)) released.push(reviewId)
        missing.delete(reviewId)
        found.delete(reviewId)
      }
      for (const row of malformed) {
        missing.delete(row.rowKey)
        if (!released.includes(row.rowKey)) found.set(row.rowKey, row)
      }
      // A full quarantine stores no more rows. Any other row would count as new at every poll.
      return known.length >= QUARANTINED_ROWS_MAX || malformed.every((row) => hashes.has(row.rowKey))
    },
    /** Whether the poll must continue past known pages. */
    continuePastKnown: (): boolean => isDue && missing.size > 0,
    found: (): readonly MalformedRow[] => [...found.values()],
    /** The found rows that are new or that the store changed. */
    changed: (): readonly MalformedRow[] =>
      [...found.values()].filter((row) => hashes.get(row.rowKey) !== row.rawHash),
    /** Quarantined rows that are valid reviews now. */
    released: (): readonly string[] => released,
    /** Whether every quarantined row was found again. */
    foundAll: (): boolean => missing.size === 0,
  }
}
