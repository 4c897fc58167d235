import type {
  DeadFilter,
  DeadLetterStorage,
  NewReplay,
  RecoveryFilter,
  Replay,
  ReplayFilter,
  ReplayStatus,
} from '../port/dead-letters.ts'
import { dateOf, dateOrNull, msOf, parsed } from '../values.ts'

/** Rows of replays, the same on both engines. */

/**
 * A bulk replay:
 *
 *   running ──everything queued──▶ done
 *   running ◀──resume── ──pause──▶ paused      its position is stored
 *   running, paused ──cancel──▶ cancelled      queued deliveries stay on the queue
 */
export type ReplayStorage = Pick<
  DeadLetterStorage,
  'createReplays' | 'getReplay' | 'listReplays' | 'setReplayStatus' | 'advanceReplays'
>

/** Columns of `replays p`. Each read counts the outcomes. */
export const REPLAY_COLUMNS = `p.id, p.account_id, p.filter, p.status, p.total, p.queued, p.rate_per_second, p.created_at,
  p.finished_at,
  (select count(*) from deliveries where replay_id = p.id and status = 'delivered') as delivered,
  (select count(*) from deliveries where replay_id = p.id and status = 'dead') as dead_again`

export type ReplayRow = {
  id: string
  account_id: string
  filter: string
  status: ReplayStatus
  total: number
  queued: number
  rate_per_second: number
  created_at: number
  finished_at: number | null
  delivered: number
  dead_again: number
}

/** A running replay whose next step is due. */
export type DueReplay = {
  id: string
  account_id: string
  filter: string
  seq_max: number
  cursor: number
  rate_per_second: number
  created_at: number
}

/** A new replay. */
export function createdReplay(given: NewReplay, total: number): Replay {
  return {
    ...given,
    status: 'running',
    total,
    queued: 0,
    delivered: 0,
    deadAgain: 0,
    finishedAt: null,
  }
}

export function replayOf(row: ReplayRow): Replay {
  return {
    id: row.id,
    accountId: row.account_id,
    filter: filterOf(row.filter),
    status: row.status,
    total: row.total,
    queued: row.queued,
    delivered: row.delivered,
    deadAgain: row.dead_again,
    ratePerSecond: row.rate_per_second,
    createdAt: dateOf(row.created_at),
    finishedAt: dateOrNull(row.finished_at),
  }
}

/**
 * A step queues the letters of at most one second of the rate, and at least one. A slower rate lengthens the next wait.
 */
export function replayStep(ratePerSecond: number): { readonly letters: number; readonly waitMs: number } {
  const letters = Math.max(1, Math.floor(ratePerSecond))
  return { letters, waitMs: Math.ceil((letters * 1_000) / ratePerSecond) }
}

export function isRecovery(filter: ReplayFilter): filter is RecoveryFilter {
  return 'recoverSince' in filter
}

export function filterText(filter: ReplayFilter): string {
  if (isRecovery(filter)) return JSON.stringify({ ...filter, recoverSince: msOf(filter.recoverSince) })
  const { since, until, ...rest } = filter
  return JSON.stringify({ ...rest, since: since && msOf(since), until: until && msOf(until) })
}

type StoredFilter = Omit<DeadFilter, 'since' | 'until'> & { since?: number; until?: number }
type StoredRecovery = Omit<RecoveryFilter, 'recoverSince'> & { recoverSince: number }

export function filterOf(text: string): ReplayFilter {
  const stored = parsed<StoredFilter | StoredRecovery>(text)
  if ('recoverSince' in stored) return { ...stored, recoverSince: dateOf(stored.recoverSince) }
  const { since, until, ...rest } = stored
  return {
    ...rest,
    ...(since !== undefined && { since: dateOf(since) }),
    ...(until !== undefined && { until: dateOf(until) }),
  }
}
