import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { webhookEvent } from '../../src/contract/webhook.ts'
import { startTestService } from '../support/service.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())
const alice = await radar.person('Alice')

test('sample returns a list of one review.created by default, in the shape of events', async () => {
  const sample = await alice.client.sample()
  assert.equal(sample.length, 1)
  assert.equal(sample[0]?.event_type, 'review.created')
  assert.deepEqual(webhookEvent.parse(sample[0]), sample[0])
  assert.deepEqual(await alice.client.sample('review.created'), sample)
})

test('sample returns a rating.dropped on request', async () => {
  const [event, ...rest] = await alice.client.sample('rating.dropped')
  assert.deepEqual(rest, [])
  assert.equal(event?.event_type, 'rating.dropped')
  assert.deepEqual(webhookEvent.parse(event), event)
})

test('an unknown event_type gives 400', async () => {
  for (const query of [
    'event_type=nonsense',
    'event_type=',
    'event_type=review.created&event_type=rating.dropped',
  ]) {
    const answer = await radar.request(`/api/v1/sample?${query}`, { headers: { 'x-api-key': alice.token } })
    assert.equal(answer.status, 400, query)
    const { error, ...rest } = answer.json() as { error: string }
    assert.match(error, /^event_type must be "review.created", "rating.dropped"/)
    assert.deepEqual(rest, {})
  }
})

test('sample is the same for every account', async () => {
  const bob = await radar.person('Bob')
  await alice.client.subscribe({
    target_url: 'https://example.com/',
    store: 'google',
    app_id: 'com.example.mine',
    event_type: 'review.created',
  })
  assert.deepEqual(await alice.client.sample(), await bob.client.sample())
})

test('a sample is not delivered and names a hook that does not exist', async () => {
  const [event] = await alice.client.sample()
  await assert.rejects(alice.client.getHook(event?.subscriber_id ?? ''), { status: 404 })
})

test('a sample has schema_version 2 and every key of its type', async () => {
  const [review] = await alice.client.sample()
  assert.equal(review?.schema_version, 2)
  assert.deepEqual(Object.keys(review ?? {}).sort(), [
    'app_id',
    'app_version',
    'author',
    'body',
    'content_hash',
    'country',
    'enrichment',
    'event_id',
    'event_type',
    'fingerprint',
    'id',
    'observed_at',
    'occurred_at',
    'occurrence_id',
    'rating',
    'review_id',
    'schema_version',
    'store',
    'subscriber_id',
    'title',
  ])
})
