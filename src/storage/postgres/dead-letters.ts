import { type DeliveryWhere, deadLetterWhere, IS_DEAD_LETTER } from '../delivery-where.ts'
import type { DeadFilter } from '../port/dead.ts'
import { msOf } from '../values.ts'
import type { Transaction } from './connect.ts'
import { bringTurnsForward, lockLanes } from './lanes.ts'

/** What the condition is about. */
export function tablesOf({ asksEvents }: DeliveryWhere): string {
  return asksEvents ? 'deliveries d join events e on e.seq = d.seq' : 'deliveries d'
}

/** Nobody would send what is put back under a hook that is gone or deleted. Of `hooks h`. */
export const CAN_BE_SENT = "h.status <> 'gone' and h.deleted_at is null"

export function deadWhere(
  accountId: string | null,
  filter: DeadFilter,
  further: readonly string[] = [],
): DeliveryWhere {
  return deadLetterWhere(accountId, filter, (place) => `$${place}`, further)
}

/** Letters to put back: for a job, or by hand. */
export type Letters = {
  readonly letters: readonly { readonly seq: number; readonly hook_id: string }[]
  readonly replayId: string | null
}

/**
 * Puts dead letters on the queue again, in a fresh schedule. How many of each part: another may have been there before.
 * differs from sqlite: all lanes' rows come first, as with whoever changes what is pending (lanes.ts).
 */
export async function putBack(
  tx: Transaction,
  parts: readonly Letters[],
  now: Date,
  giveUpAfterMs: number,
): Promise<number[]> {
  const hookIds = new Set(parts.flatMap(({ letters }) => letters.map(({ hook_id }) => hook_id)))
  if (hookIds.size === 0) return parts.map(() => 0)
  await lockLanes(tx, hookIds)
  const counts: number[] = []
  for (const { letters, replayId } of parts) {
    const count = await tx.run(
      `update deliveries d set status = 'pending', attempts = 0, due_at = $1, give_up_at = $2, replay_id = $3
       where d.seq = any($4::bigint[]) and ${IS_DEAD_LETTER}`,
      msOf(now),
      msOf(now) + giveUpAfterMs,
      replayId,
      letters.map(({ seq }) => seq),
    )
    counts.push(count)
  }
  bringTurnsForward(tx, new Map([...hookIds].map((hookId) => [hookId, msOf(now)])))
  return counts
}
