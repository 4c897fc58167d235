import { EVENT_TYPES } from '../../model/vocabulary.ts'
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
    tags: Object.entries({ ...TAGS, Webhooks: 'What the service sends to the callback URLs of hooks.' }).map(
      ([name, description]) => ({ name, description }),
    ),
    security: [{ bearer: [] }, { api_key: [] }],
    paths,
    webhooks,
    components: {
      schemas: withDiscriminators(schemas),
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, which starts with `rsk_`.' },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same token.' },
      },
    },
  }
}

type Property = { readonly const?: unknown; readonly enum?: readonly unknown[] }
type Named = { readonly properties?: Readonly<Record<string, Property>>; readonly oneOf?: readonly Ref[] }
type Ref = { readonly $ref: string }

/** Names the field that tells the members of a union apart, so that code generators create discriminated unions. */
function withDiscriminators(schemas: Json): Json {
  const named = schemas as Record<string, Named>
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [
      name,
      schema.oneOf === undefined
        ? schema
        : { ...schema, discriminator: discriminatorOf(schema.oneOf, named) },
    ]),
  )
}

function discriminatorOf(members: readonly Ref[], schemas: Readonly<Record<string, Named>>): Json {
  const properties = members.map(({ $ref }) => schemas[$ref.split('/').at(-1) ?? '']?.properties ?? {})
  for (const propertyName of Object.keys(properties[0] ?? {})) {
    const mapping = members.flatMap(({ $ref }, index) =>
      constantsOf(properties[index]?.[propertyName]).map((value) => [String(value), $ref] as const),
    )
    const isOfEach = members.every(({ $ref }) => mapping.some(([, ref]) => ref === $ref))
    const isUnique = new Set(mapping.map(([value]) => value)).size === mapping.length
    if (isOfEach && isUnique) return { propertyName, mapping: Object.fromEntries(mapping) }
  }
  throw new Error(`no field tells these schemas apart: ${members.map(({ $ref }) => $ref).join(', ')}`)
}

function constantsOf(property: Property = {}): readonly unknown[] {
  return property.const === undefined ? (property.enum ?? []) : [property.const]
}

/** The JSON Schema of an event type, with its own URL as id; null for an unknown type. */
export function eventSchemaOf(type: string, publicUrl: string): Json | null {
  const known = EVENT_TYPES.find((each) => each === type)
  if (known === undefined) return null
  const { $schema, id: _, ...schema } = jsonSchemaOf(EVENT_SCHEMAS[known], 'output')
  return { $schema, $id: `${publicUrl.replace(/\/$/, '')}/schemas/${known}.json`, title: known, ...schema }
}
