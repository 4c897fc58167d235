import { deliveryWhere, IS_DEAD_LETTER, type Where } from '../delivery-where.ts'
import type { DeadFilter } from '../port/dead.ts'
import { msOf } from '../values.ts'
import type { Transaction } from './connect.ts'
import { bringTurnsForward } from './lanes.ts'

/** Nobody would send what is put back under a hook that is gone or deleted. Of `hooks h`. */
export const CAN_BE_SENT = "h.status <> 'gone' and h.deleted_at is null"

export function deadWhere(
  accountId: string | null,
  filter: DeadFilter,
  further: readonly string[] = [],
): Where {
  return deliveryWhere(accountId, filter, (place) => `$${place}`, [IS_DEAD_LETTER, ...further])
}

/** Puts dead letters on the queue again, in a fresh schedule. How many: another may have been there before. */
export async function putBack(
  tx: Transaction,
  seqs: readonly number[],
  replayId: string | null,
  now: Date,
  giveUpAfterMs: number,
): Promise<number> {
  if (seqs.length === 0) return 0
  const rows = await tx.all<{ hook_id: string }>(
    `update deliveries d set status = 'pending', attempts = 0, due_at = $1, give_up_at = $2, replay_id = $3
     from (
       select seq from deliveries d where seq = any($4::bigint[]) and ${IS_DEAD_LETTER} order by seq for update) dead
     where d.seq = dead.seq and ${IS_DEAD_LETTER} returning d.hook_id`,
    msOf(now),
    msOf(now) + giveUpAfterMs,
    replayId,
    seqs,
  )
  await bringTurnsForward(tx, new Map(rows.map(({ hook_id }) => [hook_id, msOf(now)])))
  return rows.length
}
