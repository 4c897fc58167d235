import type { DeadFilter, ReplayFilter } from '../../port/dead-letters.ts'
import { isRecovery } from '../../queue/replay-rows.ts'
import { type DeliveryWhere, deadLetterWhere, recoveryWhere } from '../../tables/queue/delivery-where.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { advanceNextClaim } from './lanes.ts'

/** Uses the index of dead letters, which are few compared with all deliveries. */
const DEAD_LETTERS = 'deliveries d indexed by deliveries_dead'
export const DEAD_LETTERS_AND_EVENTS = `${DEAD_LETTERS} cross join events e on e.seq = d.seq`

/** The tables that the condition needs. */
export function tablesOf({ by, usesEvents }: DeliveryWhere): string {
  if (by === 'e') return 'events e cross join deliveries d on d.seq = e.seq'
  return usesEvents ? DEAD_LETTERS_AND_EVENTS : DEAD_LETTERS
}

/** Hooks whose deliveries can be queued again: neither gone nor deleted. Of `hooks h`. */
export const IS_SENDABLE = "h.status <> 'gone' and h.deleted_at is null"

export function deadWhere(
  accountId: string | null,
  filter: DeadFilter,
  further: readonly string[] = [],
): DeliveryWhere {
  return deadLetterWhere(accountId, filter, (place) => `?${place}`, further)
}

/** The deliveries that a replay sends again. */
export function replayWhere(accountId: string, filter: ReplayFilter): DeliveryWhere {
  return isRecovery(filter)
    ? recoveryWhere(accountId, filter, (place) => `?${place}`, [IS_SENDABLE])
    : deadWhere(accountId, filter, [IS_SENDABLE])
}

/** Queues dead letters and delivered events again, on a new schedule. Inside a transaction. */
export function requeue(
  db: Connection,
  seqs: readonly number[],
  replayId: string | null,
  now: Date,
  expireAfterMs: number,
): void {
  const hooks = db.all<{ hook_id: string }>(
    `update deliveries set status = 'pending', attempts = 0, due_at = ?1, expires_at = ?2, replay_id = ?3,
       delivered_at = null, resolved_at = null
     where seq in (select value from json_each(?4)) returning hook_id`,
    msOf(now),
    msOf(now) + expireAfterMs,
    replayId,
    JSON.stringify(seqs),
  )
  for (const hookId of new Set(hooks.map(({ hook_id }) => hook_id))) advanceNextClaim(db, hookId, msOf(now))
}
