import { FEED_KINDS, STORES } from '../../../model/vocabulary.ts'
import type { DueWork } from '../../port/maintenance.ts'
import { dateOrNull } from '../../values.ts'
import { get, sql, type Work } from '../../work.ts'

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
