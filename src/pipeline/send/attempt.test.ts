import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openLocal, serve } from '../../../test/support/local-egress.ts'
import { INBOX_TARGET, PULL_TARGET } from '../../model/inbox.ts'
import { newSecret } from '../../model/signature.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Egress } from '../../runtime/egress/egress.ts'
import { createGuard } from '../../runtime/egress/guard.ts'
import { openEgressThread } from '../../runtime/egress/thread/open.ts'
import { silentLog } from '../../runtime/log.ts'
import { attempt } from './attempt.ts'

const EVENT_ID = 'ab'.repeat(32)
const BODY = '{"event_id":"x","text":"\u{1f986} fine"}'

function make(egress: Egress, targetUrl: string, secrets: readonly string[], signal?: AbortSignal) {
  return attempt(
    { egress, clock: systemClock, userAgent: 'ReviewRadar/1.2.3' },
    { eventId: EVENT_ID, targetUrl, body: BODY, secrets, number: 3, replayId: 'rpl_1' },
    5_000,
    signal,
  )
}

const SIGNATURES = { 'x-radar-signature': '(masked)', 'webhook-signature': '(masked)' }

function pick(headers: Record<string, string>, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, headers[name]]))
}

const SIGNING_THREAD = {
  userAgent: 'Test/1',
  allowCidrs: ['127.0.0.0/8'],
  signatureModule: new URL('../../model/signature.ts', import.meta.url).href,
}

for (const [signer, open] of [
  ['the caller', openLocal],
  ['the thread of requests', () => openEgressThread(SIGNING_THREAD, silentLog)],
] as const)
  test(`the request has the stored bytes, the documented headers and both signatures, made by ${signer}`, () =>
    checkRequest(open()))

async function checkRequest(opened: Egress): Promise<void> {
  await using egress = opened
  const secrets = [newSecret(), newSecret()]
  let seen: { headers: IncomingMessage['headers']; method?: string; body: Buffer } | undefined
  await using server = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen = { headers: request.headers, method: request.method, body: Buffer.concat(chunks) }
    response.writeHead(204).end()
  })
  const { attempt: record } = await make(egress, server.url, secrets)
  assert.ok(seen)
  assert.equal(seen.method, 'POST')
  assert.deepEqual(seen.body, Buffer.from(BODY))
  assert.equal(seen.headers['content-type'], 'application/json')
  assert.equal(seen.headers['user-agent'], 'ReviewRadar/1.2.3')
  assert.equal(seen.headers['x-radar-event-id'], EVENT_ID)
  assert.match(String(seen.headers['x-radar-signature']), /^sha256=[0-9a-f]{64}$/)
  const received: Record<string, string> = {}
  for (const [name, value] of Object.entries(seen.headers)) received[name] = String(value)
  for (const secret of secrets) new Webhook(secret).verify(seen.body, received)
  assert.deepEqual(
    { ...record.requestHeaders, ...SIGNATURES },
    { ...pick(received, Object.keys(record.requestHeaders)), ...SIGNATURES },
  )
}

test('the record of an attempt masks the signatures', async () => {
  const secret = newSecret()
  await using server = await serve((_request, response) =>
    response.writeHead(500, { 'x-why': 'tired' }).end('oops'),
  )
  await using egress = openLocal()
  const before = new Date()
  const { attempt: record, outcome } = await make(egress, server.url, [secret])
  assert.deepEqual(outcome, { kind: 'failed', reason: 'http_status', httpStatus: 500, retryAfterMs: null })
  assert.equal(record.number, 3)
  assert.equal(record.replayId, 'rpl_1')
  assert.equal(record.url, server.url)
  assert.equal(record.httpStatus, 500)
  assert.equal(record.reason, 'http_status')
  assert.equal(record.detail, 'The target answered with HTTP 500.')
  assert.equal(record.remoteAddress, '127.0.0.1')
  assert.equal(record.responseHeaders['x-why'], 'tired')
  assert.equal(record.responseBody, 'oops')
  assert.equal(record.responseTruncated, false)
  assert.ok(record.startedAt >= before && record.timings.totalMs >= 0)
  assert.deepEqual(Object.keys(record.requestHeaders).sort(), [
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
    'x-radar-event-id',
    'x-radar-signature',
  ])
  assert.equal(record.requestHeaders['x-radar-signature'], '(masked)')
  assert.equal(record.requestHeaders['webhook-signature'], '(masked)')
  assert.ok(!JSON.stringify(record).includes(secret))
})

