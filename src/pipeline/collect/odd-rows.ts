import { type OddRow, QUARANTINED_ROWS_MAX } from '../../model/odd-row.ts'
import type { StoreReview } from '../../model/review.ts'
import type { KnownOddRow } from '../../storage/port/feeds.ts'

/**
 * How often a walk goes on past known pages to look for the quarantined rows of its feed again: the store may have
 * mended one that newer reviews have pushed down since.
 */
export const QUARANTINE_LOOK_MS = 24 * 3_600_000

/** The odd rows of one walk, and whether it may end. */
export type OddRows = {
  /** Takes a page's rows. Whether all of its odd rows were known before: then they keep no page from being known. */
  readonly take: (reviews: readonly StoreReview[], odd: readonly OddRow[]) => boolean
  /** Known pages are no end yet. */
  readonly lookFurther: () => boolean
  readonly found: () => readonly OddRow[]
  /** Of those found, the ones that are new or were written anew by the store. */
  readonly changed: () => readonly OddRow[]
  /** Rows that were in quarantine and are reviews now. */
  readonly released: () => readonly string[]
  /** Every quarantined row was met. */
  readonly metAll: () => boolean
}

export function createOddRows(known: readonly KnownOddRow[], now: Date): OddRows {
  const hashes = new Map(known.map((row) => [row.rowKey, row.rawHash]))
  const missing = new Set(hashes.keys())
  const found = new Map<string, OddRow>()
  const released: string[] = []
  const isDue = known.some(({ checkedAt }) => {
    const ageMs = now.getTime() - checkedAt.getTime()
    return ageMs >= QUARANTINE_LOOK_MS || ageMs < 0
  })
  return {
    take(reviews, odd) {
      for (const { reviewId } of reviews) {
        if (hashes.has(reviewId) && !released.includes(reviewId)) released.push(reviewId)
        missing.delete(reviewId)
        found.delete(reviewId)
      }
      for (const row of odd) {
        missing.delete(row.rowKey)
        if (!released.includes(row.rowKey)) found.set(row.rowKey, row)
      }
      // A full quarantine takes no more, so a row it does not hold would be new for ever.
      return known.length >= QUARANTINED_ROWS_MAX || odd.every((row) => hashes.has(row.rowKey))
    },
    lookFurther: () => isDue && missing.size > 0,
    found: () => [...found.values()],
    changed: () => [...found.values()].filter((row) => hashes.get(row.rowKey) !== row.rawHash),
    released: () => released,
    metAll: () => missing.size === 0,
  }
}
