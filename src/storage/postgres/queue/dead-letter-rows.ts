import type { DeadFilter, ReplayFilter } from '../../port/dead-letters.ts'
import { isRecovery } from '../../queue/replay-rows.ts'
import {
  type DeliveryWhere,
  deadLetterWhere,
  isEnded,
  recoveryWhere,
} from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'
import { advanceNextClaims, lockLanes } from './lanes.ts'

/** The tables that the condition needs. */
export function tablesOf({ usesEvents }: DeliveryWhere): string {
  return usesEvents ? 'deliveries d join events e on e.seq = d.seq' : 'deliveries d'
}

/** Hooks whose deliveries can be queued again: neither gone nor deleted. Of `hooks h`. */
export const IS_SENDABLE = "h.status <> 'gone' and h.deleted_at is null"

export function deadWhere(
  accountId: string | null,
  filter: DeadFilter,
  further: readonly string[] = [],
): DeliveryWhere {
  return deadLetterWhere(accountId, filter, (place) => `$${place}`, further)
}

/** The deliveries that a replay sends again. */
export function replayWhere(accountId: string, filter: ReplayFilter): DeliveryWhere {
  return isRecovery(filter)
    ? recoveryWhere(accountId, filter, (place) => `$${place}`, [IS_SENDABLE])
    : deadWhere(accountId, filter, [IS_SENDABLE])
}

/** Deliveries to queue again, of a bulk replay or selected one by one. */
export type RequeuePart = {
  readonly letters: readonly { readonly seq: number; readonly hook_id: string }[]
  readonly replayId: string | null
  /** Whether `letters` may also be delivered events. */
  readonly delivered?: boolean
}

/**
 * Queues dead letters and delivered events again, on a new schedule. Returns the number for each part, without those
 * that another transaction queued. Differs from sqlite: locks all lanes first, as for every change of pending
 * deliveries (lanes.ts).
 */
export async function requeue(
  tx: Transaction,
  parts: readonly RequeuePart[],
  now: Date,
  expireAfterMs: number,
): Promise<number[]> {
  const hookIds = new Set(parts.flatMap(({ letters }) => letters.map(({ hook_id }) => hook_id)))
  if (hookIds.size === 0) return parts.map(() => 0)
  await lockLanes(tx, hookIds)
  const counts: number[] = []
  for (const { letters, replayId, delivered = false } of parts) {
    const count = await tx.run(
      `update deliveries d set status = 'pending', attempts = 0, due_at = $1, expires_at = $2, replay_id = $3,
         delivered_at = null, resolved_at = null
       where d.seq = any($4::bigint[]) and ${isEnded(delivered)}`,
      msOf(now),
      msOf(now) + expireAfterMs,
      replayId,
      letters.map(({ seq }) => seq),
    )
    counts.push(count)
  }
  advanceNextClaims(tx, new Map([...hookIds].map((hookId) => [hookId, msOf(now)])))
  return counts
}
