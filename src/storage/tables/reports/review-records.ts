import type { Enrichment } from '../../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../../model/enrichment-failure.ts'
import { appKeyOf } from '../../../model/hook.ts'
import { ownerOf, publicMarketOf } from '../../../model/market.ts'
import { sourceNameOf } from '../../../model/review-source.ts'
import type { ReviewCursor, ReviewRecord } from '../../port/reports.ts'
import { dateOrNull, parsedOrNull } from '../../values.ts'
import { all, sql, type Work } from '../../work.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from '../feeds/review-rows.ts'
import { TRIAGE_COLUMNS, type TriageRow, triageOf } from '../people/triage.ts'
import { hashKey } from '../queue/delivery-where.ts'
import { answerStates } from './answer-where.ts'
import { scopesByApp, scopesIn } from './scope.ts'

/** Of `reviews r` with `joinedTo`. */
export const RECORD_COLUMNS = `r.seq, ${REVIEW_COLUMNS}, r.engine, r.enrich_failure, r.reply_text, r.reply_at, a.name as app_name,
  ${TRIAGE_COLUMNS}`

/** The app of `reviews r`, and what the account noted. `account`: the place of its id. */
export function joinedTo(account: string): string {
  return `left join apps a on a.store = r.store and a.app_id = r.app_id
    left join triage t on t.review_seq = r.seq and t.account_id = ${account}`
}

export type RecordRow = ReviewRow &
  TriageRow & {
    seq: number
    engine: string | null
    enrich_failure: EnrichmentFailure | null
    reply_text: string | null
    reply_at: number | null
    app_name: string | null
  }

/** The records of rows, with the states of the account's answers. */
export function* recordsOf(accountId: string, rows: readonly RecordRow[]): Work<ReviewRecord[]> {
  const records = rows.map(recordOf)
  const states = yield* answerStates(
    accountId,
    records.map(({ fingerprint }) => fingerprint),
  )
  return records.map((record) => ({
    ...record,
    answerState: states.get(record.fingerprint) ?? record.answerState,
  }))
}

/** `answerState` is that of the public page. */
function recordOf(row: RecordRow): ReviewRecord {
  const enrichment = parsedOrNull<Enrichment>(row.r_enrichment)
  const source = sourceNameOf(reviewOf(row), ownerOf(row.r_market))
  return {
    ...reviewOf(row),
    market: publicMarketOf(row.r_market),
    isImported: source === 'import',
    source,
    publicReply: row.reply_text === null ? null : { text: row.reply_text, at: dateOrNull(row.reply_at) },
    answerState: row.reply_text === null ? 'unanswered' : 'published',
    enrichment,
    seq: row.seq,
    appName: row.app_name,
    enrichedBy: enrichment === null ? null : row.engine,
    enrichmentFailure: enrichment === null ? row.enrich_failure : null,
    triage: triageOf(row),
  }
}

const AMONG = sql(
  (d) =>
    `select ${RECORD_COLUMNS} from reviews r ${joinedTo('?2')} where r.fingerprint ${d.among('?1', 'bytea')}`,
)

/** Those of the reviews that the account may see. */
export function* findReviews(accountId: string, fingerprints: readonly string[]): Work<ReviewRecord[]> {
  const keys = fingerprints.map(hashKey).filter((key) => key !== null)
  const rows = keys.length === 0 ? [] : yield* all<RecordRow>(AMONG, keys, accountId)
  if (rows.length === 0) return []
  const scopes = scopesByApp(yield* scopesIn(accountId))
  const shown = rows.filter((row) => {
    const scope = scopes.get(appKeyOf(reviewOf(row)))
    return scope?.markets.reviews.includes(row.r_market)
  })
  return yield* recordsOf(accountId, shown)
}

/** A review's position in the feed. */
export type FeedKeyRow = { readonly occurred_at: number; readonly seq: number }

/** Newest first. */
export function byNewest(a: FeedKeyRow, b: FeedKeyRow): number {
  return b.occurred_at - a.occurred_at || b.seq - a.seq
}

export function cursorOf(row: FeedKeyRow): ReviewCursor {
  return { occurredAtMs: row.occurred_at, seq: row.seq }
}
