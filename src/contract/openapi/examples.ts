import { sampleEvent } from '../sample.ts'
import type { Json } from './schemas.ts'

/** Examples for schemas without their own one. All use the values below, so that the examples are consistent. */

const HASH = '3f6c0c2d5f0b8a1e6a5c0d9b7e4f2a1c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f40'
const HOOK = 'api-00000000000000000000000000000000000000ff'
const AT = '2026-01-15T09:30:00.000Z'

/** Values by field name. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: HOOK,
  name: 'An app',
  app_id: '123456789',
  app_name: 'An app',
  account_id: 'acc_5b1d',
  account_name: 'Example Ltd',
  token_id: 'tok_77aa',
  token_name: 'reports',
  secret: 'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZQ==',
  event_id: HASH,
  occurrence_id: HASH,
  fingerprint: HASH,
  content_hash: HASH,
  hook_id: HOOK,
  target_url: 'https://example.com/radar',
  url: 'https://example.com/radar',
  external_ref: 'support inbox',
  source: 'api',
  market: 'us',
  review_id: '9876543210',
  title: 'Great until the last update',
  body: 'It closes itself when I open a shared list.',
  author: 'Sample Reviewer',
  app_version: '4.2.0',
  developer: 'Example Ltd',
  icon_url: 'https://example.com/icon.png',
  message: 'Google Play did not answer in time. Try again in a moment.',
  language: 'en',
  feature_slug: 'dark-mode',
  feature_phrase: 'Dark mode',
  summary_en: 'The app crashes on shared lists.',
  rating: 4,
  rating_count: 12_873,
  count: 12,
  total: 12,
  attempts: 1,
  limit: 50,
  last_used_network: '203.0.113.0/24',
  enriched_by: 'offline',
  request_body: '{"event_id":"…"}',
  response_body: 'ok',
  detail: null,
  request_headers: { 'content-type': 'application/json' },
  response_headers: { 'content-type': 'text/plain' },
}

/** An example of `schema`. `components` has the schemas that references point to. */
export function exampleOf(schema: Json, components: Json, field = ''): unknown {
  const [given] = Array.isArray(schema.examples) ? schema.examples : []
  if (given !== undefined) return given
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    if (name === 'ReviewCreated' || name === 'WebhookEvent') return sampleEvent('review.created')
    if (name === 'RatingDropped') return sampleEvent('rating.dropped')
    if (name === 'ReviewsSpiked') return sampleEvent('reviews.spiked')
    if (name === 'RatingRecovered') return sampleEvent('rating.recovered')
    return exampleOf((components[name] ?? {}) as Json, components, field)
  }
  if ('const' in schema) return schema.const
  const options = [schema.oneOf, schema.anyOf].find(Array.isArray) as Json[] | undefined
  if (options !== undefined) {
    if (VALUES[field] === null) return null
    return exampleOf(options[0] ?? {}, components, field)
  }
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.format === 'date-time') return AT
  return ofType([schema.type].flat()[0], schema, components, field)
}

function ofType(type: unknown, schema: Json, components: Json, field: string): unknown {
  const value = VALUES[field]
  switch (type) {
    case 'object':
      return schema.properties === undefined ? (value ?? {}) : objectOf(schema.properties as Json, components)
    case 'array': {
      const element = exampleOf((schema.items ?? {}) as Json, components, field)
      return Array.from({ length: Number(schema.minItems ?? 1) }, () => element)
    }
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return typeof value === 'number' ? value : Number(schema.minimum ?? 1)
    default:
      return value ?? 'text'
  }
}

function objectOf(properties: Json, components: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      exampleOf(property as Json, components, name),
    ]),
  )
}
