import type { Settled } from '../../port/deliveries.ts'

/** Also counted in `hook_hours`: deliveries that became dead letters, by an attempt or a sweep. */
export const DEAD_LETTERED = -2
/** Attempts that failed. */
export const FAILED = -1

/** Each bucket is 20 % larger than the previous one, so a percentile is accurate within 10 %. */
const STEP = 1.2

export const HOUR_MS = 3_600_000

/** The bucket of an accepted attempt; up to 1 ms is bucket 0, the longest possible (60 s) is 60. */
export function latencyBucket(totalMs: number): number {
  return Math.floor(Math.log(Math.max(1, totalMs)) / Math.log(STEP))
}

/** Counts of attempts by outcome. */
function outcomesOf(settled: readonly Settled[]): Map<number, number> {
  const outcomes = new Map<number, number>()
  const count = (outcome: number) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  for (const { attempt, next } of settled) {
    count(attempt.reason === null ? latencyBucket(attempt.timings.totalMs) : FAILED)
    if (next.status === 'dead') count(DEAD_LETTERED)
  }
  return outcomes
}

export type Outcome = { readonly outcome: number; readonly count: number }

/**
 * The latency in whole milliseconds that `share` (0 to 1) of the accepted attempts did not exceed; null without
 * attempts.
 */
export function percentileMs(outcomes: readonly Outcome[], share: number): number | null {
  const accepted = outcomes.filter(({ outcome }) => outcome >= 0).sort((a, b) => a.outcome - b.outcome)
  const wanted = sum(accepted) * share
  let below = 0
  for (const { outcome, count } of accepted) {
    below += count
    if (below >= wanted) return Math.round(STEP ** (outcome + 0.5))
  }
  return null
}

export function deliveredIn(outcomes: readonly Outcome[]): number {
  return sum(outcomes.filter(({ outcome }) => outcome >= 0))
}

export function countOf(outcomes: readonly Outcome[], wanted: number): number {
  return sum(outcomes.filter(({ outcome }) => outcome === wanted))
}

export function hourOf(at: Date): number {
  return Math.floor(at.getTime() / HOUR_MS) * HOUR_MS
}

function sum(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((total, { count }) => total + count, 0)
}

/** The results of a hook's attempts, as rows of `INCREMENT_HOURS`. */
export function hoursOf(
  lane: { readonly account_id: string; readonly hook_id: string },
  settled: readonly Settled[],
  now: Date,
): [accountId: string, hourMs: number, hookId: string, outcome: number, count: number][] {
  return [...outcomesOf(settled)].map(([outcome, count]) => [
    lane.account_id,
    hourOf(now),
    lane.hook_id,
    outcome,
    count,
  ])
}

/** For the transaction that settles them: one row on SQLite, all rows on PostgreSQL. */
export const INCREMENT_HOURS = {
  sqlite: `insert into hook_hours (account_id, hour_at, hook_id, outcome, count) values (?1, ?2, ?3, ?4, ?5)
    on conflict do update set count = count + excluded.count`,
  postgres: `insert into hook_hours (account_id, hour_at, hook_id, outcome, count)
    select * from unnest(?1::text[], ?2::bigint[], ?3::text[], ?4::smallint[], ?5::bigint[])
      as v (account_id, hour_at, hook_id, outcome, count) order by hook_id, outcome
    on conflict (account_id, hour_at, hook_id, outcome) do update set count = hook_hours.count + excluded.count`,
}
