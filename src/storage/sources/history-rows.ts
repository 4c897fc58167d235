import type { HistoryState, ReviewHistory } from '../../model/review-history.ts'
import type { LeasedHistory } from '../port/review-histories.ts'
import { dateOf } from '../values.ts'
import { type ClaimedRow, leasedSourceOf, SOURCE_COLUMNS } from './source-rows.ts'

/** Rows of `review_histories`, the same on both engines. */

export const HISTORY_COLUMNS = `h.source_id, h.state, h.started_at, h.updated_at, h.reviews, h.added, h.known, h.ratings_only,
  h.malformed, h.progress_done, h.progress_total, h.failures, h.problem, h.page_cursor`

export type HistoryRow = {
  source_id: number
  store: 'apple' | 'google'
  app_id: string
  state: HistoryState
  started_at: number
  updated_at: number
  reviews: number
  added: number
  known: number
  ratings_only: number
  malformed: number
  progress_done: number | null
  progress_total: number | null
  failures: number
  problem: string | null
  page_cursor: string | null
}

/** The running history that is due longest. The parameter is now. */
export function dueHistory(now: string): string {
  return `select h.source_id, h.state as history_state, h.started_at, h.updated_at, h.reviews, h.added, h.known,
      h.ratings_only, h.malformed, h.progress_done, h.progress_total, h.failures as history_failures,
      h.problem as history_problem, h.page_cursor, ${SOURCE_COLUMNS}, c.kind, c.credentials
    from review_histories h join review_sources s on s.id = h.source_id join store_connections c on c.id = s.connection_id
    where h.next_at <= ${now} and s.state = 'official' order by h.next_at, h.source_id limit 1`
}

export type DueHistoryRow = ClaimedRow &
  Omit<HistoryRow, 'state' | 'failures' | 'problem'> & {
    history_state: HistoryState
    history_failures: number
    history_problem: string | null
  }

export function leasedHistoryOf(row: DueHistoryRow, lease: string): LeasedHistory {
  const { accountId, connection } = leasedSourceOf(row, lease)
  const { history_state: state, history_failures: failures, history_problem: problem } = row
  return {
    ...historyOf({ ...row, state, failures, problem }),
    accountId,
    connection,
    lease,
    cursor: row.page_cursor,
    failures,
  }
}

export function historyOf(row: HistoryRow): ReviewHistory {
  const { progress_done: done, progress_total: total } = row
  return {
    sourceId: row.source_id,
    store: row.store,
    appId: row.app_id,
    state: row.state,
    startedAt: dateOf(row.started_at),
    updatedAt: dateOf(row.updated_at),
    reviews: row.reviews,
    added: row.added,
    known: row.known,
    ratingsOnly: row.ratings_only,
    malformed: row.malformed,
    progress: done === null || total === null ? null : { done, total },
    problem: row.problem,
  }
}
