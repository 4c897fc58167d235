import { NOTABLE_FALL_MICROS } from '../../model/rating.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { RatingDrops } from '../port/reports.ts'
import { hasStorefront } from '../tables/hooks/storefront-text.ts'
import { dateOf } from '../values.ts'

/** Notable rating drops from the rows of either engine. */

export type DropRow = {
  readonly store: Store
  readonly app_id: string
  readonly market: Storefront
  readonly observed_at: number
  readonly previous_micros: number
  readonly previous_count: number
  readonly current_micros: number
  readonly current_count: number
  /** Of all drops in the range. */
  readonly total: number
}

/** Columns of `occurrences o`. */
export const DROP_COLUMNS = `o.store, o.app_id, o.market, o.observed_at, o.previous_micros, o.previous_count,
  o.current_micros, o.current_count, count(*) over () as total`

/** The maximum number in a report, the newest ones. */
export const DROPS_MAX = 100

/**
 * Whether a drop `o` is notable for an account: it is large, or a watch matches it (docs/contract.md, Rating drops). An
 * average of many ratings often changes by thousandths, so SQL filters these out.
 */
export function notableWhere(account: string): string {
  return `(o.previous_micros - o.current_micros >= ${NOTABLE_FALL_MICROS} or exists (
    select 1 from watches w where w.account_id = ${account} and w.store = o.store and w.app_id = o.app_id
      and w.event_type = 'rating.dropped' and (w.storefront is null or ${hasStorefront('w.storefront', 'o.market')})
      and w.created_at <= o.occurred_at
      and (o.previous_micros - o.current_micros >= w.delta_micros
        or (o.previous_micros >= w.threshold_micros and o.current_micros < w.threshold_micros))))`
}

export function dropsOf(rows: readonly DropRow[]): RatingDrops {
  return {
    total: rows[0]?.total ?? 0,
    newest: rows.map((row) => ({
      store: row.store,
      appId: row.app_id,
      storefront: row.market,
      at: dateOf(row.observed_at),
      before: { micros: row.previous_micros, count: row.previous_count },
      now: { micros: row.current_micros, count: row.current_count },
    })),
  }
}
