import type { DeliveryStatus } from '../../model/vocabulary.ts'
import type { Recoverable } from '../port/dead-letters.ts'
import { ENDED_AT, isEnded } from '../tables/queue/delivery-where.ts'

export type RecoverableRow = { status: DeliveryStatus; count: number }

/** The parameters are hook, account and time, the same on both engines. Reads every event of the hook by its index. */
export function countRecoverable(mark: '?' | '$'): string {
  return `select d.status, count(*) as count
    from events e join deliveries d on d.seq = e.seq join hooks h on h.id = e.hook_id
    where e.hook_id = ${mark}1 and e.account_id = ${mark}2 and h.status <> 'gone' and h.deleted_at is null
      and (d.status = 'pending' or (${isEnded(true)} and ${ENDED_AT} >= ${mark}3))
    group by d.status`
}

export function recoverableOf(rows: readonly RecoverableRow[]): Recoverable {
  const of = (status: DeliveryStatus) => rows.find((row) => row.status === status)?.count ?? 0
  return { pending: of('pending'), dead: of('dead'), delivered: of('delivered') }
}
