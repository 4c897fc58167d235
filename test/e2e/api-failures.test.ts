import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { StorageUnavailable } from '../../src/storage/port/errors.ts'
import { startTestService, type TestAnswer } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())
const alice = await radar.person('Alice')
const authorized = { authorization: `Bearer ${alice.token}` }
const json = { ...authorized, 'content-type': 'application/json' }

/** Every error under /api/v1 has exactly this field, with a sentence (docs/contract.md, Requests and errors). */
function assertFailure(answer: TestAnswer, status: number, sentence: RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  const { error, ...rest } = answer.json() as { error: string }
  assert.deepEqual(rest, {})
  assert.match(error, sentence)
}

test('an unknown path gives 404', async () => {
  for (const path of [
    '/api/v1',
    '/api/v1/',
    '/api/v1/hook',
    '/api/v1/hooks/a/b',
    '/api/v1/apps/1',
    // Outside /api the console is served, and its router shows "not found".
    '/api/v2/hooks',
  ]) {
    assertFailure(await radar.request(path, { headers: authorized }), 404, /^There is nothing/)
  }
})

test('a wrong method gives 405 with the allowed methods', async () => {
  const wrong: [string, string, string][] = [
    ['PUT', '/api/v1/hooks', 'POST, GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/hooks', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/api/v1/hooks/api-1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['PUT', '/api/v1/hooks/api-1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['GET', '/api/v1/hooks/api-1/test', 'POST, OPTIONS'],
    ['POST', '/api/v1/apps', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/sample', 'GET, HEAD, OPTIONS'],
    // No review has the fingerprint "count".
    ['DELETE', '/api/v1/reviews/count', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
  ]
  for (const [method, path, allow] of wrong) {
    const answer = await radar.request(path, { method, headers: authorized })
    assertFailure(answer, 405, new RegExp(`^${method} is not allowed here`))
    assert.equal(answer.headers.get('allow'), allow)
  }
})

test('OPTIONS lists the allowed methods, and HEAD responds like GET without a body', async () => {
  const options = await radar.request('/api/v1/hooks', { method: 'OPTIONS', headers: authorized })
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('allow'), 'POST, GET, HEAD, OPTIONS')
  const head = await radar.request('/api/v1/hooks', { method: 'HEAD', headers: authorized })
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('a body that is not JSON gives 400', async () => {
  for (const body of ['{', '{"store": NaN}', "{'store': 'apple'}", 'null x', '\u0000']) {
    const answer = await radar.request('/api/v1/hooks', { method: 'POST', headers: json, body })
    assertFailure(answer, 400, /^The body is not valid JSON/)
  }
  const broken = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  assertFailure(
    await radar.request('/api/v1/hooks', { method: 'POST', headers: json, body: broken }),
    400,
    /not UTF-8/,
  )
  assertFailure(
    await radar.request('/api/v1/hooks', { method: 'POST', headers: authorized }),
    400,
    /^A JSON object/,
  )
})

test('a body over 64 KiB gives 413, and one of 64 KiB is accepted', async () => {
  const padded = (bytes: number) => `{"x":"${'a'.repeat(bytes - 8)}"}`
  const fits = await radar.request('/api/v1/hooks', { method: 'POST', headers: json, body: padded(65_536) })
  assertFailure(fits, 400, /target_url is required/)
  const big = await radar.request('/api/v1/hooks', { method: 'POST', headers: json, body: padded(65_537) })
  assertFailure(big, 413, /at most 65536 bytes/)
})

test('a body of another content type gives 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonx',
    'x',
  ]) {
    const headers = { ...authorized, 'content-type': type }
    const answer = await radar.request('/api/v1/hooks', { method: 'POST', headers, body: '{}' })
    assertFailure(answer, 415, /application\/json/)
  }
  for (const type of ['application/json', 'Application/JSON; charset=UTF-8']) {
    const headers = { ...authorized, 'content-type': type }
    const answer = await radar.request('/api/v1/hooks', { method: 'POST', headers, body: '{}' })
    assertFailure(answer, 400, /target_url is required/)
  }
})

test('a path that is not a valid URL gives 400', async () => {
  assertFailure(await radar.request('/api/v1/hooks/%zz', { headers: authorized }), 400, /two hex digits/)
})

test('a request that is not HTTP gets the same error body', async () => {
  const { port } = new URL(radar.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end('this is not HTTP\r\n\r\n')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 400 /)
  assert.match(text, /\r\n\r\n\{"error":"This is not a valid HTTP request\."\}$/)
})

test('an internal error gives 500 without its text; an unavailable database gives 503 with Retry-After', async () => {
  const logged: unknown[] = []
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (_: string, fields?: object) => logged.push(fields),
  }
  await using broken = await startTestService({}, { log })
  const bob = await broken.person('Bob')
  const headers = { 'x-api-key': bob.token }
  const { hooks } = broken.service.storage as { hooks: { list: unknown } }

  hooks.list = async () => {
    throw new Error('select secret from hooks: no such column')
  }
  const failed = await broken.request('/api/v1/hooks', { headers })
  assertFailure(failed, 500, /^Internal error. The log has the details under req-/)
  assert.ok(!failed.text.includes('select'))
  assert.match(String((logged[0] as { error: Error }).error), /no such column/)

  hooks.list = async () => {
    throw new StorageUnavailable('postgres://radar:hunter2@db is gone')
  }
  const unavailable = await broken.request('/api/v1/hooks', { headers })
  assertFailure(unavailable, 503, /^The database does not respond/)
  assert.ok(!unavailable.text.includes('hunter2'))
  assert.match(unavailable.headers.get('retry-after') ?? '', /^\d+$/)
})

test('a field nested 6,000 levels deep gives 400', async () => {
  const deep = (open: string, close: string) => `${open.repeat(6_000)}1${close.repeat(6_000)}`
  for (const field of ['store', 'event_type', 'app_id', 'delta', 'source', 'country', 'target_url']) {
    for (const value of [deep('[', ']'), deep('{"a":', '}')]) {
      const body = `{"${field}":${value}}`
      const answer = await radar.request('/api/v1/hooks', { method: 'POST', headers: json, body })
      assertFailure(
        answer,
        400,
        new RegExp(`${field} must be .*, not a value nested more than 32 levels deep`),
      )
    }
  }
})

test('an unknown field is ignored at any depth', async () => {
  const body = JSON.stringify({
    target_url: 'https://example.com/hook',
    store: 'apple',
    app_id: '1',
    event_type: 'review.created',
  }).replace(/}$/, `,"more":${'['.repeat(6_000)}${']'.repeat(6_000)}}`)
  const answer = await radar.request('/api/v1/hooks', { method: 'POST', headers: json, body })
  assert.equal(answer.status, 200, answer.text)
})

test('a client that leaves during its upload is a debug line, not an error', async () => {
  const lines: string[] = []
  const at = (level: string) => (event: string) => void lines.push(`${level} ${event}`)
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  await using running = await startTestService({}, { log })
  const bob = await running.person('Bob')
  const { hostname, port } = new URL(running.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [
    'POST /api/v1/imports/reviews HTTP/1.1',
    'host: radar',
    `authorization: Bearer ${bob.token}`,
    'content-type: text/csv',
    'content-length: 1000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\nstore,app_id`, () => socket.destroySoon())
  await until('the service logs it', async () => lines.some((line) => line.includes('api.client_left')))
  assert.ok(lines.includes('debug api.client_left'))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('error')),
    [],
  )
})
