import type { Settled } from '../../port/deliveries.ts'
import { DEAD_LETTERED, hourOf, outcomesOf } from '../../tables/queue/latency.ts'
import type { Queries, Transaction } from '../connect.ts'

/** Adds the results of attempts to the current hour of each hook, in an order that avoids deadlocks. */
export function incrementHours(
  tx: Transaction,
  lanes: readonly {
    readonly lane: { readonly account_id: string; readonly hook_id: string }
    readonly ofLane: readonly Settled[]
  }[],
  now: Date,
): void {
  const rows = lanes.flatMap(({ lane, ofLane }) =>
    [...outcomesOf(ofLane)].map(([outcome, count]) => ({ ...lane, outcome, count })),
  )
  if (rows.length === 0) return
  tx.send(
    `insert into hook_hours (account_id, hour_at, hook_id, outcome, count)
     select account_id, $1, hook_id, outcome, count
     from unnest($2::text[], $3::text[], $4::smallint[], $5::bigint[]) as v (account_id, hook_id, outcome, count)
     order by hook_id, outcome
     on conflict (account_id, hour_at, hook_id, outcome) do update set count = hook_hours.count + excluded.count`,
    hourOf(now),
    rows.map((row) => row.account_id),
    rows.map((row) => row.hook_id),
    rows.map((row) => row.outcome),
    rows.map((row) => row.count),
  )
}

/**
 * Counts deliveries that became dead letters without an attempt. Call it inside the transaction that locked their
 * lanes.
 */
export async function countDeadLetters(db: Queries, seqs: readonly number[], now: Date): Promise<void> {
  await db.run(
    `insert into hook_hours (account_id, hour_at, hook_id, outcome, count)
     select account_id, $1, hook_id, $2, count(*) from deliveries where seq = any($3::bigint[])
     group by account_id, hook_id
     on conflict (account_id, hour_at, hook_id, outcome) do update set count = hook_hours.count + excluded.count`,
    hourOf(now),
    DEAD_LETTERED,
    seqs,
  )
}
