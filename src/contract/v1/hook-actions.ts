import { z } from 'zod'
import { OVERLAP_HOURS } from '../../model/hook-limits.ts'
import { HOOK_IDS_MAX } from '../../model/input-limits.ts'
import { OBJECT, says } from '../field.ts'
import { hookDetail } from '../hook.ts'
import { BODY_BYTES_MAX, type Route } from '../route.ts'
import { bulkResult } from './bulk.ts'
import { replayBody, replayView } from './dead-letters.ts'
import { hookParams, NO_HOOK } from './hooks.ts'
import { instant } from './query.ts'

const ids = says('hook_ids', `a list of 1 to ${HOOK_IDS_MAX} ids of hooks`)
const hookIds = z.array(z.string(ids).max(500, ids), ids).min(1, ids).max(HOOK_IDS_MAX, ids)
const status = z.enum(['active', 'paused'], says('status', '"active" or "paused"'))
const overlap = says('overlap_hours', `a number from ${OVERLAP_HOURS.min} to ${OVERLAP_HOURS.max}`)
const delivered = says('delivered', 'true or false')

export const hookStatusBody = z
  .object({ status }, OBJECT)
  .meta({ id: 'HookStatusBody', examples: [{ status: 'paused' }] })

export const hookStatusesBody = z
  .object({ hook_ids: hookIds, status }, OBJECT)
  .meta({ id: 'HookStatusesBody', examples: [{ hook_ids: ['api-1'], status: 'paused' }] })

export const hookIdsBody = z
  .object({ hook_ids: hookIds }, OBJECT)
  .meta({ id: 'HookIds', examples: [{ hook_ids: ['api-1'] }] })

export const secretBody = z
  .object(
    {
      overlap_hours: z
        .number(overlap)
        .min(OVERLAP_HOURS.min, overlap)
        .max(OVERLAP_HOURS.max, overlap)
        .default(OVERLAP_HOURS.default)
        .meta({ description: 'Both secrets sign for this time; 0 revokes the old one at once.' }),
    },
    OBJECT,
  )
  .meta({ id: 'SecretBody', examples: [{ overlap_hours: 24 }] })

export const newSecret = z
  .object({ secret: z.string().meta({ description: 'HMAC signing secret; shown in this response only.' }) })
  .meta({ id: 'NewSecret' })
export type NewSecret = z.infer<typeof newSecret>

const retried = z
  .object({
    retried: z.int().meta({ description: 'Pending deliveries that are due now and were not before.' }),
  })
  .meta({ id: 'Retried' })
export type Retried = z.infer<typeof retried>

const recoverable = z
  .object({ pending: z.int(), dead: z.int(), delivered: z.int() })
  .meta({ id: 'Recoverable', description: 'Numbers of events.' })
export type RecoverableView = z.infer<typeof recoverable>

export const recoveryBody = z
  .object(
    {
      since: instant('since').meta({ description: 'Events that were created at or after this time.' }),
      delivered: z
        .boolean(delivered)
        .default(false)
        .meta({ description: 'Send delivered events again, too.' }),
      rate_per_second: replayBody.shape.rate_per_second,
    },
    OBJECT,
  )
  .meta({ id: 'RecoveryBody', examples: [{ since: '2026-01-15T09:00:00Z', rate_per_second: 5 }] })

const recovery = z
  .object({
    retried: z.int().meta({ description: 'Pending deliveries that are due now.' }),
    replay: replayView
      .nullable()
      .meta({ description: 'The bulk replay of the other events; null without one.' }),
  })
  .meta({ id: 'Recovery' })
export type RecoveryStarted = z.infer<typeof recovery>

const TOO_LARGE = `The body has more than ${BODY_BYTES_MAX} bytes.`
const NOT_ACTIVE = 'The hook is not active; the message says why.'

