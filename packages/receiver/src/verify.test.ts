import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret, signatureHeaders } from '../../../src/model/signature.ts'
import { ReceiverError, type ReceiverErrorCode } from './receiver-error.ts'
import { sampleEvent } from './testing.ts'
import { type RawBody, type VerifyOptions, verify, verifySignature } from './verify.ts'

const [secret, oldSecret, unknownSecret] = [newSecret(), newSecret(), newSecret()]
const event = sampleEvent('review.created', { title: 'Größe 🎈 漢字', body: 'line\nbreak \u0000' })
const text = JSON.stringify(event)
const bytes = Buffer.from(text)
const at = new Date('2026-03-01T12:00:00Z')
const now = () => at.getTime()

function signed(secrets: readonly string[] = [secret], body: string = text): Record<string, string> {
  return signatureHeaders({ secrets, eventId: event.event_id, body: Buffer.from(body), at })
}

function codeOf(code: ReceiverErrorCode, status: number) {
  return (error: unknown) => {
    assert.ok(error instanceof ReceiverError, String(error))
    assert.deepEqual([error.code, error.status], [code, status], error.message)
    for (const each of [secret, oldSecret, unknownSecret]) assert.ok(!error.message.includes(each))
    return true
  }
}

test('a request of the service is verified with every type of raw body', async () => {
  const padded = Buffer.from(` ${text} `).subarray(1, -1)
  const buffer = new Uint8Array(bytes).buffer
  for (const body of [text, bytes, padded, new Uint8Array(bytes), buffer]) {
    assert.deepEqual(await verify(body, signed(), { secret, now }), event)
  }
})

test('verification accepts headers of fetch, of Node and of gateways that keep the case of names', async () => {
  const upper = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value] as const)
  const lists = Object.entries(signed()).map(([name, value]) => [name, [value]] as const)
  for (const headers of [new Headers(signed()), Object.fromEntries(upper), Object.fromEntries(lists)]) {
    assert.deepEqual(await verify(bytes, headers, { secret, now }), event)
  }
})

test('during a rotation, the old and the new secret verify, alone or together', async () => {
  const rotated = signed([secret, oldSecret])
  for (const options of [{ secret }, { secret: oldSecret }, { secrets: [unknownSecret, oldSecret] }]) {
    assert.deepEqual(await verify(bytes, rotated, { ...options, now }), event)
  }
  assert.deepEqual(await verify(bytes, signed([oldSecret]), { secrets: [secret, oldSecret], now }), event)
})

test('x-radar-signature is checked on request, without the time', async () => {
  const { 'x-radar-signature': signature = '' } = signed()
  const headers = { 'x-radar-signature': signature }
  assert.deepEqual(await verify(bytes, headers, { secret, scheme: 'radar' }), event)
  const options = { secrets: [unknownSecret], scheme: 'radar' } as const
  await assert.rejects(verify(bytes, headers, options), codeOf('signature_mismatch', 401))
  await assert.rejects(verify(bytes, {}, { secret, scheme: 'radar' }), codeOf('missing_header', 401))
  const upper = { 'x-radar-signature': signature.toUpperCase() }
  await assert.rejects(verify(bytes, upper, { secret, scheme: 'radar' }), codeOf('malformed_header', 401))
})

