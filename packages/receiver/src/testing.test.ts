import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { sampleEvent as sampleOfService } from '../../../src/contract/sample.ts'
import { newSecret as newSecretOfService, signatureHeaders } from '../../../src/model/signature.ts'
import { newSecret, sampleEvent, sign, signedRequest } from './testing.ts'

const body = JSON.stringify(sampleEvent('review.created', { title: 'Größe 🎈 漢字' }))
const eventId = sampleEvent('review.created').event_id

test('the test helper signs like the service, with one or several secrets', async () => {
  const [current, previous] = [newSecretOfService(), newSecretOfService()] as const
  const at = new Date('2026-03-01T12:00:00.999Z')
  for (const secrets of [[current], [current, previous]] as const) {
    const { 'content-type': type, ...signed } = await sign(body, { secrets, at })
    assert.equal(type, 'application/json')
    assert.deepEqual(signed, signatureHeaders({ secrets, eventId, body: Buffer.from(body), at }))
  }
})

test('libraries for Standard Webhooks accept a new secret', async () => {
  const secret = newSecret()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const request = await signedRequest('https://example.com/radar', sampleEvent('rating.dropped'), {
    secrets: [secret],
  })
  const headers = Object.fromEntries(request.headers)
  assert.deepEqual(new Webhook(secret).verify(await request.text(), headers), sampleEvent('rating.dropped'))
})

test('the samples equal those of the service and can be changed', () => {
  for (const type of ['review.created', 'rating.dropped'] as const) {
    assert.deepEqual(sampleEvent(type), sampleOfService(type))
  }
  assert.equal(sampleEvent('review.created', { rating: 1 }).rating, 1)
  assert.notEqual(sampleEvent('review.created').enrichment, sampleEvent('review.created').enrichment)
})

test('signing a body without an event_id requires the eventId option', async () => {
  await assert.rejects(sign('{}', { secrets: [newSecret()] }), TypeError)
  const headers = await sign('{}', { secrets: [newSecret()], eventId: 'an-id' })
  assert.equal(headers['webhook-id'], 'an-id')
})