test('an accepted attempt has neither reason nor detail', async () => {
  await using server = await serve((_request, response) => response.writeHead(202).end())
  await using egress = openLocal()
  const { attempt: record, outcome, reconnected } = await make(egress, server.url, [newSecret()])
  assert.deepEqual(outcome, { kind: 'accepted', httpStatus: 202 })
  assert.equal(record.reason, null)
  assert.equal(record.detail, null)
  assert.equal(reconnected, false)
})

test('an interrupted attempt says nothing about the target', async () => {
  const arrived = Promise.withResolvers<void>()
  await using server = await serve(() => arrived.resolve())
  await using egress = openLocal()
  const stop = new AbortController()
  const running = make(egress, server.url, [newSecret()], stop.signal)
  await arrived.promise
  stop.abort()
  const { attempt: record, outcome } = await running
  assert.deepEqual(outcome, { kind: 'interrupted' })
  assert.equal(record.reason, 'interrupted')
  assert.equal(record.httpStatus, null)
})

test('a blocked address is reported without details of the network', async () => {
  await using egress = openLocal({ guard: createGuard({ allowCidrs: [] }) })
  for (const url of ['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://169.254.169.254/']) {
    const { attempt: record, outcome } = await make(egress, url, [newSecret()])
    assert.deepEqual(outcome, { kind: 'permanent', reason: 'blocked_address' })
    assert.match(record.detail ?? '', /private or otherwise special address/)
    assert.equal(record.remoteAddress, null)
    assert.equal(record.timings.connectMs, null)
  }
})

test('an internal error that ends the request is recorded with its own reason and returned', async () => {
  const died = new Error('the thread died')
  const throwing: Egress = {
    request: () => {
      throw died
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const rejecting: Egress = { ...throwing, request: () => Promise.reject(died) }
  for (const egress of [throwing, rejecting]) {
    const {
      attempt: record,
      outcome,
      internalError,
    } = await make(egress, 'https://example.com/', [newSecret()])
    assert.equal(internalError, died)
    assert.deepEqual(outcome, {
      kind: 'failed',
      reason: 'internal_error',
      httpStatus: null,
      retryAfterMs: null,
    })
    assert.equal(record.reason, 'internal_error')
    assert.ok(record.timings.totalMs >= 0)
    assert.equal(record.requestHeaders['x-radar-signature'], '(masked)')
  }
})

test('an event of a hook without a receiver is accepted without a request, with the headers of one', async () => {
  const egress: Egress = {
    request: () => assert.fail('a request was made'),
    [Symbol.asyncDispose]: async () => {},
  }
  const secret = newSecret()
  for (const target of [INBOX_TARGET, PULL_TARGET]) {
    const { attempt: record, outcome } = await make(egress, target, [secret])
    assert.deepEqual(outcome, { kind: 'accepted', httpStatus: null })
    assert.deepEqual([record.httpStatus, record.reason, record.remoteAddress], [null, null, null])
    assert.equal(record.requestHeaders['x-radar-event-id'], EVENT_ID)
    assert.equal(record.requestHeaders['webhook-signature'], '(masked)')
  }
})

test('the egress rejects the target of an inbox', async () => {
  await using egress = openLocal()
  const answer = await egress.request({
    method: 'POST',
    url: INBOX_TARGET,
    headers: {},
    body: BODY,
    timeoutMs: 1_000,
    bodyBytesMax: 1,
  })
  assert.equal(answer.kind === 'failed' && answer.reason, 'invalid_request')
})
