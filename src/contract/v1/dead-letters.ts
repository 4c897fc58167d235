import { z } from 'zod'
import { HTTP_STATUS, REPLAY_RATE } from '../../model/input-limits.ts'
import { DEAD_REASONS, EVENT_TYPES, FAILURE_REASONS, STORES } from '../../model/vocabulary.ts'
import { OBJECT, says } from '../field.ts'
import type { Route } from '../route.ts'
import { webhookEvent } from '../webhook.ts'
import { eventIdsBody } from './bulk.ts'
import { deadLetterFilter, deliveryRow } from './deliveries.ts'
import { format, pageByNumber, pageOf } from './query.ts'

const rate = says('rate_per_second', `a number from ${REPLAY_RATE.min} to ${REPLAY_RATE.max}`)
const status = says('status', '"running", "paused" or "cancelled"')
const statusSays = says('http_status', `a whole number from ${HTTP_STATUS.min} to ${HTTP_STATUS.max}`)
const httpStatus = z.int(statusSays).min(HTTP_STATUS.min, statusSays).max(HTTP_STATUS.max, statusSays)

const replayFilter = deadLetterFilter
  .extend({ http_status: httpStatus.optional() })
  .meta({ id: 'ReplayFilter' })

export const replayBody = z
  .object(
    {
      filter: replayFilter
        .default({})
        .meta({ description: 'Selects dead letters. An empty filter selects all.' }),
      rate_per_second: z
        .number(rate)
        .min(REPLAY_RATE.min, rate)
        .max(REPLAY_RATE.max, rate)
        .default(REPLAY_RATE.default),
    },
    OBJECT,
  )
  .meta({ id: 'ReplayBody', examples: [{ filter: { reason: 'attempts_exhausted' }, rate_per_second: 5 }] })

export const REPLAY_STATES = ['running', 'paused', 'cancelled', 'done'] as const
export const replayView = z
  .object({
    id: z.string(),
    status: z.enum(REPLAY_STATES),
    recovery_of: z.string().nullable().meta({
      description: 'The hook whose lost events a recovery replays; null for a replay of dead letters.',
    }),
    total: z.int().meta({ description: 'Dead letters that matched when the replay started.' }),
    queued: z.int(),
    delivered: z.int(),
    dead_again: z.int(),
    rate_per_second: z.number(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Replay', description: 'A bulk replay.' })
export type ReplayView = z.infer<typeof replayView>

export const deadLetterRecord = z
  .object({
    event_id: z.string(),
    hook_id: z.string(),
    account_id: z.string(),
    target_url: z.string(),
    event_type: z.enum(EVENT_TYPES),
    store: z.enum(STORES),
    app_id: z.string(),
    created_at: z.iso.datetime(),
    dead_at: z.iso.datetime().nullable(),
    reason: z.enum(DEAD_REASONS).nullable(),
    attempts: z.int(),
    last_http_status: z.int().nullable(),
    last_reason: z.enum(FAILURE_REASONS).nullable(),
    payload: webhookEvent,
  })
  .meta({ id: 'DeadLetterRecord', description: 'A dead letter with its event.' })

const deadCount = z
  .object({
    count: z.int(),
    by_reason: z.array(z.object({ reason: z.string(), count: z.int() }).meta({ id: 'ReasonCount' })),
  })
  .meta({ id: 'DeadLetterCount' })
export type DeadCount = z.infer<typeof deadCount>

const NO_REPLAY = 'The account has no replay with this id.'
const params = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_REPLAY)
    .meta({ description: 'Id of the replay.' }),
})
const FILTER_ERROR = { 400: 'A filter is invalid; the message names it and the allowed values.' }

export const deadLetterRoutes = {
  list_dead_letters: {
    method: 'GET',
    path: '/dead-letters',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'List dead letters',
    description: 'Deliveries that are no longer attempted, newest first.',
    query: deadLetterFilter.extend(pageByNumber),
    etag: true,
    success: { status: 200, description: 'One page.', schema: pageOf('DeadLetterPage', deliveryRow) },
    errors: FILTER_ERROR,
  },
  count_dead_letters: {
    method: 'GET',
    path: '/dead-letters/count',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'Count dead letters',
    description: 'The number of dead letters that a bulk replay with this filter would send.',
    query: deadLetterFilter,
    success: { status: 200, description: 'The numbers.', schema: deadCount },
    errors: FILTER_ERROR,
  },
  export_dead_letters: {
    method: 'GET',
    path: '/exports/dead-letters',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'Export dead letters',
    description: 'All matching dead letters with their events, newest first, as a stream.',
    query: deadLetterFilter.extend({ format }),
    success: { status: 200, description: 'The rows.', schema: deadLetterRecord, rows: true },
    errors: FILTER_ERROR,
  },
  replay_dead_letters: {
    method: 'POST',
    path: '/dead-letters/replay',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Replay dead letters',
    description: 'Queues these dead letters again, due now, with the same event ids and bytes.',
    body: eventIdsBody,
    success: {
      status: 200,
      description: 'The number of replayed and skipped ids.',
      schema: z
        .object({
          replayed: z.int(),
          skipped: z.int().meta({
            description: 'Ids that are not dead letters of the account, or whose hook is gone or deleted.',
          }),
        })
        .meta({ id: 'Replayed' }),
    },
    errors: { 400: 'The ids are missing or not allowed.' },
  },
  discard_dead_letters: {
    method: 'POST',
    path: '/dead-letters/discard',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Discard dead letters',
    description: 'Resolves these dead letters without sending them.',
    body: eventIdsBody,
    success: {
      status: 200,
      description: 'The number of discarded and skipped ids.',
      schema: z
        .object({
          discarded: z.int(),
          skipped: z.int().meta({ description: 'Ids that are not dead letters of the account.' }),
        })
        .meta({ id: 'Discarded' }),
    },
    errors: { 400: 'The ids are missing or not allowed.' },
  },
  list_replays: {
    method: 'GET',
    path: '/replays',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'List bulk replays',
    description: 'The newest 20 bulk replays.',
    etag: true,
    success: { status: 200, description: 'The replays, newest first.', schema: z.array(replayView) },
    errors: {},
  },
  start_replay: {
    method: 'POST',
    path: '/replays',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Start a bulk replay',
    description: 'Replays all dead letters that match now, at the given rate, in the background.',
    body: replayBody,
    success: { status: 200, description: 'The replay, running.', schema: replayView },
    errors: {
      400: 'A field is invalid; the message names it and the allowed values.',
      404: 'The account has no such hook.',
      409: 'Nothing matches, or the account has too many open replays.',
    },
  },
  change_replay: {
    method: 'PUT',
    path: '/replays/{id}',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Pause, resume or cancel a bulk replay',
    description: 'Changes the status of a bulk replay. Deliveries that are already queued stay queued.',
    params,
    body: z
      .object({ status: z.enum(['running', 'paused', 'cancelled'], status) }, OBJECT)
      .meta({ id: 'ReplayChange', examples: [{ status: 'paused' }] }),
    success: { status: 200, description: 'The replay.', schema: replayView },
    errors: { 400: 'The status is not allowed.', 404: NO_REPLAY, 409: 'The replay has ended.' },
  },
} as const satisfies Record<string, Route>
