import type { EventType } from '../../model/vocabulary.ts'
import { sampleEvent } from '../sample.ts'
import { ratingDropped, ratingRecovered, reviewCreated, reviewsSpiked } from '../webhook.ts'
import { type Json, schemaOf } from './schemas.ts'

/** The body of each event. */
export const EVENT_SCHEMAS = {
  'review.created': reviewCreated,
  'rating.dropped': ratingDropped,
  'reviews.spiked': reviewsSpiked,
  'rating.recovered': ratingRecovered,
} as const

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'review.created': 'A new review',
  'rating.dropped': 'A rating drop',
  'reviews.spiked': 'A spike of negative reviews',
  'rating.recovered': 'A rating recovery',
}

const DELIVERY = `Sent by POST to the hook's \`target_url\`, at least once, in no guaranteed order. A 2xx answer within the deadline
acknowledges the event. Any other result is retried and finally becomes a dead letter. Every attempt and every replay
sends the same bytes.

\`x-radar-signature\` is \`sha256=\` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret as
shown. The \`webhook-*\` headers follow Standard Webhooks, whose libraries verify them with the same secret.`

const HEADERS = [
  ['x-radar-event-id', "The event's `event_id`."],
  ['x-radar-signature', '`sha256=` and 64 lowercase hex digits.'],
  ['webhook-id', "The event's `event_id`."],
  ['webhook-timestamp', 'Time of this attempt, in seconds since the epoch.'],
  [
    'webhook-signature',
    '`v1,` and base64. During the rotation of a secret there are several, separated by spaces.',
  ],
] as const

/** The webhook that a receiver gets. */
export function webhookOf(type: EventType, components: Json): Json {
  return {
    post: {
      operationId: type.replace('.', '_'),
      summary: SUMMARIES[type],
      description: DELIVERY,
      tags: ['Webhooks'],
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
        401: { description: 'The signature is invalid. The delivery is retried.' },
        410: {
          description:
            'From an automation platform: its trigger was turned off, the hook is stopped and its pending deliveries become dead letters. From any other target: a failure that is retried.',
        },
        429: { description: 'Retried, after `Retry-After` if that is longer than the scheduled wait.' },
        default: { description: 'A failure that is retried.' },
      },
    },
  }
}
