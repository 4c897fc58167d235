import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { attemptView } from '../../src/contract/attempt.ts'
import type { SubscribeBody } from '../../src/contract/hook.ts'
import { webhookTo } from '../../src/storage/conformance/samples.ts'
import { eventOf, signatureOf, startReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())

const RATINGS = {
  store: 'google',
  app_id: 'com.example.x',
  event_type: 'rating.dropped',
  delta: 0.1,
  country: 'it',
} as const

test('a test sends the hook one signed event of its type and returns the attempt', async () => {
  const alice = await radar.person('Alice')
  await using receiver = await startReceiver()
  receiver.answerWith(200, { 'x-receiver': 'mine' }, 'thank you')
  const { id, secret } = await alice.client.subscribe({ ...RATINGS, target_url: receiver.url })
  const attempt = await alice.client.testHook(id)

  const [request] = await receiver.received(1)
  assert.ok(request)
  const event = eventOf(request)
  assert.deepEqual(
    [event.event_type, event.store, event.app_id, event.subscriber_id],
    ['rating.dropped', 'google', 'com.example.x', id],
  )
  assert.equal(request.headers['content-type'], 'application/json')
  assert.equal(request.headers['x-radar-event-id'], event.event_id)
  assert.equal(request.headers['x-radar-signature'], signatureOf(request.body, secret))
  new Webhook(secret).verify(request.body.toString(), request.headers as Record<string, string>)

  assert.deepEqual(attemptView.parse(attempt), attempt)
  assert.equal(attempt.accepted, true)
  assert.equal(attempt.event_id, event.event_id)
  assert.equal(attempt.request_body, request.body.toString())
  assert.deepEqual([attempt.http_status, attempt.response_body], [200, 'thank you'])
  assert.equal(attempt.response_headers['x-receiver'], 'mine')
  assert.ok(!JSON.stringify(attempt).includes(signatureOf(request.body, secret)))
})

test('each test has a new event_id and is sent once', async () => {
  const alice = await radar.person('Alice')
  await using receiver = await startReceiver()
  receiver.answerWith(500)
  const { id } = await alice.client.subscribe({ ...RATINGS, target_url: receiver.url })
  const attempts = [await alice.client.testHook(id), await alice.client.testHook(id)]
  assert.notEqual(attempts[0]?.event_id, attempts[1]?.event_id)
  for (const attempt of attempts) {
    assert.deepEqual([attempt.accepted, attempt.reason, attempt.http_status], [false, 'http_status', 500])
  }
  assert.equal(receiver.requests.length, 2)
  assert.equal(await radar.service.storage.deadLetters.count(alice.accountId, {}), 0)
})

test('a redirect and a closed port have different reasons', async () => {
  const alice = await radar.person('Alice')
  await using receiver = await startReceiver()
  receiver.answerWith(302, { location: 'http://127.0.0.1:1/' })
  const tested = async (target_url: string) => {
    const body: SubscribeBody = { ...RATINGS, target_url }
    return alice.client.testHook((await alice.client.subscribe(body)).id)
  }
  assert.equal((await tested(receiver.url)).reason, 'redirect')
  assert.equal((await tested('http://127.0.0.1:1/')).reason, 'connect_refused')
})

test('a test to a blocked address reveals only the reason', async () => {
  await using strict = await startTestService({ RADAR_ALLOW_TARGET_CIDRS: '' })
  await using receiver = await startReceiver()
  const bob = await strict.person('Bob')
  const hook = { ...RATINGS, target_url: 'https://example.com/hook' }
  const { id } = await bob.client.subscribe(hook)
  // As when the address of a name changes after the hook was saved.
  await strict.service.storage.hooks.update(bob.accountId, id, { target: webhookTo(receiver.url) })
  const attempt = await bob.client.testHook(id)
  assert.equal(attempt.reason, 'blocked_address')
  assert.deepEqual([attempt.http_status, attempt.response_body, attempt.response_headers], [null, '', {}])
  assert.equal(receiver.requests.length, 0)
})

test('an account may send ten test events per minute, independently of other accounts', async () => {
  const [alice, bob] = [await radar.person('Alice'), await radar.person('Bob')]
  await using receiver = await startReceiver()
  const { id } = await alice.client.subscribe({ ...RATINGS, target_url: receiver.url })
  for (let sent = 0; sent < 10; sent++) await alice.client.testHook(id)
  const rejected = await radar.request(`/api/v1/hooks/${id}/test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}` },
  })
  assert.equal(rejected.status, 429)
  assert.match(rejected.headers.get('retry-after') ?? '', /^[1-6]?\d$/)
  assert.match((rejected.json() as { error: string }).error, /10 test events per minute/)
  assert.equal(receiver.requests.length, 10)
  const his = await bob.client.subscribe({ ...RATINGS, target_url: receiver.url })
  assert.equal((await bob.client.testHook(his.id)).accepted, true)
})
