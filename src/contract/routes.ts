import { z } from 'zod'
import { EVENT_TYPES } from '../model/vocabulary.ts'
import { me, watchedApp } from './account.ts'
import { attemptView } from './attempt.ts'
import { says } from './field.ts'
import { hookView, SOURCES, subscribeBodyOf, subscribeResponse, type TargetUrlProblemOf } from './hook.ts'
import { webhookEvent } from './webhook.ts'

/** The API's version is in its paths (docs/contract.md, Versions). */
export const API_PREFIX = '/api/v1'

/** Bytes of a request's body; chosen: a subscribe with every field at its limit takes under 5 KiB. */
export const BODY_BYTES_MAX = 64 * 1024

export const METHODS = ['GET', 'POST', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** One operation, as the server serves it, the reference shows it and the client calls it. */
export type Route = {
  readonly method: Method
  /** Below `/api/v1`; `{id}` is a hook's id. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Takes the header `Idempotency-Key`. */
  readonly idempotent?: true
  readonly success: { readonly status: 200 | 204; readonly description: string; readonly schema?: z.ZodType }
  /** What it may refuse besides 401, 405, 429, 500 and 503, which every operation may. */
  readonly refusals: Readonly<Record<number, string>>
}

const noSuchHook = 'The account has no hook with this id.'

export const sampleQuery = z.object({
  event_type: z
    .enum(EVENT_TYPES, says('event_type', '"review.created" or "rating.dropped"'))
    .optional()
    .meta({ default: 'review.created', description: 'Which event to show.' }),
})

/** The route table of `/api/v1`, for an installation that knows these `sources` and refuses these targets. */
export function routesFor(sources: readonly string[] = SOURCES, refusalOf: TargetUrlProblemOf = () => null) {
  return {
    subscribe: {
      method: 'POST',
      path: '/hooks',
      summary: 'Subscribe',
      description:
        'Makes one hook per call: identical calls give distinct ids and secrets. Its app is polled at once. The secret is shown in this answer only. A hook looks forward: it gets what happens from its creation on.',
      body: subscribeBodyOf(sources, refusalOf),
      idempotent: true,
      success: { status: 200, description: 'The hook exists.', schema: subscribeResponse },
      refusals: {
        400: 'A field is missing or not allowed; the message names it and says what is.',
        409: 'The account has reached its limit of hooks or of tracked storefronts; the message says which.',
        422: 'The Idempotency-Key was used in the last 24 hours with another body.',
        413: `The body has more than ${BODY_BYTES_MAX} bytes.`,
        415: 'The body is not application/json.',
      },
    },
    list_hooks: {
      method: 'GET',
      path: '/hooks',
      summary: 'List hooks',
      description: 'Every hook the account owns, oldest first; those made in the console too.',
      success: { status: 200, description: 'All hooks.', schema: z.array(hookView) },
      refusals: {},
    },
    get_hook: {
      method: 'GET',
      path: '/hooks/{id}',
      summary: 'Show one hook',
      description: 'The hook as the list shows it.',
      success: { status: 200, description: 'The hook.', schema: hookView },
      refusals: { 404: noSuchHook },
    },
    unsubscribe: {
      method: 'DELETE',
      path: '/hooks/{id}',
      summary: 'Unsubscribe',
      description:
        'Ends the hook, its watches and what still waits for it. The app leaves the poll set when no other watch uses it.',
      success: { status: 204, description: 'The hook no longer exists.' },
      refusals: { 404: noSuchHook },
    },
    test_hook: {
      method: 'POST',
      path: '/hooks/{id}/test',
      summary: 'Send a test event',
      description:
        'Sends the hook one signed synthetic event now, once, and answers with the attempt. Its event_id is new each time. An account has a limited number a minute (`RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE`, ten by default), shared with the console.',
      success: { status: 200, description: 'The attempt, accepted or not.', schema: attemptView },
      refusals: { 404: noSuchHook },
    },
    list_apps: {
      method: 'GET',
      path: '/apps',
      summary: 'List watched apps',
      description: 'Each app the account watches, once for each storefront.',
      success: { status: 200, description: 'All watched apps.', schema: z.array(watchedApp) },
      refusals: {},
    },
    sample: {
      method: 'GET',
      path: '/sample',
      summary: 'Show a sample event',
      description: 'One synthetic event, shaped like those delivered. Reads nothing of the account.',
      query: sampleQuery,
      success: { status: 200, description: 'A list of one event.', schema: z.array(webhookEvent) },
      refusals: { 400: 'An unknown event_type.' },
    },
    me: {
      method: 'GET',
      path: '/me',
      summary: 'Show whose token this is',
      description: 'The account and the name of the token: a connection test for automation platforms.',
      success: { status: 200, description: 'The account.', schema: me },
      refusals: {},
    },
  } as const satisfies Record<string, Route>
}

export type Routes = ReturnType<typeof routesFor>
export type Operation = keyof Routes
