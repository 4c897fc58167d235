import type { RatingDrops } from '../../port/reports.ts'
import { DROP_COLUMNS, DROPS_MAX, type DropRow, dropsOf, notableWhere } from '../../reports/drop-rows.ts'
import type { AppScope } from '../../reports/scope.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/** Parameters: the account, its apps with their markets (JSON), and the period. */
export const NOTABLE_DROPS = `select ${DROP_COLUMNS} from json_each(?2) j
  cross join occurrences o on o.store = j.value ->> 0 and o.app_id = j.value ->> 1
    and o.event_type = 'rating.dropped' and o.observed_at >= ?3 and o.observed_at < ?4
  where o.market in (select value from json_each(j.value, '$[2]')) and ${notableWhere('?1')}
  order by o.observed_at desc, o.seq desc limit ${DROPS_MAX}`

export function notableDrops(
  db: Connection,
  accountId: string,
  scopes: readonly AppScope[],
  since: Date,
  now: Date,
): RatingDrops {
  const apps = scopes.map(({ store, appId, markets }) => [store, appId, markets.rating])
  return dropsOf(db.all<DropRow>(NOTABLE_DROPS, accountId, JSON.stringify(apps), msOf(since), msOf(now)))
}
