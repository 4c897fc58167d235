import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sampleEvent } from '../../src/contract/sample.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
import { cloudEventsLibrary } from './tools.ts'

type Message = { readonly headers: object; readonly body: string }
type CloudEvent = {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly specversion: string
  readonly subject: string
  readonly time: string
  readonly data: object
  readonly validate: () => boolean
}

test('the official library reads a delivery as a valid CloudEvent', async () => {
  const folder = await cloudEventsLibrary()
  const file = pathToFileURL(join(folder, 'node_modules/cloudevents/dist/index.js')).href
  const { HTTP } = (await import(file)) as { HTTP: { toEvent: (message: Message) => CloudEvent } }
  await using running = await startTestService()
  await using receiver = await startReceiver()
  const alice = await running.person('Alice')
  const { id } = await alice.client.subscribe({
    target_url: receiver.url,
    store: 'google',
    app_id: 'com.example.app',
    event_type: 'review.created',
    cloudevents: true,
  })
  await alice.client.testHook(id)
  const [request] = await receiver.received(1)
  assert.ok(request)
  const event = HTTP.toEvent({ headers: request.headers, body: request.body.toString() })
  assert.equal(event.validate(), true)
  const body = JSON.parse(request.body.toString())
  assert.deepEqual(
    [event.id, event.type, event.source, event.specversion, event.subject],
    [body.event_id, 'review.created', `/hooks/${id}`, '1.0', 'google/com.example.app'],
  )
  assert.equal(new Date(event.time).toISOString(), new Date(body.occurred_at).toISOString())
  assert.deepEqual(Object.keys(event.data).sort(), Object.keys(sampleEvent('review.created')).sort())
})
