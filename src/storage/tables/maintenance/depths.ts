import { FEED_KINDS, STORES } from '../../../model/vocabulary.ts'
import type { DueWork, QueueDepths } from '../../port/maintenance.ts'
import { dateOrNull, msOf } from '../../values.ts'
import { get, sql, together, type Work } from '../../work.ts'
import { leastDueOf } from '../queue/lanes.ts'

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

/** The first entry of an index. With `min()` and outdated statistics PostgreSQL would read the whole backlog. */
function first(column: string, rest: string): string {
  return `(select ${column} from ${rest} order by ${column} limit 1)`
}

const QUEUES = STORES.flatMap((store) => FEED_KINDS.map((kind) => ({ store, kind })))

const FEEDS = QUEUES.map(
  ({ store, kind }) =>
    `${first('next_poll_at', `feeds where store = '${store}' and kind = '${kind}' and next_poll_at is not null`)} as "${store}.${kind}"`,
)

const NEVER = Number.MAX_SAFE_INTEGER

const ENRICHMENTS = [
  first('enrich_at', 'reviews where enrich_at is not null and enrich_leased_until is null'),
  first('enrich_leased_until', 'reviews where enrich_leased_until is not null'),
].map((at) => `coalesce(${at}, ${NEVER})`)

/** Reads only the first entries of indexes. */
export const DUE_WORK = sql(
  (d) => `select ${FEEDS.join(', ')},
    nullif(${d.least(...ENRICHMENTS)}, ${NEVER}) as "enrichAt",
    ${first('ready_at', 'occurrences where ready_at is not null')} as "fanOutAt",
    ${first('next_claim_at', 'lanes where next_claim_at is not null')} as "sendAt",
    ${first('next_at', "replays where status = 'running' and next_at is not null")} as "replayAt",
    ${first('next_poll_at', 'review_sources where next_poll_at is not null')} as "officialAt",
    ${first('next_at', 'review_histories where next_at is not null')} as "historyAt",
    ${first('next_at', 'replies where next_at is not null')} as "replyAt"`,
)

type Queues = DueWork['polls'] & Omit<DueWork, 'polls'>

export function* dueWork(): Work<DueWork> {
  const row = yield* get<{ readonly [Queue in keyof Queues]: number | null }>(DUE_WORK)
  if (row === undefined) throw new Error('the query for due work returned no row')
  const at = Object.fromEntries(Object.entries(row).map(([queue, ms]) => [queue, dateOrNull(ms)])) as Queues
  const { enrichAt, fanOutAt, sendAt, replayAt, officialAt, historyAt, replyAt, ...polls } = at
  return { polls, enrichAt, fanOutAt, sendAt, replayAt, officialAt, historyAt, replyAt }
}
