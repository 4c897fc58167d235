import { msOf } from '../../values.ts'
import { run, sql, type Work } from '../../work.ts'
import { isEnded } from './delivery-where.ts'
import { advanceNextClaims, lockLanes } from './lanes.ts'

/** Deliveries to queue again, of a bulk replay or selected one by one. */
export type RequeuePart = {
  readonly letters: readonly { readonly seq: number; readonly hook_id: string }[]
  readonly replayId: string | null
  /** Whether `letters` may also be delivered events. */
  readonly delivered?: boolean
}

/**
 * Queues dead letters and delivered events again, on a new schedule. Returns the number for each part, without those
 * that another transaction queued. Locks all lanes first, as for every change of pending deliveries (lanes.ts).
 */
export function* requeue(parts: readonly RequeuePart[], now: Date, expireAfterMs: number): Work<number[]> {
  const hookIds = new Set(parts.flatMap(({ letters }) => letters.map(({ hook_id }) => hook_id)))
  if (hookIds.size === 0) return parts.map(() => 0)
  yield* lockLanes(hookIds)
  const counts: number[] = []
  for (const { letters, replayId, delivered = false } of parts) {
    const seqs = letters.map(({ seq }) => seq)
    const values = [msOf(now), msOf(now) + expireAfterMs, replayId, seqs]
    counts.push(yield* run(delivered ? REQUEUE_ENDED : REQUEUE_DEAD, ...values))
  }
  yield* advanceNextClaims(new Map([...hookIds].map((hookId) => [hookId, msOf(now)])))
  return counts
}

const requeueOf = (delivered: boolean) =>
  sql(
    (
      d,
    ) => `update deliveries as d set status = 'pending', attempts = 0, due_at = ?1, expires_at = ?2, replay_id = ?3,
        delivered_at = null, resolved_at = null
      where d.seq ${d.among('?4', 'bigint')} and ${isEnded(delivered)}`,
  )
const REQUEUE_DEAD = requeueOf(false)
const REQUEUE_ENDED = requeueOf(true)
