import type { Occurrence } from '../../../model/occurrence.ts'
import type { Candidate } from '../../port/occurrences.ts'
import { firedAtMsOf } from '../../queue/slide-time.ts'
import { dateOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'

/** The slides of one commit, in memory. Differs from sqlite: it writes them together. */
type Slides = {
  /** Adds `slideFiredAt` to the candidates with a window. */
  readonly add: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly Candidate[]
  readonly fired: (occurrence: Occurrence, watchIds: readonly string[]) => void
  readonly store: () => void
}

const keyOf = (watchId: string, market: string) => `${watchId} ${market}`

/**
 * Locks and reads the slides of the watches with a window. Differs from sqlite: another node may fan out another drop of
 * the same feed. Without the lock both could fire for one slide.
 */
export async function slidesOf(
  tx: Transaction,
  occurrences: readonly Occurrence[],
  candidates: (occurrence: Occurrence) => readonly Candidate[],
  nowMs: number,
): Promise<Slides> {
  const drops = occurrences.filter(({ eventType }) => eventType === 'rating.dropped')
  const watchIds = new Set(
    drops.flatMap(candidates).flatMap(({ watch }) => (watch.deltaWindowHours === null ? [] : [watch.id])),
  )
  const firedAtMs = new Map<string, number>()
  if (watchIds.size > 0) {
    // A fixed order avoids deadlocks. The lock is a statement of its own: the next one sees what its holder committed.
    await tx.run(
      `select pg_advisory_xact_lock(key) from (
         select hashtextextended('slides of ' || id, 0) as key from unnest($1::text[]) as id order by 1) keys`,
      [...watchIds],
    )
    const rows = await tx.all<{ watch_id: string; market: string; fired_at: number }>(
      'select watch_id, market, fired_at from rating_slides where watch_id = any($1::text[])',
      [...watchIds],
    )
    for (const { watch_id, market, fired_at } of rows) firedAtMs.set(keyOf(watch_id, market), fired_at)
  }
  const changed = new Map<string, { readonly watchId: string; readonly market: string }>()
  return {
    add: ({ market }, found) =>
      found.map((candidate) => {
        const ms = firedAtMs.get(keyOf(candidate.watch.id, market))
        return ms === undefined ? candidate : { ...candidate, slideFiredAt: dateOf(ms) }
      }),

    fired({ market, occurredAt }, ids) {
      for (const watchId of ids) {
        const key = keyOf(watchId, market)
        firedAtMs.set(key, Math.max(firedAtMs.get(key) ?? 0, firedAtMsOf(occurredAt, nowMs)))
        changed.set(key, { watchId, market })
      }
    },

    store() {
      if (changed.size === 0) return
      const rows = [...changed]
      tx.send(
        // A watch that was removed meanwhile has no slide.
        `insert into rating_slides (watch_id, market, fired_at)
         select v.watch_id, v.market, v.fired_at
         from unnest($1::text[], $2::text[], $3::bigint[]) as v (watch_id, market, fired_at)
         join watches w on w.id = v.watch_id for key share of w
         on conflict (watch_id, market) do update
           set fired_at = greatest(rating_slides.fired_at, excluded.fired_at)`,
        rows.map(([, { watchId }]) => watchId),
        rows.map(([, { market }]) => market),
        rows.map(([key]) => firedAtMs.get(key) ?? 0),
      )
    },
  }
}
