import { z } from 'zod'
import { EVENT_TYPES } from '../model/vocabulary.ts'
import { failureBody } from './failure.ts'
import { API_PREFIX, type Route } from './route.ts'
import { sampleEvent } from './sample.ts'
import { ratingDropped, reviewCreated } from './webhook.ts'

type Json = { [key: string]: unknown }

/** Refusals that every operation may answer with. */
const COMMON_REFUSALS: Readonly<Record<number, string>> = {
  401: 'The token is missing or not valid.',
  429: 'The account has used up its API requests or test events of this minute; Retry-After says when to try again.',
  500: 'Internal error; the log has it under the id in the message.',
  503: 'The database does not answer now; Retry-After says when to try again.',
}

const INTRODUCTION = `Review Radar tells programs what people say about their apps: one signed JSON event for each new review and each
rating drop in the App Store and Google Play.

Every call carries an API token, as \`Authorization: Bearer rsk_…\` or \`X-API-Key: rsk_…\`. Every failure answers with
\`{"error": "…"}\`. Consumers ignore unknown fields and dedupe events on \`event_id\`.`

const DELIVERY = `Sent by POST to the hook's \`target_url\`, at least once, in no promised order. A 2xx answer within the deadline
acknowledges; anything else is tried again, and in the end kept as a dead letter. Every attempt and every replay sends
the same bytes.

\`x-radar-signature\` is \`sha256=\` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the whole secret as it was
shown. The \`webhook-*\` headers are those of Standard Webhooks: any of its libraries verifies them with the same secret.`

/** The OpenAPI 3.1 description of the API and of the webhooks it sends. Pure; made from the schemas that validate. */
export function openApiOf(
  routes: Readonly<Record<string, Route>>,
  about: { readonly version: string; readonly publicUrl: string },
): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const [operation, route] of Object.entries(routes)) {
    const path = `${API_PREFIX}${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(operation, route, schemas) }
  }
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type, schemas)]))
  return {
    openapi: '3.1.0',
    info: { title: 'Review Radar', version: about.version, description: INTRODUCTION },
    servers: [{ url: about.publicUrl }],
    security: [{ bearer: [] }, { api_key: [] }],
    paths,
    webhooks,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token: `rsk_` and its secret part.' },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same token.' },
      },
    },
  }
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes the request safe to repeat: for 24 hours the same key of the same account answers as the first time, with the same id and secret, and makes no second hook. With another body it answers 422. Use a new UUID for each hook; without it every request makes a hook.',
}

function operationOf(operation: string, route: Route, schemas: Json): Json {
  const parameters: Json[] = [
    ...Object.entries(route.params?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema: schemaOf(schema as z.ZodType, 'input', schemas),
    })),
    ...Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema: schemaOf(schema as z.ZodType, 'input', schemas),
    })),
  ]
  if (route.idempotent) parameters.push(IDEMPOTENCY_KEY)
  const { status, description, schema } = route.success
  const content = schema && {
    content: { 'application/json': { schema: schemaOf(schema, 'output', schemas) } },
  }
  const refusals = Object.entries({ ...route.refusals, ...COMMON_REFUSALS }).map(([code, when]) => [
    code,
    {
      description: when,
      content: { 'application/json': { schema: schemaOf(failureBody, 'output', schemas) } },
    },
  ])
  return {
    operationId: operation,
    summary: route.summary,
    description: route.description,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(route.body, 'input', schemas) } },
      },
    }),
    responses: { [status]: { description, ...content }, ...Object.fromEntries(refusals) },
  }
}

function webhookOf(type: (typeof EVENT_TYPES)[number], schemas: Json): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description,
  })
  return {
    post: {
      operationId: type,
      summary: type === 'review.created' ? 'A new review' : 'A rating drop',
      description: DELIVERY,
      security: [],
      parameters: [
        header('x-radar-event-id', "The event's `event_id`."),
        header('x-radar-signature', '`sha256=` and 64 lowercase hex digits.'),
        header('webhook-id', "The event's `event_id`."),
        header('webhook-timestamp', 'Seconds since the epoch; of this attempt.'),
        header(
          'webhook-signature',
          '`v1,` and base64; several, separated by spaces, while a secret is rotated.',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaOf(type === 'review.created' ? reviewCreated : ratingDropped, 'output', schemas),
            example: sampleEvent(type),
          },
        },
      },
      responses: {
        '2XX': { description: 'Acknowledged.' },
        default: { description: 'A failure: tried again. A receiver answers 401 to a bad signature.' },
      },
    },
  }
}

/** A zod schema as JSON Schema; those with an id go to `schemas` and are referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): unknown {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, { io, override: soften }) as Json & { $defs?: Json }
  for (const [name, definition] of Object.entries($defs)) schemas[name] = relinked(definition)
  return relinked(rest)
}

/** Fields may be added any day (docs/contract.md, Versions), and a date's pattern is of no use to a reader. */
function soften({ jsonSchema }: { readonly jsonSchema: Json }): void {
  delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
}

function relinked(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
