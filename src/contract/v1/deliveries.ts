import { z } from 'zod'
import { HTTP_STATUS } from '../../model/input-limits.ts'
import { TARGET_TYPES } from '../../model/target.ts'
import {
  DEAD_REASONS,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  FAILURE_REASONS,
  STORES,
} from '../../model/vocabulary.ts'
import { deliveryAttempt } from '../attempt.ts'
import { EVENT_TYPE_CHOICE, oneOf, says } from '../field.ts'
import type { Route } from '../route.ts'
import { bulkResult, eventIdsBody } from './bulk.ts'
import { appIdText, HEX_64, pageByNumber, pageOf, period, store, wholeNumber } from './query.ts'

/** `held`: pending deliveries of a paused hook. */
const STATUSES = [...DELIVERY_STATUSES, 'held'] as const
const hookId = says('hook_id', 'text of at most 200 characters')
const reasons = [...new Set([...FAILURE_REASONS, ...DEAD_REASONS])] as const

/** Filters of deliveries and, without `status`, of dead letters. */
export const deliveryFilter = z.object({
  hook_id: z.string(hookId).max(200, hookId).optional(),
  store: store.optional(),
  app_id: appIdText.optional(),
  event_type: z.enum(EVENT_TYPES, says('event_type', EVENT_TYPE_CHOICE)).optional(),
  status: z
    .enum(STATUSES, says('status', oneOf(STATUSES)))
    .optional()
    .meta({ description: '`held`: pending deliveries of a paused hook.' }),
  reason: z
    .enum(reasons, says('reason', `one of ${reasons.join(', ')}`))
    .optional()
    .meta({ description: 'Reason of the last failure or of the dead letter.' }),
  http_status: wholeNumber('http_status', HTTP_STATUS)
    .optional()
    .meta({ description: 'HTTP status of the last attempt.' }),
  ...period('Created'),
})
const sortSays = says('sort', '"created" or "-created"')
const sort = z
  .enum(['created', '-created'], sortSays)
  .default('-created')
  .meta({ description: '`created`: the oldest first.' })
export type DeliveryFilterFields = z.infer<typeof deliveryFilter>
export const deadLetterFilter = deliveryFilter.omit({ status: true })

const subject = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('review'),
        rating: z.int(),
        title: z.string().meta({ description: 'The title, else the start of the text.' }),
        country: z.string(),
      })
      .meta({ id: 'ReviewSubject' }),
    z
      .object({
        kind: z.literal('rating'),
        previous: z.number(),
        current: z.number(),
        country: z.string().nullable().meta({ description: 'Null when it is unknown.' }),
      })
      .meta({ id: 'RatingSubject' }),
    z
      .object({
        kind: z.literal('spike'),
        count: z.int(),
        country: z.string().nullable().meta({ description: 'Null for several storefronts.' }),
      })
      .meta({ id: 'SpikeSubject' }),
  ])
  .meta({ id: 'DeliverySubject', description: 'A short description of the event.' })
export type DeliverySubject = z.infer<typeof subject>

const fields = {
  event_id: z.string(),
  occurrence_id: z.string(),
  event_type: z.enum(EVENT_TYPES),
  subject,
  store: z.enum(STORES),
  app_id: z.string(),
  app_name: z.string().nullable().meta({ description: 'Null until the store provides it.' }),
  hook_id: z.string(),
  hook_name: z.string().nullable(),
  target_type: z.enum(TARGET_TYPES),
  target_url: z.string(),
  status: z.enum(STATUSES).meta({ description: '`held`: pending for a paused hook.' }),
  attempts: z.int().meta({ description: 'Attempts of the current retry schedule.' }),
  created_at: z.iso.datetime(),
  due_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Time of the next attempt; null unless pending or held.' }),
  delivered_at: z.iso.datetime().nullable(),
  dead_at: z.iso.datetime().nullable(),
  dead_reason: z.enum(DEAD_REASONS).nullable(),
  last_http_status: z.int().nullable(),
  last_reason: z.enum(FAILURE_REASONS).nullable(),
}

export const deliveryRow = z.object(fields).meta({ id: 'Delivery' })
export type DeliveryRow = z.infer<typeof deliveryRow>

export const deliveryPage = pageOf('DeliveryPage', deliveryRow)
export type DeliveryPage = z.infer<typeof deliveryPage>

export const deliveryView = z
  .object({
    ...fields,
    body: z.string().meta({ description: 'The bytes that every attempt sends.' }),
    history: z.array(deliveryAttempt).meta({ description: 'All attempts, oldest first.' }),
  })
  .meta({ id: 'DeliveryDetail' })
export type DeliveryDetail = z.infer<typeof deliveryView>

const NO_DELIVERY = 'The account has no delivery with this event id.'
const params = z.object({
  event_id: z.string().regex(HEX_64, NO_DELIVERY).meta({ description: '`event_id` of the event.' }),
})

export const deliveryRoutes = {
  list_deliveries: {
    method: 'GET',
    path: '/deliveries',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'List deliveries',
    description: 'Deliveries to the hooks of the account, newest first unless `sort` says otherwise.',
    query: deliveryFilter.extend({ sort, ...pageByNumber }),
    etag: true,
    success: { status: 200, description: 'One page.', schema: deliveryPage },
    errors: { 400: 'A filter is invalid; the message names it and the allowed values.' },
  },
  get_delivery: {
    method: 'GET',
    path: '/deliveries/{event_id}',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'Show one delivery',
    description: 'The delivery with its body and attempts.',
    params,
    etag: true,
    success: { status: 200, description: 'The delivery.', schema: deliveryView },
    errors: { 404: NO_DELIVERY },
  },
  retry_delivery: {
    method: 'POST',
    path: '/deliveries/{event_id}/retry',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Retry a pending delivery now',
    description: 'Makes the next attempt now. If the breaker of the hook is open, the attempt is its probe.',
    params,
    success: { status: 200, description: 'The delivery, due now.', schema: deliveryRow },
    errors: {
      404: NO_DELIVERY,
      409: 'It is not pending, is being sent, or its hook is not active; the message says which.',
    },
  },
  retry_deliveries: {
    method: 'POST',
    path: '/retries/deliveries',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Retry several pending deliveries now',
    description: 'Makes the next attempt of each now.',
    body: eventIdsBody,
    success: { status: 200, description: 'The changed and the failed ones.', schema: bulkResult },
    errors: { 400: 'The ids are missing or not allowed.' },
  },
  resend_delivery: {
    method: 'POST',
    path: '/deliveries/{event_id}/resend',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Send a delivery again',
    description:
      'Queues a delivered event or a dead letter again, due now, with the same event id and bytes.',
    params,
    success: { status: 200, description: 'The delivery, pending.', schema: deliveryRow },
    errors: {
      404: NO_DELIVERY,
      409: 'It cannot be sent: it is pending or discarded, or its hook is gone or deleted.',
    },
  },
} as const satisfies Record<string, Route>