/** Actions on hooks besides their configuration. */
export const hookActionRoutes = {
  set_hook_status: {
    method: 'PUT',
    path: '/hooks/{id}/status',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Pause or resume a hook',
    description:
      'A paused hook holds its events. Resuming sends them in order, and turns a hook on again that its receiver turned off.',
    params: hookParams,
    body: hookStatusBody,
    success: { status: 200, description: 'The hook.', schema: hookDetail },
    errors: {
      400: 'The status is not allowed.',
      404: NO_HOOK,
      409: 'All recipients of the hook unsubscribed, or none has confirmed.',
    },
  },
  set_hook_statuses: {
    method: 'PUT',
    path: '/hook-statuses',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Pause or resume several hooks',
    description: 'Changes the status of all named hooks in one step.',
    body: hookStatusesBody,
    success: { status: 200, description: 'The changed and the failed ones.', schema: bulkResult },
    errors: { 400: 'A field is missing or not allowed.', 413: TOO_LARGE },
  },
  rotate_secret: {
    method: 'POST',
    path: '/hooks/{id}/secret',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Replace the secret of a hook',
    description:
      'Creates a new signing secret for a hook that was created through the API. Only this response contains it. The old one signs too for `overlap_hours`.',
    params: hookParams,
    body: secretBody,
    success: { status: 200, description: 'The new secret.', schema: newSecret },
    errors: {
      400: 'overlap_hours is not allowed.',
      404: NO_HOOK,
      409: 'The hook was created in the console.',
    },
  },
  revoke_old_secrets: {
    method: 'DELETE',
    path: '/hooks/{id}/old-secrets',
    tag: 'Hooks',
    scopes: ['hooks'],
    summary: 'Revoke the old secrets of a hook',
    description: 'Only the newest secret signs from now on.',
    params: hookParams,
    success: { status: 204, description: 'The old secrets no longer sign.' },
    errors: { 404: NO_HOOK, 409: 'The hook was created in the console.' },
  },
  retry_hook: {
    method: 'POST',
    path: '/hooks/{id}/retry',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Retry the pending deliveries of a hook now',
    description:
      'Makes all pending deliveries of the hook due now. If its breaker is open, the first of them is its probe.',
    params: hookParams,
    success: { status: 200, description: 'The number of deliveries.', schema: retried },
    errors: { 404: NO_HOOK, 409: NOT_ACTIVE },
  },
  retry_hooks: {
    method: 'POST',
    path: '/retries/hooks',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Retry the pending deliveries of several hooks now',
    description: 'The same for all named hooks. `changed` counts the hooks with a delivery that was not due.',
    body: hookIdsBody,
    success: { status: 200, description: 'The changed and the failed ones.', schema: bulkResult },
    errors: { 400: 'The ids are missing or not allowed.', 413: TOO_LARGE },
  },
  preview_recovery: {
    method: 'GET',
    path: '/hooks/{id}/recovery',
    tag: 'Deliveries',
    scopes: ['read'],
    summary: 'Count the events of a recovery',
    description: 'The numbers of events that a recovery since a time would send.',
    params: hookParams,
    query: z.object({ since: instant('since').meta({ description: 'A time in the past.' }) }),
    success: { status: 200, description: 'The numbers of events.', schema: recoverable },
    errors: { 400: 'The time is missing or not allowed.', 404: NO_HOOK, 409: NOT_ACTIVE },
  },
  recover_hook: {
    method: 'POST',
    path: '/hooks/{id}/recovery',
    tag: 'Deliveries',
    scopes: ['operate'],
    summary: 'Send the events since an outage again',
    description:
      'Makes the pending deliveries of the hook due now and starts a bulk replay of its dead letters since a time, with `delivered` also of its delivered events.',
    params: hookParams,
    body: recoveryBody,
    success: { status: 200, description: 'The started recovery.', schema: recovery },
    errors: {
      400: 'A field is missing or not allowed.',
      404: NO_HOOK,
      409: 'There are no such events, the hook is not active, or the account has too many open replays; the message says which.',
    },
  },
} as const satisfies Record<string, Route>
