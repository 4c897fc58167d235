import type { QueueDepths } from '../../port/maintenance.ts'
import { leastDueOf } from '../../tables/queue/least-due.ts'
import { dateOrNull, msOf } from '../../values.ts'
import type { Database } from '../connect.ts'

/**
 * One statement, so that the figures are consistent. The oldest due instant comes from the first rows of an index for
 * each open lane. A delivery of a postponed lane is due when the postponement ends. A rate limit may also postpone a
 * lane; the last notice shows whether the breaker is open.
 */
const DEPTHS = `select
  (select count(*) from deliveries d where d.status = 'pending') as waiting,
  (select count(*) from lanes l join deliveries d on d.hook_id = l.hook_id
     where l.state = 'paused' and d.status = 'pending') as held,
  (select count(*) from deliveries d where d.status = 'dead' and d.resolved_at is null) as dead,
  (select min(greatest(least_due, not_before))
   from (select l.not_before, ${leastDueOf('l.hook_id').postgres} as least_due from lanes l where l.next_claim_at is not null) due
   where least_due is not null) as oldest_due_at,
  (select count(*) from reviews where enrich_at is not null and enrich_leased_until is null)
    + (select count(*) from reviews where enrich_leased_until is not null) as waiting_for_enrichment,
  (select count(*) from occurrences where ready_at is not null) as waiting_for_fan_out,
  (select count(*) from lanes l
     where l.state = 'open' and l.not_before > $1 and 'breaker_opened' = (
       select n.kind from notices n
       where n.hook_id = l.hook_id and n.kind in ('breaker_opened', 'breaker_closed') order by n.seq desc limit 1)
  ) as breakers_open`

export async function depths(db: Database, now: Date): Promise<QueueDepths> {
  const row = await db.get<{
    waiting: number
    held: number
    dead: number
    oldest_due_at: number | null
    waiting_for_enrichment: number
    waiting_for_fan_out: number
    breakers_open: number
  }>(DEPTHS, msOf(now))
  if (row === undefined) throw new Error('the query for queue depths returned no row')
  return {
    pending: row.waiting - row.held,
    held: row.held,
    dead: row.dead,
    oldestDueAt: dateOrNull(row.oldest_due_at),
    waitingForEnrichment: row.waiting_for_enrichment,
    waitingForFanOut: row.waiting_for_fan_out,
    breakersOpen: row.breakers_open,
  }
}
