import type { Occurrence } from '../../../model/occurrence.ts'
import type { Candidate, FiredSpike } from '../../port/occurrences.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/** Adds `spikeFiredAt` to the candidates of a spike. */
export function withSpikes(
  db: Connection,
  { eventType }: Occurrence,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (eventType !== 'reviews.spiked' || candidates.length === 0) return candidates
  const firedAt = new Map(
    db
      .all<{ watch_id: string; fired_at: number }>(
        'select watch_id, fired_at from watch_spikes where watch_id in (select value from json_each(?))',
        JSON.stringify(candidates.map(({ watch }) => watch.id)),
      )
      .map(({ watch_id, fired_at }) => [watch_id, dateOf(fired_at)]),
  )
  return candidates.map((candidate) => ({
    ...candidate,
    spikeFiredAt: firedAt.get(candidate.watch.id) ?? null,
  }))
}

export function storeSpikes(db: Connection, spikes: readonly FiredSpike[]): void {
  for (const { watchId, end } of spikes) {
    db.run(
      `insert into watch_spikes (watch_id, fired_at) values (?, ?)
       on conflict (watch_id) do update set fired_at = max(fired_at, excluded.fired_at)`,
      watchId,
      msOf(end),
    )
  }
}
