import { EVENT_TYPES, type EventType } from '../../model/vocabulary.ts'
import { API_PREFIX, type Route, TAGS } from '../route.ts'
import { operationOf } from './operations.ts'
import { commonResponses } from './responses.ts'
import { type Json, jsonSchemaOf } from './schemas.ts'
import { EVENT_SCHEMAS, webhookOf } from './webhooks.ts'

const INTRODUCTION = `Review Radar tells programs what people say about their apps: one signed JSON event for each new review and each
rating drop in the App Store and Google Play.

Every call requires an API token, as \`Authorization: Bearer rsk_…\` or \`X-API-Key: rsk_…\`. Every error has the body
\`{"error": "…"}\`. Consumers must ignore unknown fields and deduplicate events by \`event_id\`.`

type About = { readonly version: string; readonly publicUrl: string }

/** The OpenAPI 3.1 description of the API and its webhooks, generated from the schemas that validate requests. */
export function openApiOf(routes: Readonly<Record<string, Route>>, about: About): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const [operation, route] of Object.entries(routes)) {
    const path = `${API_PREFIX}${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(operation, route, schemas) }
  }
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type, schemas)]))
  const responses = commonResponses(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Review Radar',
      version: about.version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this installation', url: about.publicUrl },
    },
    servers: [{ url: about.publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { api_key: [] }],
    paths,
    webhooks,
    components: {
      schemas: withDiscriminator(schemas),
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, which starts with `rsk_`.' },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same token.' },
      },
    },
  }
}

/** Adds the discriminator `event_type`, so that code generators create a discriminated union. */
function withDiscriminator(schemas: Json): Json {
  const mapping: Readonly<Record<EventType, string>> = {
    'review.created': 'ReviewCreated',
    'rating.dropped': 'RatingDropped',
    'reviews.spiked': 'ReviewsSpiked',
    'rating.recovered': 'RatingRecovered',
  }
  const discriminator = {
    propertyName: 'event_type',
    mapping: Object.fromEntries(
      Object.entries(mapping).map(([type, name]) => [type, `#/components/schemas/${name}`]),
    ),
  }
  return { ...schemas, WebhookEvent: { ...(schemas.WebhookEvent as Json), discriminator } }
}

/** The JSON Schema of an event type, with its own URL as id; null for an unknown type. */
export function eventSchemaOf(type: string, publicUrl: string): Json | null {
  const known = EVENT_TYPES.find((each) => each === type)
  if (known === undefined) return null
  const { $schema, id: _, ...schema } = jsonSchemaOf(EVENT_SCHEMAS[known], 'output')
  return { $schema, $id: `${publicUrl.replace(/\/$/, '')}/schemas/${known}.json`, title: known, ...schema }
}
