import type { Occurrence } from '../../../model/occurrence.ts'
import type { Candidate } from '../../port/occurrences.ts'
import { firedAtMsOf } from '../../queue/slide-time.ts'
import { dateOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

/** Adds `slideFiredAt` to the candidates with a window. */
export function withSlides(
  db: Connection,
  { market }: Occurrence,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const ids = candidates.flatMap(({ watch }) => (watch.deltaWindowHours === null ? [] : [watch.id]))
  if (ids.length === 0) return candidates
  const firedAt = new Map(
    db
      .all<{ watch_id: string; fired_at: number }>(
        `select watch_id, fired_at from rating_slides
         where watch_id in (select value from json_each(?)) and market = ?`,
        JSON.stringify(ids),
        market,
      )
      .map(({ watch_id, fired_at }) => [watch_id, dateOf(fired_at)]),
  )
  return candidates.map((candidate) => ({
    ...candidate,
    slideFiredAt: firedAt.get(candidate.watch.id) ?? null,
  }))
}

export function storeSlides(
  db: Connection,
  { market, occurredAt }: Occurrence,
  watchIds: readonly string[],
  nowMs: number,
): void {
  for (const watchId of watchIds) {
    db.run(
      `insert into rating_slides (watch_id, market, fired_at) values (?, ?, ?)
       on conflict (watch_id, market) do update set fired_at = max(fired_at, excluded.fired_at)`,
      watchId,
      market,
      firedAtMsOf(occurredAt, nowMs),
    )
  }
}
