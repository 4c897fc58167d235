import { z } from 'zod'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import { attemptView } from '../attempt.ts'
import { EVENT_TYPE_CHOICE, says } from '../field.ts'
import {
  hookChangeOf,
  hookDetail,
  hookView,
  subscribeBodyOf,
  subscribeResponse,
  type TargetUrlProblemOf,
} from '../hook.ts'
import { BODY_BYTES_MAX, type Route } from '../route.ts'
import { webhookEvent } from '../webhook.ts'

export const NO_HOOK = 'The account has no hook with this id.'

/** Ids are visible ASCII. PostgreSQL rejects some other text. */
export const hookParams = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_HOOK)
    .meta({ description: 'Id of the hook.' }),
})

export const sampleQuery = z.object({
  event_type: z
    .enum(EVENT_TYPES, says('event_type', EVENT_TYPE_CHOICE))
    .optional()
    .meta({ default: 'review.created', description: 'The event type.' }),
})

const testQuery = z.object({
  event_type: sampleQuery.shape.event_type.unwrap().optional().meta({
    description: 'The event type; by default that of the first watch.',
  }),
})

/** For an installation with these `sources` and rules for targets. */
export function hookRoutesFor(sources: readonly string[], targetUrlProblemOf: TargetUrlProblemOf) {
  return {
    subscribe: {
      method: 'POST',
      path: '/hooks',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Subscribe',
      description:
        'Creates one hook per call: identical calls return different ids and secrets. Only this response contains the secret. The app is polled at once, and the hook gets events from its creation on. Stores show a review about a day after it was written, so the first ones come after about 28 hours (App Store) or 24 (Google Play).',
      body: subscribeBodyOf(sources, targetUrlProblemOf),
      idempotent: true,
      success: { status: 200, description: 'The created hook.', schema: subscribeResponse },
      errors: {
        400: 'A field is missing or invalid; the message names it and the allowed values.',
        409: 'The account has reached its limit of hooks or of tracked storefronts; the message says which.',
        422: 'The Idempotency-Key was used in the last 24 hours with another body.',
        413: `The body has more than ${BODY_BYTES_MAX} bytes.`,
        415: 'The body is not application/json.',
      },
    },
    list_hooks: {
      method: 'GET',
      path: '/hooks',
      tag: 'Hooks',
      scopes: ['hooks', 'read'],
      summary: 'List hooks',
      description: 'Every hook of the account, oldest first, including those created in the console.',
      success: { status: 200, description: 'All hooks.', schema: z.array(hookView) },
      errors: {},
    },
    get_hook: {
      method: 'GET',
      path: '/hooks/{id}',
      tag: 'Hooks',
      scopes: ['hooks', 'read'],
      summary: 'Show one hook',
      description: 'The hook as in the list, with all its settings.',
      params: hookParams,
      success: { status: 200, description: 'The hook.', schema: hookDetail },
      errors: { 404: NO_HOOK },
    },
    change_hook: {
      method: 'PATCH',
      path: '/hooks/{id}',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Change a hook',
      description:
        'Changes the given fields of a hook that was created through the API. The id, the secret and pending deliveries are kept. A new or changed watch applies to new reviews and ratings.',
      params: hookParams,
      body: hookChangeOf(targetUrlProblemOf),
      success: { status: 200, description: 'The changed hook.', schema: hookDetail },
      errors: {
        400: 'A field is invalid; the message names it and the allowed values.',
        404: NO_HOOK,
        409: 'The hook was created in the console, or the account has reached its limit of tracked storefronts.',
      },
    },
    unsubscribe: {
      method: 'DELETE',
      path: '/hooks/{id}',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Unsubscribe',
      description:
        'Deletes the hook, its watches and its pending deliveries. The app is no longer polled unless another watch needs it.',
      params: hookParams,
      success: { status: 204, description: 'The hook no longer exists.' },
      errors: { 404: NO_HOOK },
    },
    test_hook: {
      method: 'POST',
      path: '/hooks/{id}/test',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Send a test event',
      description:
        'Sends the hook one signed synthetic event now, without retries, and returns the attempt. Its event_id is new each time. The number of test events per minute is limited (`RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE`, ten by default); the limit includes those of the console.',
      params: hookParams,
      query: testQuery,
      success: { status: 200, description: 'The attempt, accepted or not.', schema: attemptView },
      errors: {
        400: 'An unknown event_type.',
        404: NO_HOOK,
        409: 'All recipients of the hook unsubscribed, or none has confirmed.',
      },
    },
    sample: {
      method: 'GET',
      path: '/sample',
      tag: 'Events',
      scopes: [],
      summary: 'Show a sample event',
      description:
        'One synthetic event in the format of delivered events. It contains no data of the account.',
      query: sampleQuery,
      success: { status: 200, description: 'A list of one event.', schema: z.array(webhookEvent) },
      errors: { 400: 'An unknown event_type.' },
    },
  } as const satisfies Record<string, Route>
}
