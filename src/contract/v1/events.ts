import { z } from 'zod'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import { says } from '../field.ts'
import type { Route } from '../route.ts'
import { webhookEvent } from '../webhook.ts'
import { appIdText, PAGE_LIMIT, store, wholeNumber } from './query.ts'

const after = says('after', '`next_cursor` of the answer before, or "latest"')
const hookId = says('hook_id', 'text of at most 200 characters')
const WAIT_S = { min: 0, max: 30 } as const

export const eventsQuery = z.object({
  after: z
    .string(after)
    .regex(/^(\d{1,15}|latest)$/, after)
    .optional()
    .meta({
      description:
        '`next_cursor` of the answer before. `latest` answers at once without events, with the cursor of what comes next. Without it the answer begins with the oldest stored event.',
    }),
  wait: wholeNumber('wait', WAIT_S)
    .default(0)
    .meta({ description: 'Seconds to wait for an event when there is none.' }),
  limit: wholeNumber('limit', PAGE_LIMIT)
    .default(PAGE_LIMIT.default)
    .meta({ description: 'Events of an answer at most.' }),
  hook_id: z.string(hookId).max(200, hookId).optional().meta({ description: 'Events of this hook alone.' }),
  event_type: z.enum(EVENT_TYPES, says('event_type', '"review.created" or "rating.dropped"')).optional(),
  store: store.optional(),
  app_id: appIdText.optional(),
})

export const eventList = z
  .object({
    data: z.array(webhookEvent),
    next_cursor: z.string().meta({ description: 'Pass it as `after` to get what comes next. Never null.' }),
  })
  .meta({ id: 'EventList' })

export const eventRoutes = {
  list_events: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    scopes: ['read', 'hooks'],
    summary: 'Pull events',
    description:
      'The events of the account’s hooks, oldest first, as they are delivered: one per hook, whatever became of the delivery. For programs without a public address. Going on from `next_cursor` misses none and repeats none. Events are kept as long as deliveries are; those of a deleted hook that were not delivered are gone.',
    query: eventsQuery,
    success: { status: 200, description: 'The next events, or none.', schema: eventList },
    refusals: {
      400: 'A field is invalid; the message names it and the allowed values.',
      409: '`after` is ahead of every event: the database was restored from a backup.',
    },
  },
} as const satisfies Record<string, Route>
