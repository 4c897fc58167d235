import { type DeliveryWhere, deadLetterWhere } from '../delivery-where.ts'
import type { DeadFilter } from '../port/dead.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'
import { bringTurnForward } from './lanes.ts'

/** Whatever else is asked for, the index of dead letters is the one to take: they are few beside what was delivered. */
const LETTERS = 'deliveries d indexed by deliveries_dead'
export const LETTERS_AND_EVENTS = `${LETTERS} cross join events e on e.seq = d.seq`

/** What the condition is about. */
export function tablesOf({ asksEvents }: DeliveryWhere): string {
  return asksEvents ? LETTERS_AND_EVENTS : LETTERS
}

/** Nobody would send what is put back under a hook that is gone or deleted. Of `hooks h`. */
export const CAN_BE_SENT = "h.status <> 'gone' and h.deleted_at is null"

export function deadWhere(
  accountId: string | null,
  filter: DeadFilter,
  further: readonly string[] = [],
): DeliveryWhere {
  return deadLetterWhere(accountId, filter, (place) => `?${place}`, further)
}

/** Puts dead letters on the queue again, in a fresh schedule. Inside a transaction. */
export function putBack(
  db: Connection,
  seqs: readonly number[],
  replayId: string | null,
  now: Date,
  giveUpAfterMs: number,
): void {
  const hooks = db.all<{ hook_id: string }>(
    `update deliveries set status = 'pending', attempts = 0, due_at = ?1, give_up_at = ?2, replay_id = ?3
     where seq in (select value from json_each(?4)) returning hook_id`,
    msOf(now),
    msOf(now) + giveUpAfterMs,
    replayId,
    JSON.stringify(seqs),
  )
  for (const hookId of new Set(hooks.map(({ hook_id }) => hook_id))) bringTurnForward(db, hookId, msOf(now))
}
