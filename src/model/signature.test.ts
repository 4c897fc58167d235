import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSecret, signatureHeaders } from './signature.ts'

type Vector = {
  readonly name: string
  readonly secrets: readonly string[]
  readonly eventId: string
  /** Seconds since the epoch. */
  readonly at: number
  readonly body: string
  readonly headers: Record<string, string>
}

const file: { vectors: Vector[] } = JSON.parse(
  readFileSync(new URL('./signature-vectors.json', import.meta.url), 'utf8'),
)

test('the test vectors exist', () => {
  assert.ok(file.vectors.length >= 5)
})

for (const vector of file.vectors) {
  test(`the headers are the same as those computed by openssl for ${vector.name}`, () => {
    const headers = signatureHeaders({
      secrets: vector.secrets,
      eventId: vector.eventId,
      body: Buffer.from(vector.body),
      at: new Date(vector.at * 1000 + 999),
    })
    assert.deepEqual(headers, vector.headers)
  })
}

test('the official Standard Webhooks library accepts a request only with a valid secret', () => {
  const [current, previous, foreign] = [newSecret(), newSecret(), newSecret()]
  const body = JSON.stringify({ text: 'Tr\u00e8s bien \u{1f986}' })
  const headers = signatureHeaders({
    secrets: [current, previous],
    eventId: 'ab'.repeat(32),
    body: Buffer.from(body),
    at: new Date(),
  })
  assert.deepEqual(new Webhook(current).verify(body, headers), JSON.parse(body))
  assert.deepEqual(new Webhook(previous).verify(body, headers), JSON.parse(body))
  assert.throws(() => new Webhook(foreign).verify(body, headers), /No matching signature/)
  assert.throws(() => new Webhook(current).verify(`${body} `, headers), /No matching signature/)
  assert.throws(() => new Webhook(current).verify(body, { ...headers, 'webhook-id': 'other' }), /No matching/)
})

test('the official library rejects a request that is sent again later', () => {
  const secret = newSecret()
  const body = Buffer.from('{}')
  const headers = signatureHeaders({
    secrets: [secret],
    eventId: 'e',
    body,
    at: new Date(Date.now() - 6 * 60_000),
  })
  assert.throws(() => new Webhook(secret).verify(body, headers), /timestamp/i)
})

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
  }
  assert.equal(new Set(secrets).size, secrets.length)
})

test('signing without a secret throws', () => {
  assert.throws(() => signatureHeaders({ secrets: [], eventId: 'e', body: Buffer.alloc(0), at: new Date() }))
})
