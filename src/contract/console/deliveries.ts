import { z } from 'zod'
import { type ReplayView, replayBody } from '../v1/dead-letters.ts'

/** The result of a bulk change, such as `POST /api/console/deliveries/retry`. What is in neither was as wanted already. */
export type BulkResult = {
  readonly changed: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
}
export type Changed = { readonly changed: number }

/** `GET /api/console/dead/count`: the number of dead letters that a bulk replay with this filter would send. */
export type DeadCount = {
  readonly count: number
  readonly byReason: readonly { readonly reason: string; readonly count: number }[]
}

/** `GET /api/console/destinations/:id/recovery`: the number of events that a recovery since a time affects. */
export const RecoverableQuery = z.object({
  since: z.iso.datetime({ offset: true, error: 'since: a time, RFC 3339' }),
})
export type RecoverableView = { readonly pending: number; readonly dead: number; readonly delivered: number }

/** `POST /api/console/destinations/:id/recovery`. With `delivered`, delivered events since then are sent again too. */
export const RecoveryBody = RecoverableQuery.extend({
  delivered: z.boolean({ error: 'delivered: true or false' }).default(false),
  rate_per_second: replayBody.shape.rate_per_second,
})
/** The number of pending deliveries that are due now, and the bulk replay of the other events; null when there are none. */
export type RecoveryStarted = { readonly retried: number; readonly replay: ReplayView | null }
