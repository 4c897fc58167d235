import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import type { Route } from '../route.ts'
import { routesFor } from '../routes.ts'
import { sampleEvent } from '../sample.ts'
import { webhookEvent } from '../webhook.ts'
import { eventSchemaOf, openApiOf } from './document.ts'
import { yamlOf } from './yaml.ts'

const document = openApiOf(routesFor(['api', 'zapier']), {
  version: '1.2.3',
  publicUrl: 'https://radar.example',
})
const text = JSON.stringify(document)

test('every reference in the OpenAPI document points to a schema of the document', () => {
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
  assert.ok(names.includes('SubscribeBody') && names.includes('ReviewCreated') && names.includes('HookView'))
  const { schemas } = document.components as { schemas: Record<string, unknown> }
  for (const name of names) assert.ok(schemas[name], `the schema ${name} is missing`)
  assert.ok(!text.includes('$defs'))
})

test('the OpenAPI document has every operation of the route table with its success and error responses', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string; responses: object }>>
  for (const [operation, route] of Object.entries(routesFor([]))) {
    const described = paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()]
    assert.equal(described?.operationId, operation)
    for (const status of [route.success.status, ...Object.keys(route.errors), 401])
      assert.ok(String(status) in (described?.responses ?? {}), `${operation} ${status}`)
  }
})

test('the schema of the subscribe body has its limits', () => {
  const { schemas } = document.components as {
    schemas: Record<string, { properties?: object; required?: string[] }>
  }
  const body = schemas.SubscribeBody
  // target_url is required for a webhook only.
  assert.deepEqual(body?.required, ['store', 'app_id', 'event_type'])
  const shown = JSON.stringify(body?.properties)
  assert.match(shown, /"enum":\["api","zapier",null\]/)
  assert.match(shown, /"maxLength":256/)
  assert.match(shown, /"keywords":\{.*?"maxItems":20/)
  assert.match(shown, /"delta_window_hours":\{.*?"minimum":1,"maximum":720/)
})

test('the examples of events match the webhook schema', () => {
  const webhooks = document.webhooks as Record<string, { post: { requestBody: { content: object } } }>
  const examples = Object.values(webhooks).map(
    ({ post }) =>
      (post.requestBody.content as Record<string, { example: unknown }>)['application/json']?.example,
  )
  assert.equal(examples.length, EVENT_TYPES.length)
  for (const example of examples) assert.deepEqual(webhookEvent.parse(example), example)
})

test('two synthetic events for one hook have different ids, for every event type', () => {
  const of = { store: 'google', appId: 'a.b', country: 'it', subscriberId: 'api-1', at: new Date(0) } as const
  for (const type of EVENT_TYPES) {
    const [one, other] = ['1', '2'].map((nonce) => webhookEvent.parse(sampleEvent(type, { ...of, nonce })))
    assert.notEqual(one?.event_id, other?.event_id)
    assert.equal(one?.id, one?.event_id)
    assert.equal(one?.subscriber_id, 'api-1')
  }
})

type Answer = { readonly $ref?: string; readonly headers?: object; readonly content?: Record<string, Shown> }
type Json = { readonly [key: string]: unknown }
type Shown = { readonly schema: object; readonly example?: unknown }
type Described = {
  readonly tags: string[]
  readonly requestBody?: { readonly content: Record<string, Shown> }
  readonly responses: Record<string, Answer>
}
const operations = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, each]) => [`${method} ${path}`, each] as const),
)
const { responses, schemas } = document.components as {
  responses: Record<string, Answer>
  schemas: Record<string, { properties?: Record<string, object>; discriminator?: object }>
}

test('every response and request body has an example that matches its schema', () => {
  for (const [name, operation] of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      const { content } = answer.$ref ? (responses[answer.$ref.split('/').at(-1) ?? ''] ?? {}) : answer
      const [shown] = Object.values(content ?? {})
      if (status !== '204' && status !== '304') assert.ok(shown?.example !== undefined, `${name} ${status}`)
    }
    const [body] = Object.values(operation.requestBody?.content ?? {})
    if (operation.requestBody) assert.ok(body?.example !== undefined, name)
  }
  for (const [operation, route] of Object.entries<Route>(routesFor())) {
    const answer = operations.find(
      ([name]) => name === `${route.method.toLowerCase()} /api/v1${route.path}`,
    )?.[1]
    const shown = answer?.responses[String(route.success.status)]?.content
    const example = shown?.['application/json']?.example
    if (example !== undefined) assert.deepEqual(route.success.schema?.parse(example), example, operation)
    const body = answer?.requestBody?.content['application/json']?.example
    if (body !== undefined) route.body?.parse(body)
  }
})

test('every operation has a tag, and its error responses have Allow and Retry-After', () => {
  const tags = (document.tags as { name: string }[]).map(({ name }) => name)
  for (const [name, { responses: answers, tags: own }] of operations) {
    assert.equal(answers['405']?.$ref, '#/components/responses/MethodNotAllowed', name)
    assert.deepEqual(
      own.filter((tag) => !tags.includes(tag)),
      [],
      name,
    )
  }
  assert.ok('Allow' in (responses.MethodNotAllowed?.headers ?? {}))
  for (const name of ['TooManyRequests', 'Unavailable'])
    assert.ok('Retry-After' in (responses[name]?.headers ?? {}))
  for (const { post } of Object.values(document.webhooks as Record<string, { post: Described }>)) {
    assert.ok('410' in post.responses)
  }
})

