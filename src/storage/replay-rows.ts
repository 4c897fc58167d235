import type { DeadFilter, Replay, ReplayStatus } from './port/dead.ts'
import { dateOf, dateOrNull, msOf, parsed } from './values.ts'

/** Rows of replays, the same on both engines. */

/** Of `replays p`; what became of those put back is counted, not kept. */
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

/** A step puts back at most one second's worth, at least one letter; a slower rate makes the wait after it longer. */
export function replayStep(ratePerSecond: number): { readonly letters: number; readonly waitMs: number } {
  const letters = Math.max(1, Math.floor(ratePerSecond))
  return { letters, waitMs: Math.ceil((letters * 1_000) / ratePerSecond) }
}

export function filterText({ since, until, ...rest }: DeadFilter): string {
  return JSON.stringify({ ...rest, since: since && msOf(since), until: until && msOf(until) })
}

export function filterOf(text: string): DeadFilter {
  const { since, until, ...rest } = parsed<
    Omit<DeadFilter, 'since' | 'until'> & { since?: number; until?: number }
  >(text)
  return {
    ...rest,
    ...(since !== undefined && { since: dateOf(since) }),
    ...(until !== undefined && { until: dateOf(until) }),
  }
}
