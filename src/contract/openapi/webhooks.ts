import type { EventType } from '../../model/vocabulary.ts'
import { sampleEvent } from '../sample.ts'
import { ratingDropped, reviewCreated } from '../webhook.ts'
import { type Json, schemaOf } from './schemas.ts'

/** The body of each event. */
export const EVENT_SCHEMAS = { 'review.created': reviewCreated, 'rating.dropped': ratingDropped } as const

const DELIVERY = `Sent by POST to the hook's \`target_url\`, at least once, in no promised order. A 2xx answer within the deadline
acknowledges; anything else is tried again, and in the end kept as a dead letter. Every attempt and every replay sends
the same bytes.

\`x-radar-signature\` is \`sha256=\` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret as it was
shown. The \`webhook-*\` headers are those of Standard Webhooks: any of its libraries verifies them with the same secret.`

const HEADERS = [
  ['x-radar-event-id', "The event's `event_id`."],
  ['x-radar-signature', '`sha256=` and 64 lowercase hex digits.'],
  ['webhook-id', "The event's `event_id`."],
  ['webhook-timestamp', 'Seconds since the epoch; of this attempt.'],
  ['webhook-signature', '`v1,` and base64; several, separated by spaces, while a secret is rotated.'],
] as const

/** What a receiver gets. */
export function webhookOf(type: EventType, components: Json): Json {
  return {
    post: {
      operationId: type.replace('.', '_'),
      summary: type === 'review.created' ? 'A new review' : 'A rating drop',
      description: DELIVERY,
      tags: ['Events'],
      security: [],
      parameters: HEADERS.map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
        description,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaOf(EVENT_SCHEMAS[type], 'output', components),
            example: sampleEvent(type),
          },
        },
      },
      responses: {
        '2XX': { description: 'Acknowledged.' },
        401: { description: 'A bad signature. Tried again.' },
        410: {
          description:
            'From an automation platform: its trigger was turned off. The hook ends, and what still waits for it becomes dead letters. From any other hook it is a failure: tried again.',
        },
        429: { description: 'Tried again, after `Retry-After` if that is longer than the next wait.' },
        default: { description: 'A failure: tried again.' },
      },
    },
  }
}
