import { z } from 'zod'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import { EVENT_TYPE_CHOICE, says } from '../field.ts'
import type { Route } from '../route.ts'
import { webhookEvent } from '../webhook.ts'
import { appIdText, PAGE_LIMIT, store, wholeNumber } from './query.ts'

const after = says('after', '`next_cursor` of the previous answer, or "latest"')
const hookId = says('hook_id', 'text of at most 200 characters')
const WAIT_S = { min: 0, max: 30 } as const

export const eventsQuery = z.object({
  after: z
    .string(after)
    .regex(/^(\d{1,15}|latest)$/, after)
    .optional()
    .meta({
      description:
        '`next_cursor` of the previous answer. `latest` returns no events, only the cursor for new events. Without this parameter, the answer starts with the oldest stored event.',
    }),
  wait: wholeNumber('wait', WAIT_S)
    .default(0)
    .meta({ description: 'Seconds to wait for an event if there is none.' }),
  limit: wholeNumber('limit', PAGE_LIMIT)
    .default(PAGE_LIMIT.default)
    .meta({ description: 'The maximum number of events per response.' }),
  hook_id: z.string(hookId).max(200, hookId).optional().meta({ description: 'Only events of this hook.' }),
  event_type: z.enum(EVENT_TYPES, says('event_type', EVENT_TYPE_CHOICE)).optional(),
  store: store.optional(),
  app_id: appIdText.optional(),
})

export const eventList = z
  .object({
    data: z.array(webhookEvent),
    next_cursor: z.string().meta({ description: 'Pass it as `after` to get the next events. Never null.' }),
  })
  .meta({ id: 'EventList' })
export type EventList = z.infer<typeof eventList>

export const eventRoutes = {
  list_events: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    scopes: ['read', 'hooks'],
    summary: 'Pull events',
    description:
      'The events of the account’s hooks, oldest first, for programs without a public URL. They are the same events as the delivered ones, one per hook, whatever the state of the delivery. Continuing from `next_cursor` neither misses nor repeats events. Events are kept as long as deliveries. Undelivered events of a deleted hook are removed, and the inbox of the console keeps its newest 1,000.',
    query: eventsQuery,
    success: { status: 200, description: 'The next events, or none.', schema: eventList },
    errors: {
      400: 'A field is invalid; the message names it and the allowed values.',
      409: '`after` is ahead of every event: the database was restored from a backup.',
    },
  },
} as const satisfies Record<string, Route>
