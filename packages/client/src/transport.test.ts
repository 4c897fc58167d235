import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { listen } from '../../../test/support/listen.ts'
import { createClient, type RadarError, type Retry, type WebhookEvent } from './index.ts'

/** Tests failures and unexpected responses over real HTTP. */

type Responder = (response: ServerResponse, request: IncomingMessage) => void
const requests: { method?: string; url?: string; key?: string }[] = []
let responders: Responder[] = []
const server = createServer((request, response) => {
  const { method, url, headers } = request
  requests.push({ method, url, key: headers['idempotency-key'] as string | undefined })
  const respond = responders.length > 1 ? responders.shift() : responders[0]
  respond?.(response, request)
})
const listening = await listen(server)
after(() => listening[Symbol.asyncDispose]())

function respondWith(...next: Responder[]): void {
  responders = next
  requests.length = 0
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const reset: Responder = (response) => response.destroy()
const silent: Responder = () => {}
const ok = json(200, [])
const busy = (after: string) =>
  json(503, { error: 'The database does not respond.' }, { 'retry-after': after })

const retries: Retry[] = []
function client(options: { retries?: number; timeoutMs?: number } = {}) {
  retries.length = 0
  return createClient({
    baseUrl: listening.url,
    token: 'rsk_x',
    onRetry: (retry) => retries.push(retry),
    ...options,
  })
}
const HOOK = {
  target_url: 'https://example.com/',
  store: 'apple',
  app_id: '1',
  event_type: 'review.created',
} as const

test('the client retries a read after a lost connection', async () => {
  respondWith(reset, ok)
  assert.deepEqual(await client().listHooks(), [])
  assert.deepEqual([requests.length, retries[0]?.error.code], [2, 'unreachable'])
})

test('the client waits for Retry-After', async () => {
  respondWith(busy('1'), ok)
  const startedAt = performance.now()
  await client().listHooks()
  // Timers may fire a little early.
  assert.ok(performance.now() - startedAt >= 995)
  assert.deepEqual(
    retries.map(({ waitMs, error }) => [waitMs, error.code, error.status]),
    [[1_000, 'unavailable', 503]],
  )
})

test('the client does not retry if Retry-After is more than a minute', async () => {
  respondWith(busy('61'))
  await assert.rejects(client().listHooks(), { code: 'unavailable', retryAfterMs: 61_000 })
  assert.equal(requests.length, 1)
})

test('the client retries subscribe with the same idempotency key, and uses a new key per call', async () => {
  const hook = { id: 'api-1', secret: 'whsec_' }
  respondWith(reset, json(200, hook))
  assert.deepEqual(await client().subscribe(HOOK), hook)
  const [one, again] = requests.map(({ key }) => key)
  assert.ok(one !== undefined && one === again)
  respondWith(json(200, hook))
  await client().subscribe(HOOK)
  assert.notEqual(requests[0]?.key, one)
})

test('the client retries a call that is not idempotent only after 429', async () => {
  respondWith(reset)
  await assert.rejects(client().testHook('api-1'), { code: 'unreachable', status: null })
  assert.equal(requests.length, 1)
  respondWith(busy('0'))
  await assert.rejects(client().replayDeadLetters(['a']), { code: 'unavailable' })
  assert.equal(requests.length, 1)
  respondWith(json(429, { error: 'Too often.' }, { 'retry-after': '0' }), json(200, { accepted: true }))
  assert.deepEqual(await client().testHook('api-1'), { accepted: true })
})

test('the client rejects after the last retry, and at once without retries', async () => {
  respondWith(busy('0'))
  await assert.rejects(client().me(), { code: 'unavailable' })
  assert.equal(requests.length, 3)
  respondWith(busy('0'))
  await assert.rejects(client({ retries: 0 }).me(), { code: 'unavailable' })
  assert.equal(requests.length, 1)
})

test('the client rejects with timed_out if there is no complete response in time', async () => {
  respondWith(silent)
  await assert.rejects(client({ timeoutMs: 50, retries: 0 }).me(), { code: 'timed_out', status: null })
  respondWith((response) => response.writeHead(200).write('{'))
  await assert.rejects(client({ timeoutMs: 50, retries: 0 }).me(), { code: 'timed_out' })
  // For events, the wait of the request is part of the limit.
  await assert.rejects(client({ timeoutMs: 50, retries: 0 }).listEvents({ wait: 0.05 }), {
    message: 'No response within 100 ms.',
  })
})

test('an aborted call rejects with the reason of the signal', async () => {
  respondWith(silent)
  const controller = new AbortController()
  const calling = client().me({ signal: controller.signal })
  controller.abort(new Error('enough'))
  await assert.rejects(calling, /enough/)
})

test('a response from another program has its own error code', async () => {
  respondWith((response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
  )
  await assert.rejects(client().me(), { code: 'unexpected_answer', status: 404 })
  respondWith((response) => response.writeHead(302, { location: '/login' }).end())
  await assert.rejects(client().me(), { code: 'unexpected_answer', status: 302 })
  respondWith((response) => response.writeHead(502).end('Bad gateway'))
  await assert.rejects(client({ retries: 0 }).me(), { code: 'unavailable', status: 502 })
  respondWith((response) => response.writeHead(200).end('<h1>Welcome</h1>'))
  await assert.rejects(client().me(), { code: 'unexpected_answer', status: 200 })
})

test('an incomplete export rejects', async () => {
  respondWith((response) => {
    response.writeHead(200)
    response.write('{"review_id":"1"}\n', () => response.destroy())
  })
  const rows: unknown[] = []
  const reading = async () => {
    for await (const row of client().exportReviews()) rows.push(row.review_id)
  }
  await assert.rejects(
    reading(),
    (error: RadarError) => error.code === 'unreachable' && /incomplete/.test(error.message),
  )
  assert.deepEqual(rows, ['1'])
})

test('an export may take longer than the timeout', async () => {
  respondWith((response) => {
    response.writeHead(200)
    response.write('{"review_id":"1"}\n{"rev')
    setTimeout(() => response.end('iew_id":"2"}\n'), 150)
  })
  const rows: unknown[] = []
  for await (const row of client({ timeoutMs: 100 }).exportReviews()) rows.push(row.review_id)
  assert.deepEqual(rows, ['1', '2'])
})

const page = (ids: readonly string[], cursor: string) =>
  json(200, { data: ids.map((id) => ({ event_id: id })), next_cursor: cursor })

test('an event stream resumes at its cursor after an outage', async () => {
  respondWith(
    page(['a', 'b'], '2'),
    reset,
    busy('0'),
    json(500, { error: 'Internal error.' }, { 'retry-after': '0' }),
    page(['c'], '3'),
    silent,
  )
  const cursors: string[] = []
  const failures: string[] = []
  const controller = new AbortController()
  const seen: string[] = []
  const stream = client().events({
    after: '0',
    signal: controller.signal,
    onCursor: (cursor) => cursors.push(cursor),
    onRetry: ({ error }) => failures.push(error.code),
  })
  for await (const event of stream as AsyncIterable<WebhookEvent>) {
    seen.push(event.event_id)
    // The cursor is passed on only after all events before it were handled.
    if (event.event_id === 'b') assert.deepEqual(cursors, [])
    if (event.event_id === 'c') setImmediate(() => controller.abort())
  }
  assert.deepEqual([seen, cursors, stream.cursor], [['a', 'b', 'c'], ['2', '3'], '3'])
  assert.deepEqual(failures, ['unreachable', 'unavailable', 'internal'])
  const queries = requests.map(({ url }) => new URL(url ?? '', listening.url).searchParams)
  assert.deepEqual(
    queries.slice(0, 5).map((query) => query.get('after')),
    ['0', '2', '2', '2', '2'],
  )
  assert.ok(queries.every((query) => query.get('wait') === '30'))
})

test('an event stream does not request again before a Retry-After of months', async () => {
  respondWith(busy('99999999'), ok)
  const controller = new AbortController()
  const { signal } = controller
  const retried = Promise.withResolvers<Retry>()
  const ended = (async () => {
    for await (const _event of client().events({ signal, onRetry: retried.resolve })) assert.fail()
  })()
  assert.equal((await retried.promise).waitMs, 99_999_999_000)
  // A wait that ends at once would request in the time of these calls.
  for (let call = 0; call < 5; call += 1) await client().me()
  controller.abort()
  await ended
  assert.equal(requests.filter(({ url }) => url?.includes('/events')).length, 1)
})

test('a stream that ends early does not pass on a cursor after unhandled events', async () => {
  respondWith(page(['a', 'b'], '2'))
  const stream = client().events({ after: '0', onCursor: assert.fail })
  for await (const _event of stream) break
  assert.equal(stream.cursor, '0')
})
