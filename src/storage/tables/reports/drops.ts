import { NOTABLE_FALL_MICROS } from '../../../model/rating.ts'
import type { Store, Storefront } from '../../../model/vocabulary.ts'
import { columns, instant, integer, named, text, word } from '../../columns.ts'
import type { RatingDrops } from '../../port/reports.ts'
import { msOf } from '../../values.ts'
import { sql, together, type Work } from '../../work.ts'
import { hasStorefront } from '../hooks/tracked-storefronts.ts'
import type { AppScope } from './scope.ts'

/** The maximum number in a report, the newest ones. */
const DROPS_MAX = 100

const DROP = columns(
  {
    seq: integer,
    store: word<Store>(),
    appId: text,
    storefront: named('market', word<Storefront>()),
    at: named('observed_at', instant),
    before: { micros: named('o.previous_micros', integer), count: named('o.previous_count', integer) },
    now: { micros: named('o.current_micros', integer), count: named('o.current_count', integer) },
    // Of all drops of the app in the period.
    total: named('count(*) over ()', integer),
  },
  'o',
)

/** The notable rating drops of these apps in a period. */
export function* notableDrops(
  accountId: string,
  scopes: readonly AppScope[],
  since: Date,
  until: Date,
): Work<RatingDrops> {
  const byApp = yield* together(
    ...scopes.map(({ store, appId, markets }) =>
      DROP.all(NOTABLE_DROPS, accountId, store, appId, markets.rating, msOf(since), msOf(until)),
    ),
  )
  return {
    total: byApp.reduce((sum, [first]) => sum + (first?.total ?? 0), 0),
    newest: byApp
      .flat()
      .sort((a, b) => b.at.getTime() - a.at.getTime() || b.seq - a.seq)
      .slice(0, DROPS_MAX)
      .map(({ seq: _, total: __, ...drop }) => drop),
  }
}

/**
 * Whether a drop `o` is notable for the account `?1`: it is large, or a watch matches it (docs/contract.md, Rating drops). An
 * average of many ratings often changes by thousandths, so SQL filters these out.
 */
const IS_NOTABLE = `(o.previous_micros - o.current_micros >= ${NOTABLE_FALL_MICROS} or exists (
    select 1 from watches w where w.account_id = ?1 and w.store = o.store and w.app_id = o.app_id
      and w.event_type = 'rating.dropped' and (w.storefront is null or ${hasStorefront('w.storefront', 'o.market')})
      and w.created_at <= o.occurred_at
      and (o.previous_micros - o.current_micros >= w.delta_micros
        or (o.previous_micros >= w.threshold_micros and o.current_micros < w.threshold_micros))))`

/** Parameters: the account, an app with its markets, and the period. */
export const NOTABLE_DROPS = sql(
  (d) => `from occurrences o
    where o.store = ?2 and o.app_id = ?3 and o.market ${d.among('?4', 'text')} and o.event_type = 'rating.dropped'
      and o.observed_at >= ?5 and o.observed_at < ?6 and ${IS_NOTABLE}
    order by o.observed_at desc, o.seq desc limit ${DROPS_MAX}`,
)
