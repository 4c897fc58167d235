import { z } from 'zod'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import { attemptView } from '../attempt.ts'
import { says } from '../field.ts'
import { hookView, subscribeBodyOf, subscribeResponse, type TargetUrlProblemOf } from '../hook.ts'
import { BODY_BYTES_MAX, type Route } from '../route.ts'
import { webhookEvent } from '../webhook.ts'

const NO_HOOK = 'The account has no hook with this id.'

/** Ids are visible ASCII; other text is no id, and PostgreSQL refuses some of it. */
const params = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_HOOK)
    .meta({ description: 'Hook id from subscribe.' }),
})

export const sampleQuery = z.object({
  event_type: z
    .enum(EVENT_TYPES, says('event_type', '"review.created" or "rating.dropped"'))
    .optional()
    .meta({ default: 'review.created', description: 'Which event to show.' }),
})

/** For an installation that knows these `sources` and refuses these targets. */
export function hookRoutesFor(sources: readonly string[], refusalOf: TargetUrlProblemOf) {
  return {
    subscribe: {
      method: 'POST',
      path: '/hooks',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Subscribe',
      description:
        'Creates one hook per call: identical calls return distinct ids and secrets. Its app is polled at once. Only this answer shows the secret. A hook gets events from its creation on.',
      body: subscribeBodyOf(sources, refusalOf),
      idempotent: true,
      success: { status: 200, description: 'The hook exists.', schema: subscribeResponse },
      refusals: {
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
      refusals: {},
    },
    get_hook: {
      method: 'GET',
      path: '/hooks/{id}',
      tag: 'Hooks',
      scopes: ['hooks', 'read'],
      summary: 'Show one hook',
      description: 'The hook as the list shows it.',
      params,
      success: { status: 200, description: 'The hook.', schema: hookView },
      refusals: { 404: NO_HOOK },
    },
    unsubscribe: {
      method: 'DELETE',
      path: '/hooks/{id}',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Unsubscribe',
      description:
        'Deletes the hook, its watches and its pending deliveries. The app leaves the poll set when no other watch uses it.',
      params,
      success: { status: 204, description: 'The hook no longer exists.' },
      refusals: { 404: NO_HOOK },
    },
    test_hook: {
      method: 'POST',
      path: '/hooks/{id}/test',
      tag: 'Hooks',
      scopes: ['hooks'],
      summary: 'Send a test event',
      description:
        'Sends the hook one signed synthetic event now, once, and answers with the attempt. Its event_id is new each time. An account has a limited number a minute (`RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE`, ten by default), shared with the console.',
      params,
      success: { status: 200, description: 'The attempt, accepted or not.', schema: attemptView },
      refusals: { 404: NO_HOOK },
    },
    sample: {
      method: 'GET',
      path: '/sample',
      tag: 'Events',
      scopes: [],
      summary: 'Show a sample event',
      description: 'One synthetic event, shaped like those delivered. Reads nothing of the account.',
      query: sampleQuery,
      success: { status: 200, description: 'A list of one event.', schema: z.array(webhookEvent) },
      refusals: { 400: 'An unknown event_type.' },
    },
  } as const satisfies Record<string, Route>
}
