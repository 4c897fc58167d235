import { z } from 'zod'
import { EVENT_IDS_MAX, HTTP_STATUS, REPLAY_RATE } from '../../model/input-limits.ts'
import type { TargetType } from '../../model/target.ts'
import { DELIVERY_STATUSES, EVENT_TYPES, STORES } from '../../model/vocabulary.ts'

/** Filters of the delivery log and, without `status`, of the dead letters; also in the URL of the page. */
export const DeliveryFilterQuery = z.object({
  destination: z.string().max(200).optional(),
  store: z.enum(STORES).optional(),
  appId: z.string().max(200).optional(),
  eventType: z.enum(EVENT_TYPES).optional(),
  /** `held`: pending deliveries of a paused destination. */
  status: z.enum([...DELIVERY_STATUSES, 'held']).optional(),
  reason: z.string().max(50).optional(),
  httpStatus: z.coerce.number().int().min(HTTP_STATUS.min).max(HTTP_STATUS.max).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
})
export type DeliveryFilterQuery = z.infer<typeof DeliveryFilterQuery>

/** `GET /api/console/deliveries`, `GET /api/console/dead` */
export const DeliveriesQuery = DeliveryFilterQuery.extend({
  /** By the time of creation; the newest first by default. The dead letters are always newest first. */
  sort: z.enum(['created', '-created']).default('-created'),
  eventId: z.string().max(64).optional(),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

/** A short description of the event. */
export type DeliverySubject =
  | {
      readonly kind: 'review'
      readonly rating: number
      /** The title, or the start of the text of a review without a title. */
      readonly title: string
      readonly country: string
    }
  | {
      readonly kind: 'rating'
      readonly previous: number
      readonly current: number
      readonly country: string | null
    }
  | {
      readonly kind: 'spike'
      readonly count: number
      /** Null if its reviews are of several storefronts. */
      readonly country: string | null
    }

export type DeliveryLine = {
  readonly eventId: string
  readonly occurrenceId: string
  readonly eventType: string
  readonly subject: DeliverySubject
  readonly store: string
  readonly appId: string
  readonly appName: string | null
  readonly hookId: string
  /** Of the destination. */
  readonly name: string | null
  readonly targetType: TargetType
  readonly targetUrl: string
  readonly status: 'pending' | 'held' | 'delivered' | 'dead'
  readonly attempts: number
  readonly createdAt: string
  readonly dueAt: string | null
  readonly deliveredAt: string | null
  readonly deadAt: string | null
  readonly deadReason: string | null
  readonly lastHttpStatus: number | null
  readonly lastReason: string | null
}
export type DeliveriesPage = { readonly deliveries: readonly DeliveryLine[]; readonly next: string | null }

export type AttemptView = {
  readonly number: number
  readonly startedAt: string
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
  readonly totalMs: number
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly httpStatus: number | null
  readonly reason: string | null
  readonly detail: string | null
  readonly remoteAddress: string | null
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  readonly responseTruncated: boolean
  /** What a formatted destination was sent, masked; null for a webhook. */
  readonly message: string | null
}
/** `GET /api/console/deliveries/:eventId`. Every attempt sends `body`. */
export type DeliveryPage = DeliveryLine & {
  readonly body: string
  readonly history: readonly AttemptView[]
}

/** `POST /api/console/dead/replay`, `…/dead/discard`. `POST …/deliveries/:eventId/resend` sends a delivered event again. */
export const EventIdsBody = z.object({
  eventIds: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, 'eventIds: each 64 lowercase hexadecimal digits'))
    .min(1, 'eventIds: at least one')
    .max(EVENT_IDS_MAX, `eventIds: at most ${EVENT_IDS_MAX}`),
})
/** The result of a bulk change. What is in neither was as wanted already. */
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

const rateError = `ratePerSecond: ${REPLAY_RATE.min} to ${REPLAY_RATE.max}`

/** `POST /api/console/dead/replays` */
export const ReplayBody = z.object({
  filter: DeliveryFilterQuery.omit({ status: true }),
  ratePerSecond: z
    .number()
    .min(REPLAY_RATE.min, rateError)
    .max(REPLAY_RATE.max, rateError)
    .default(REPLAY_RATE.default),
})
export type ReplayView = {
  readonly id: string
  readonly status: 'running' | 'paused' | 'cancelled' | 'done'
  /** The destination that the replay recovers; null for a replay of dead letters. */
  readonly recoveryOf: string | null
  readonly total: number
  readonly queued: number
  readonly delivered: number
  readonly deadAgain: number
  readonly ratePerSecond: number
  readonly createdAt: string
  readonly finishedAt: string | null
}
/** `POST /api/console/dead/replays/:id` */
export const ReplayChange = z.object({
  status: z.enum(['running', 'paused', 'cancelled'], { error: 'status: running, paused or cancelled' }),
})

/** `GET /api/console/destinations/:id/recovery`: the number of events that a recovery since a time affects. */
export const RecoverableQuery = z.object({
  since: z.iso.datetime({ offset: true, error: 'since: a time, RFC 3339' }),
})
export type RecoverableView = { readonly pending: number; readonly dead: number; readonly delivered: number }

/** `POST /api/console/destinations/:id/recovery`. With `delivered`, delivered events since then are sent again too. */
export const RecoveryBody = RecoverableQuery.extend({
  delivered: z.boolean({ error: 'delivered: true or false' }).default(false),
  ratePerSecond: ReplayBody.shape.ratePerSecond,
})
/** The number of pending deliveries that are due now, and the bulk replay of the other events; null when there are none. */
export type RecoveryStarted = { readonly retried: number; readonly replay: ReplayView | null }
