import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CreatedDestination, DestinationPage } from '../../src/contract/console/destinations.ts'
import { radarSignature } from '../../src/model/signature.ts'
import { tenant } from '../support/interfaces.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { eventOf, startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())
const APP = { store: 'apple', appId: '831', market: 'us' } as const
const NAMES = ['ce-specversion', 'ce-id', 'ce-source', 'ce-type', 'ce-time', 'ce-subject']
addApp(running.world, APP)

test('a hook with cloudevents sends these headers with the same body and signature, others send none', async () => {
  const alice = await running.person('Alice')
  await using receiver = await startReceiver()
  const body = { store: 'apple', app_id: '831', event_type: 'review.created' } as const
  const { id, secret } = await alice.client.subscribe({
    ...body,
    target_url: receiver.url,
    cloudevents: true,
  })
  const plain = await alice.client.subscribe({ ...body, target_url: receiver.url })
  await baseline(running, '831')
  publish(running, APP, { rating: 2, title: 'One' })
  const requests = await receiver.received(2)
  const [request] = requests.filter(({ headers }) => headers['ce-id'] !== undefined)
  assert.ok(request)
  const event = eventOf(request)
  assert.equal(event.subscriber_id, id)
  assert.deepEqual(
    NAMES.map((name) => request.headers[name]),
    ['1.0', event.event_id, `/hooks/${id}`, 'review.created', event.occurred_at, 'apple/831'],
  )
  assert.equal(request.headers['content-type'], 'application/json')
  assert.equal(request.headers['x-radar-signature'], radarSignature(secret, request.body))
  const [other] = requests.filter((each) => each !== request)
  assert.ok(other)
  assert.equal(eventOf(other).subscriber_id, plain.id)
  assert.ok(Object.keys(other.headers).every((name) => !name.startsWith('ce-')))

  assert.deepEqual((await alice.client.getHook(id)).cloudevents, true)
  await alice.client.changeHook(id, { cloudevents: false })
  await alice.client.testHook(id)
  assert.equal((await receiver.received(3))[2]?.headers['ce-id'], undefined)
})

test('an owner turns the headers on for a destination of the console, and a test event has them', async () => {
  const { owner } = await tenant(running, 'Bob')
  await using receiver = await startReceiver()
  const { id } = await owner.fetchJson<CreatedDestination>('POST', '/destinations', {
    target_url: receiver.url,
  })
  await owner.fetchJson('PATCH', `/v1/hooks/${id}`, { cloudevents: true })
  assert.equal((await owner.fetchJson<DestinationPage>('GET', `/destinations/${id}`)).cloudEvents, true)
  await owner.fetchJson('POST', `/v1/hooks/${id}/test`)
  assert.equal((await receiver.received(1))[0]?.headers['ce-specversion'], '1.0')
})
