import { setImmediate } from 'node:timers/promises'
import { marketOf } from '../../model/market.ts'
import { contentHashOf, fingerprintOf, type Review } from '../../model/review.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { ImportCounts, ImportStorage } from '../../storage/port/imports.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'

export type ImportDeps = {
  readonly imports: ImportStorage
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly clock: Clock
  readonly limits: Pick<AccountGuard, 'importedRows'>
  /** Whether the installation enriches reviews. */
  readonly enriches: boolean
}

/** A review as the caller provides it. */
export type ImportedReview = Pick<
  Review,
  | 'store'
  | 'appId'
  | 'market'
  | 'reviewId'
  | 'rating'
  | 'title'
  | 'body'
  | 'author'
  | 'appVersion'
  | 'occurredAt'
>

/** Reviews per commit, which with their hashes takes about 20 ms on SQLite, and others get a turn between two. */
const BATCH = 150

/**
 * Adds history that only this account sees, without creating events. All rows are checked before the first is stored. After a failure,
 * repeating the import stores the rest.
 */
export async function importReviews(
  { imports, hooks, clock, enriches, limits }: ImportDeps,
  accountId: string,
  rows: readonly ImportedReview[],
): Promise<ImportCounts> {
  const now = clock.now()
  const tracked = new Set(
    (await hooks.watchedApps(accountId)).map(({ store, appId, storefront }) =>
      placeOf(store, appId, marketOf(store, 'reviews', storefront)),
    ),
  )
  rows.forEach((row, index) => {
    if (!tracked.has(placeOf(row.store, row.appId, row.market))) {
      const problem = `the account does not track ${row.store} ${row.appId} in ${row.market}. Track it first.`
      throw new OperationError('invalid', `Row ${index + 1}: ${problem}`)
    }
    if (row.occurredAt > now) {
      throw new OperationError('invalid', `Row ${index + 1}: occurred_at must be in the past.`)
    }
  })
  if (rows.length > 0) limits.importedRows(accountId, rows.length)
  const counts = { added: 0, replaced: 0, known: 0 }
  for (let from = 0; from < rows.length; from += BATCH) {
    const reviews = rows.slice(from, from + BATCH).map((row) => reviewOf(row, now))
    const { added, replaced, known } = await imports.add(accountId, reviews, now, enriches)
    counts.added += added
    counts.replaced += replaced
    counts.known += known
    await setImmediate()
  }
  return counts
}

function placeOf(store: Store, appId: string, market: string): string {
  return `${store} ${market} ${appId}`
}

function reviewOf(row: ImportedReview, now: Date): Review {
  return {
    ...row,
    fingerprint: fingerprintOf(row.store, row.appId, row.reviewId),
    contentHash: contentHashOf(row.title, row.body),
    shownAt: row.occurredAt,
    edited: null,
    observedAt: now,
  }
}
