import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiOf } from './openapi.ts'
import { routesFor } from './routes.ts'
import { sampleEvent } from './sample.ts'
import { webhookEvent } from './webhook.ts'

const document = openApiOf(routesFor(['api', 'zapier']), {
  version: '1.2.3',
  publicUrl: 'https://radar.example',
})
const text = JSON.stringify(document)

test('every reference in the OpenAPI document leads to a schema of the document', () => {
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
  assert.ok(names.includes('SubscribeBody') && names.includes('ReviewCreated') && names.includes('HookView'))
  const { schemas } = document.components as { schemas: Record<string, unknown> }
  for (const name of names) assert.ok(schemas[name], `${name} is referred to but not there`)
  assert.ok(!text.includes('$defs'))
})

test('every operation of the route table is in the OpenAPI document, with its success and its errors', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string; responses: object }>>
  for (const [operation, route] of Object.entries(routesFor([]))) {
    const described = paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()]
    assert.equal(described?.operationId, operation)
    for (const status of [route.success.status, ...Object.keys(route.refusals), 401])
      assert.ok(String(status) in (described?.responses ?? {}), `${operation} ${status}`)
  }
})

test('the request body of subscribe is described with its limits', () => {
  const { schemas } = document.components as {
    schemas: Record<string, { properties?: object; required?: string[] }>
  }
  const body = schemas.SubscribeBody
  assert.deepEqual(body?.required, ['target_url', 'store', 'app_id', 'event_type'])
  const shown = JSON.stringify(body?.properties)
  assert.match(shown, /"enum":\["api","zapier",null\]/)
  assert.match(shown, /"maxLength":256/)
})

test('the examples in the document are events as the webhook schema has them', () => {
  const webhooks = document.webhooks as Record<string, { post: { requestBody: { content: object } } }>
  const examples = Object.values(webhooks).map(
    ({ post }) =>
      (post.requestBody.content as Record<string, { example: unknown }>)['application/json']?.example,
  )
  assert.equal(examples.length, 2)
  for (const example of examples) assert.deepEqual(webhookEvent.parse(example), example)
})

test('two synthetic events for one hook have different ids, in both types', () => {
  const of = { store: 'google', appId: 'a.b', country: 'it', subscriberId: 'api-1', at: new Date(0) } as const
  for (const type of ['review.created', 'rating.dropped'] as const) {
    const [one, other] = ['1', '2'].map((nonce) => webhookEvent.parse(sampleEvent(type, { ...of, nonce })))
    assert.notEqual(one?.event_id, other?.event_id)
    assert.equal(one?.id, one?.event_id)
    assert.equal(one?.subscriber_id, 'api-1')
  }
})
