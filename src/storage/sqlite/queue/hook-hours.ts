import type { Settled } from '../../port/deliveries.ts'
import { DEAD_LETTERED, hourOf, outcomesOf } from '../../tables/queue/latency.ts'
import type { Connection } from '../connect.ts'

/** Adds the results of a hook's attempts to the current hour. Call it inside the transaction that settles them. */
export function incrementHours(
  db: Connection,
  lane: { readonly account_id: string; readonly hook_id: string },
  settled: readonly Settled[],
  now: Date,
): void {
  for (const [outcome, count] of outcomesOf(settled)) {
    db.run(
      `insert into hook_hours (account_id, hour_at, hook_id, outcome, count) values (?, ?, ?, ?, ?)
       on conflict do update set count = count + excluded.count`,
      lane.account_id,
      hourOf(now),
      lane.hook_id,
      outcome,
      count,
    )
  }
}

/** Counts deliveries that became dead letters without an attempt. Call it inside the transaction that ends them. */
export function countDeadLetters(db: Connection, seqs: readonly number[], now: Date): void {
  db.run(
    `insert into hook_hours (account_id, hour_at, hook_id, outcome, count)
     select account_id, ?, hook_id, ?, count(*) from deliveries
     where seq in (select value from json_each(?)) group by account_id, hook_id
     on conflict do update set count = count + excluded.count`,
    hourOf(now),
    DEAD_LETTERED,
    JSON.stringify(seqs),
  )
}
