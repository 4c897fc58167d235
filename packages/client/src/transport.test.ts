import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { listen } from '../../../test/support/listen.ts'
import { createClient, type RadarError, type Retry, type WebhookEvent } from './index.ts'

/** How the client takes answers that a service in good order does not give, over real HTTP. */

type Answering = (response: ServerResponse, request: IncomingMessage) => void
const requests: { method?: string; url?: string; key?: string }[] = []
let answers: Answering[] = []
const server = createServer((request, response) => {
  const { method, url, headers } = request
  requests.push({ method, url, key: headers['idempotency-key'] as string | undefined })
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  answer?.(response, request)
})
const listening = await listen(server)
after(() => listening[Symbol.asyncDispose]())

function answerWith(...given: Answering[]): void {
  answers = given
  requests.length = 0
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const reset: Answering = (response) => response.destroy()
const silent: Answering = () => {}
const ok = json(200, [])
const busy = (after: string) =>
  json(503, { error: 'The database does not answer now.' }, { 'retry-after': after })

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

test('a read is sent again after a lost connection', async () => {
  answerWith(reset, ok)
  assert.deepEqual(await client().listHooks(), [])
  assert.deepEqual([requests.length, retries[0]?.error.code], [2, 'unreachable'])
})

test('waits as long as Retry-After says', async () => {
  answerWith(busy('1'), ok)
  const startedAt = performance.now()
  await client().listHooks()
  // Timers may fire a little early.
  assert.ok(performance.now() - startedAt >= 995)
  assert.deepEqual(
    retries.map(({ waitMs, error }) => [waitMs, error.code, error.status]),
    [[1_000, 'unavailable', 503]],
  )
})

test('leaves a wait of more than a minute to its caller', async () => {
  answerWith(busy('61'))
  await assert.rejects(client().listHooks(), { code: 'unavailable', retryAfterMs: 61_000 })
  assert.equal(requests.length, 1)
})

test('subscribe is sent again with the same idempotency key, each call with its own', async () => {
  const hook = { id: 'api-1', secret: 'whsec_' }
  answerWith(reset, json(200, hook))
  assert.deepEqual(await client().subscribe(HOOK), hook)
  const [one, again] = requests.map(({ key }) => key)
  assert.ok(one !== undefined && one === again)
  answerWith(json(200, hook))
  await client().subscribe(HOOK)
  assert.notEqual(requests[0]?.key, one)
})

test('what might be done twice is not sent again, unless it was refused before', async () => {
  answerWith(reset)
  await assert.rejects(client().testHook('api-1'), { code: 'unreachable', status: null })
  assert.equal(requests.length, 1)
  answerWith(busy('0'))
  await assert.rejects(client().replayDeadLetters(['a']), { code: 'unavailable' })
  assert.equal(requests.length, 1)
  answerWith(json(429, { error: 'Too often.' }, { 'retry-after': '0' }), json(200, { accepted: true }))
  assert.deepEqual(await client().testHook('api-1'), { accepted: true })
})

test('gives up after the retries, and sends nothing again with none', async () => {
  answerWith(busy('0'))
  await assert.rejects(client().me(), { code: 'unavailable' })
  assert.equal(requests.length, 3)
  answerWith(busy('0'))
  await assert.rejects(client({ retries: 0 }).me(), { code: 'unavailable' })
  assert.equal(requests.length, 1)
})

test('an answer that does not come in time is an error', async () => {
  answerWith(silent)
  await assert.rejects(client({ timeoutMs: 50, retries: 0 }).me(), { code: 'timed_out', status: null })
  answerWith((response) => response.writeHead(200).write('{'))
  await assert.rejects(client({ timeoutMs: 50, retries: 0 }).me(), { code: 'timed_out' })
})

test('a signal ends a call with its own reason', async () => {
  answerWith(silent)
  const leave = new AbortController()
  const calling = client().me({ signal: leave.signal })
  leave.abort(new Error('enough'))
  await assert.rejects(calling, /enough/)
})

test('a response from another program has its own error code', async () => {
  answerWith((response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'))
  await assert.rejects(client().me(), { code: 'unexpected_answer', status: 404 })
  answerWith((response) => response.writeHead(302, { location: '/login' }).end())
  await assert.rejects(client().me(), { code: 'unexpected_answer', status: 302 })
  answerWith((response) => response.writeHead(502).end('Bad gateway'))
  await assert.rejects(client({ retries: 0 }).me(), { code: 'unavailable', status: 502 })
  answerWith((response) => response.writeHead(200).end('<h1>Welcome</h1>'))
  await assert.rejects(client().me(), { code: 'unexpected_answer', status: 200 })
})

test('an export that breaks off is not taken for a whole one', async () => {
  answerWith((response) => {
    response.writeHead(200)
    response.write('{"review_id":"1"}\n', () => response.destroy())
  })
  const rows: unknown[] = []
  const reading = async () => {
    for await (const row of client().exportReviews()) rows.push(row.review_id)
  }
  await assert.rejects(
    reading(),
    (error: RadarError) => error.code === 'unreachable' && /part/.test(error.message),
  )
  assert.deepEqual(rows, ['1'])
})

test('an export may take longer than one answer', async () => {
  answerWith((response) => {
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

test('a stream of events goes on after the service was away, from where it was', async () => {
  answerWith(
    page(['a', 'b'], '2'),
    reset,
    busy('0'),
    json(500, { error: 'Internal error.' }, { 'retry-after': '0' }),
    page(['c'], '3'),
    silent,
  )
  const cursors: string[] = []
  const failures: string[] = []
  const leave = new AbortController()
  const seen: string[] = []
  const stream = client().events({
    after: '0',
    signal: leave.signal,
    onCursor: (cursor) => cursors.push(cursor),
    onRetry: ({ error }) => failures.push(error.code),
  })
  for await (const event of stream as AsyncIterable<WebhookEvent>) {
    seen.push(event.event_id)
    // A cursor is stored only when the events before it were handled.
    if (event.event_id === 'b') assert.deepEqual(cursors, [])
    if (event.event_id === 'c') setImmediate(() => leave.abort())
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

test('a stream that ends early has stored nothing of what was not handled', async () => {
  answerWith(page(['a', 'b'], '2'))
  const stream = client().events({ after: '0', onCursor: assert.fail })
  for await (const _event of stream) break
  assert.equal(stream.cursor, '0')
})
