import type { RatingDrops } from '../../port/reports.ts'
import { DROP_COLUMNS, DROPS_MAX, type DropRow, dropsOf, notableWhere } from '../../reports/drop-rows.ts'
import { type AppScope, keysOf } from '../../reports/scope.ts'
import { msOf } from '../../values.ts'
import type { Queries } from '../connect.ts'

export async function notableDrops(
  db: Queries,
  accountId: string,
  scopes: readonly AppScope[],
  since: Date,
  now: Date,
): Promise<RatingDrops> {
  return dropsOf(
    await db.all<DropRow>(
      `select ${DROP_COLUMNS} from unnest($2::text[], $3::text[], $4::text[]) as j (store, app_id, market)
       join occurrences o on o.store = j.store and o.app_id = j.app_id and o.market = j.market
       where o.event_type = 'rating.dropped' and o.observed_at >= $5 and o.observed_at < $6 and ${notableWhere('$1')}
       order by o.observed_at desc, o.seq desc limit ${DROPS_MAX}`,
      accountId,
      ...keysOf(scopes, 'rating'),
      msOf(since),
      msOf(now),
    ),
  )
}