const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name))
const REJECTED: readonly [
  string,
  ReceiverErrorCode,
  RawBody,
  Record<string, string>,
  Partial<VerifyOptions>?,
][] = [
  ['no id', 'missing_header', bytes, without('webhook-id')],
  ['no timestamp', 'missing_header', bytes, without('webhook-timestamp')],
  ['no signature', 'missing_header', bytes, without('webhook-signature')],
  ['an empty signature', 'missing_header', bytes, { ...signed(), 'webhook-signature': '' }],
  ['another version', 'malformed_header', bytes, { ...signed(), 'webhook-signature': 'v2,AAAA' }],
  ['invalid base64', 'malformed_header', bytes, { ...signed(), 'webhook-signature': 'v1,%%%' }],
  [
    'a timestamp that is not a number',
    'malformed_header',
    bytes,
    { ...signed(), 'webhook-timestamp': '1e9' },
  ],
  ['another body', 'signature_mismatch', Buffer.from(`${text} `), signed()],
  ['re-serialized JSON', 'signature_mismatch', JSON.stringify(JSON.parse(text), null, 1), signed()],
  ['another id', 'signature_mismatch', bytes, { ...signed(), 'webhook-id': 'other' }],
  ['another time', 'signature_mismatch', bytes, { ...signed(), 'webhook-timestamp': '1767225600' }],
  ['another secret', 'signature_mismatch', bytes, signed([unknownSecret])],
  ['a shorter signature', 'signature_mismatch', bytes, { ...signed(), 'webhook-signature': 'v1,AAAA' }],
  ['a replayed request', 'timestamp_too_old', bytes, signed(), { now: () => at.getTime() + 301_000 }],
  ['a clock that is behind', 'timestamp_too_new', bytes, signed(), { now: () => at.getTime() - 301_000 }],
]
for (const [what, code, body, headers, options] of REJECTED) {
  test(`verification rejects ${what}`, async () => {
    await assert.rejects(
      verify(body, headers, { secret, now, ...options } as VerifyOptions),
      codeOf(code, 401),
    )
  })
}

test('the tolerance is in seconds, and Infinity turns the check of the time off', async () => {
  const later = (seconds: number) => () => at.getTime() + seconds * 1_000
  for (const [toleranceS, seconds] of [
    [undefined, 300],
    [10, 10],
    [0, 0],
    [Number.POSITIVE_INFINITY, 1e9],
  ] as const) {
    await verifySignature(bytes, signed(), { secret, toleranceS, now: later(seconds) })
  }
  const beyond = { secret, toleranceS: 10, now: later(11) }
  await assert.rejects(verifySignature(bytes, signed(), beyond), codeOf('timestamp_too_old', 401))
  for (const toleranceS of [-1, Number.NaN]) {
    await assert.rejects(verify(bytes, signed(), { secret, toleranceS }), codeOf('invalid_option', 500))
  }
})

test('verification rejects signed bodies that are not events of this version, with specific codes', async () => {
  const other = (change: object) => JSON.stringify({ ...event, ...change })
  for (const [body, code] of [
    ['[]', 'invalid_json'],
    ['', 'invalid_json'],
    ['{', 'invalid_json'],
    [other({ event_type: 'alert.test' }), 'unknown_event_type'],
    [other({ event_type: undefined }), 'unknown_event_type'],
    [other({ schema_version: 3 }), 'unknown_schema_version'],
  ] as const) {
    await assert.rejects(verify(body, signed([secret], body), { secret, now }), codeOf(code, 400))
    await verifySignature(body, signed([secret], body), { secret, now })
  }
  assert.deepEqual(
    await verify(other({ later: 1 }), signed([secret], other({ later: 1 })), { secret, now }),
    {
      ...event,
      later: 1,
    },
  )
})

test('a misconfigured receiver has other error codes than an invalid request', async () => {
  const missing = process.env.NO_SUCH_SECRET as string
  for (const options of [
    { secret: missing },
    { secrets: [] },
    { secret: '' },
    { secret: `${secret}\n` },
    { secret: 'rsk_abc' },
  ]) {
    for (const scheme of ['standard', 'radar'] as const) {
      await assert.rejects(
        verify(bytes, signed(), { ...options, scheme, now }),
        codeOf('invalid_secret', 500),
      )
    }
  }
  for (const parsed of [event, undefined, null]) {
    await assert.rejects(verify(parsed as never, signed(), { secret, now }), codeOf('body_not_raw', 500))
  }
})

test('verification compares only the first ten signatures of a header', async () => {
  const { 'webhook-signature': good = '' } = signed()
  const many = (count: number) => [...Array<string>(count).fill(`v1,${'A'.repeat(43)}=`), good].join(' ')
  await verify(bytes, { ...signed(), 'webhook-signature': many(9) }, { secret, now })
  const tooMany = { ...signed(), 'webhook-signature': many(10) }
  await assert.rejects(verify(bytes, tooMany, { secret, now }), codeOf('signature_mismatch', 401))
})
