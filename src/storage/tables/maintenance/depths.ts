import type { QueueDepths } from '../../port/maintenance.ts'
import { dateOrNull, msOf } from '../../values.ts'
import { get, together, type Work } from '../../work.ts'
import { leastDueOf } from '../queue/least-due.ts'

const DEPTHS = `select
  (select count(*) from deliveries d where d.status = 'pending') as waiting,
  (select count(*) from lanes l join deliveries d on d.hook_id = l.hook_id
     where l.state = 'paused' and d.status = 'pending') as held,
  (select count(*) from deliveries d where d.status = 'dead' and d.resolved_at is null) as dead,
  (select count(*) from reviews where enrich_at is not null and enrich_leased_until is null)
    + (select count(*) from reviews where enrich_leased_until is not null) as waiting_for_enrichment,
  (select count(*) from occurrences where ready_at is not null) as waiting_for_fan_out`

/**
 * Of open lanes, from the first rows of an index for each. A delivery of a postponed lane is due when the postponement ends. Only
 * `max` of SQLite is null without a delivery.
 */
const OLDEST_DUE = {
  sqlite: `select min(max(coalesce(l.not_before, 0), ${leastDueOf('l.hook_id').sqlite})) as due_at
    from lanes l where l.next_claim_at is not null`,
  postgres: `select min(greatest(least_due, not_before)) as due_at
    from (select l.not_before, ${leastDueOf('l.hook_id').postgres} as least_due from lanes l where l.next_claim_at is not null) due
    where least_due is not null`,
}

/** A rate limit may also postpone a lane. The last notice shows whether the breaker is open. */
const BREAKERS_OPEN = `select count(*) as breakers from lanes l
  where l.state = 'open' and l.not_before > ?1 and 'breaker_opened' = (
    select n.kind from notices n
    where n.hook_id = l.hook_id and n.kind in ('breaker_opened', 'breaker_closed') order by n.seq desc limit 1)`

type Depths = Record<'waiting' | 'held' | 'dead' | 'waiting_for_enrichment' | 'waiting_for_fan_out', number>

/** In a snapshot, so that the figures are consistent. */
export function* depths(now: Date): Work<QueueDepths> {
  const [row, oldest, breakers] = yield* together(
    get<Depths>(DEPTHS),
    get<{ due_at: number | null }>(OLDEST_DUE),
    get<{ breakers: number }>(BREAKERS_OPEN, msOf(now)),
  )
  return {
    pending: (row?.waiting ?? 0) - (row?.held ?? 0),
    held: row?.held ?? 0,
    dead: row?.dead ?? 0,
    oldestDueAt: dateOrNull(oldest?.due_at ?? null),
    waitingForEnrichment: row?.waiting_for_enrichment ?? 0,
    waitingForFanOut: row?.waiting_for_fan_out ?? 0,
    breakersOpen: breakers?.breakers ?? 0,
  }
}
