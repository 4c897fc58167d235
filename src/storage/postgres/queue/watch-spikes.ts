import type { Occurrence } from '../../../model/occurrence.ts'
import type { Candidate, FiredSpike } from '../../port/occurrences.ts'
import { dateOf, msOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'

/** The last spikes of the watches of one commit, in memory. Differs from sqlite: it writes them together. */
type Spikes = {
  /** Adds `spikeFiredAt` to the candidates of a spike. */
  readonly add: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly Candidate[]
  readonly fired: (spikes: readonly FiredSpike[]) => void
  readonly store: () => void
}

/**
 * Locks and reads the last spikes. Differs from sqlite: another node may fan out another poll of the same app. Without the
 * lock both could report one spike.
 */
export async function spikesOf(
  tx: Transaction,
  occurrences: readonly Occurrence[],
  candidates: (occurrence: Occurrence) => readonly Candidate[],
): Promise<Spikes> {
  const spikes = occurrences.filter(({ eventType }) => eventType === 'reviews.spiked')
  const watchIds = [...new Set(spikes.flatMap(candidates).map(({ watch }) => watch.id))]
  const firedAtMs = new Map<string, number>()
  if (watchIds.length > 0) {
    // A fixed order avoids deadlocks. The lock is a statement of its own: the next one sees what its holder committed.
    await tx.run(
      `select pg_advisory_xact_lock(key) from (
         select hashtextextended('spikes of ' || id, 0) as key from unnest($1::text[]) as id order by 1) keys`,
      watchIds,
    )
    const rows = await tx.all<{ watch_id: string; fired_at: number }>(
      'select watch_id, fired_at from watch_spikes where watch_id = any($1::text[])',
      watchIds,
    )
    for (const { watch_id, fired_at } of rows) firedAtMs.set(watch_id, fired_at)
  }
  const changed = new Set<string>()
  return {
    add: ({ eventType }, found) =>
      eventType !== 'reviews.spiked'
        ? found
        : found.map((candidate) => {
            const ms = firedAtMs.get(candidate.watch.id)
            return ms === undefined ? candidate : { ...candidate, spikeFiredAt: dateOf(ms) }
          }),

    fired(fired) {
      for (const { watchId, end } of fired) {
        firedAtMs.set(watchId, Math.max(firedAtMs.get(watchId) ?? 0, msOf(end)))
        changed.add(watchId)
      }
    },

    store() {
      if (changed.size === 0) return
      tx.send(
        // A watch that was removed meanwhile has no spike.
        `insert into watch_spikes (watch_id, fired_at)
         select v.watch_id, v.fired_at from unnest($1::text[], $2::bigint[]) as v (watch_id, fired_at)
         join watches w on w.id = v.watch_id for key share of w
         on conflict (watch_id) do update set fired_at = greatest(watch_spikes.fired_at, excluded.fired_at)`,
        [...changed],
        [...changed].map((watchId) => firedAtMs.get(watchId) ?? 0),
      )
    },
  }
}