test('events have a discriminator, and code generators can read records and defaults', () => {
  assert.deepEqual(schemas.WebhookEvent?.discriminator, {
    propertyName: 'event_type',
    mapping: {
      'review.created': '#/components/schemas/ReviewCreated',
      'rating.dropped': '#/components/schemas/RatingDropped',
      'reviews.spiked': '#/components/schemas/ReviewsSpiked',
      'rating.recovered': '#/components/schemas/RatingRecovered',
    },
  })
  assert.deepEqual(schemas.ReviewCreated?.properties?.schema_version, { type: 'integer', const: 2 })
  assert.deepEqual(schemas.Attempt?.properties?.response_headers, {
    type: 'object',
    additionalProperties: { type: 'string' },
  })
  assert.ok(!JSON.stringify(schemas.SubscribeBody).includes('"default"'))
})

test('the next_cursor of an example is accepted as the cursor of the same operation', () => {
  const lists = Object.entries<Route>(routesFor()).filter(
    ([, { query }]) => query?.shape.cursor ?? query?.shape.after,
  )
  assert.ok(lists.length >= 6)
  for (const [operation, { path, query, success }] of lists) {
    if (success.rows) continue
    const answer = operations.find(([name]) => name === `get /api/v1${path}`)?.[1]
    const example = answer?.responses[200]?.content?.['application/json']?.example
    const { next_cursor: cursor } = (example ?? {}) as Json
    const parameter = query?.shape.cursor ?? query?.shape.after
    assert.equal(parameter.parse(cursor), cursor, operation)
  }
})

test('webhooks have a tag of their own, so that a generated client has no method that sends them', () => {
  const of = (each: object) =>
    Object.values(each as Record<string, { post: Described }>).flatMap(({ post }) => post.tags)
  assert.deepEqual([...new Set(of(document.webhooks as object))], ['Webhooks'])
  assert.ok(!operations.some(([, { tags }]) => tags.includes('Webhooks')))
})

/** The names of the schemas that `node` refers to, directly or through others. */
function namesIn(node: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    namesIn(schemas[name], found)
  }
  return found
}

test('responses may have unknown fields, numbers are doubles, and no schema has what generators for 3.0 refuse', () => {
  const output = eventSchemaOf('reviews.spiked', '') as Json
  const refused: string[] = []
  const visit = (node: unknown, path: string, isOutput: boolean) => {
    if (typeof node !== 'object' || node === null) return
    const { type, properties, additionalProperties, format, oneOf, discriminator } = node as Json
    if (isOutput && properties !== undefined && additionalProperties !== true)
      refused.push(`${path} is closed`)
    if (type === 'number' && format !== 'double') refused.push(`${path} is a number without a format`)
    if ('exclusiveMinimum' in node || 'exclusiveMaximum' in node)
      refused.push(`${path} has an exclusive bound`)
    if (oneOf !== undefined && discriminator === undefined) refused.push(`${path} has no discriminator`)
    if (type === 'null' && !path.includes('/anyOf/')) refused.push(`${path} is only null`)
    for (const [name, each] of Object.entries(node)) {
      // Generators ignore rules between fields.
      if (!['example', 'examples', 'dependentSchemas'].includes(name))
        visit(each, `${path}/${name}`, isOutput)
    }
  }
  visit(output, 'event', true)
  for (const name of namesIn(operations.map(([, { responses: answers }]) => answers)))
    visit(schemas[name], name, true)
  visit(document.components, 'components', false)
  visit(document.paths, 'paths', false)
  assert.deepEqual(refused, [])
})

test('no name of a type that generators make of an operation and its parameter is that of a schema and its field', () => {
  const plain = (...words: string[]) => words.join('').replaceAll('_', '').toLowerCase()
  const ofFields = new Set(
    Object.entries(schemas).flatMap(([name, { properties = {} }]) => [
      plain(name),
      ...Object.keys(properties).map((field) => plain(name, field)),
    ]),
  )
  const ofOperations = Object.entries<Route>(routesFor()).flatMap(([operation, { query, params }]) =>
    Object.keys({ ...query?.shape, ...params?.shape }).map((name) => plain(operation, name)),
  )
  assert.deepEqual(
    ofOperations.filter((name) => ofFields.has(name)),
    [],
  )
})

test('the YAML form equals the JSON form', () => {
  const yaml = yamlOf({ a: { 'x-y': [1, 'two: 3', null, {}], 2: [], on: true }, b: [{ c: 'd' }] })
  const lines = ['', 'a:', '  "2": []', '  x-y:', '    - 1', '    - "two: 3"', '    - null', '    - {}']
  assert.deepEqual(yaml.split('\n'), [...lines, '  "on": true', 'b:', '  -', '    c: "d"', ''])
})

test('the schema of an event is self-contained and has its own URL', () => {
  const schema = eventSchemaOf('rating.dropped', 'https://radar.example/')
  assert.equal(schema?.$id, 'https://radar.example/schemas/rating.dropped.json')
  assert.ok(!JSON.stringify(schema).includes('#/components'))
  assert.equal(eventSchemaOf('x', ''), null)
})
