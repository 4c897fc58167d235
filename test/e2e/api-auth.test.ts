import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestService } from '../support/service.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())
const alice = await radar.person('Alice')

const ENDPOINTS = [
  ['POST', '/api/v1/hooks'],
  ['GET', '/api/v1/hooks'],
  ['GET', '/api/v1/hooks/api-1'],
  ['DELETE', '/api/v1/hooks/api-1'],
  ['POST', '/api/v1/hooks/api-1/test'],
  ['GET', '/api/v1/apps'],
  ['GET', '/api/v1/sample'],
  ['GET', '/api/v1/me'],
] as const

test('a token is accepted as Authorization: Bearer and as X-API-Key', async () => {
  for (const headers of [
    { authorization: `Bearer ${alice.token}` },
    { authorization: `bearer ${alice.token}` },
    { 'x-api-key': alice.token },
    { authorization: 'Basic eDp5', 'x-api-key': alice.token },
  ]) {
    assert.equal((await radar.request('/api/v1/me', { headers })).status, 200)
  }
})

test('a token begins with rsk_', () => {
  assert.match(alice.token, /^rsk_[\w-]{43}$/)
})

test('a missing token gives 401 on every endpoint, with the error body and nothing else', async () => {
  for (const [method, path] of ENDPOINTS) {
    const answer = await radar.request(path, { method })
    assert.equal(answer.status, 401, `${method} ${path}`)
    assert.deepEqual(Object.keys(answer.json() as object), ['error'])
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
})

test('an invalid token gives 401 on every endpoint', async () => {
  const invalid = [
    '',
    'rsk_',
    'x',
    `${alice.token}x`,
    alice.token.slice(0, -1),
    alice.token.toUpperCase(),
    'rsk_'.padEnd(5_000, 'a'),
  ]
  for (const [method, path] of ENDPOINTS) {
    for (const token of invalid) {
      const answer = await radar.request(path, { method, headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 401, `${method} ${path} ${token}`)
    }
  }
  assert.equal((await radar.request('/api/v1/me', { headers: { 'x-api-key': 'nonsense' } })).status, 401)
  assert.equal((await radar.request('/api/v1/me', { headers: { authorization: alice.token } })).status, 401)
})

test('401 precedes every other error: unknown paths, wrong methods, invalid bodies, malformed URLs', async () => {
  const big = 'x'.repeat(100_000)
  const attempts: [string, RequestInit][] = [
    ['/api/v1', {}],
    ['/api/v1/', {}],
    ['/api/v1/nothing/here', {}],
    ['/api/%76%31/nothing', {}],
    ['/api/v1/%zz', {}],
    ['/api/v1/hooks', { method: 'PATCH' }],
    ['/api/v1/hooks', { method: 'OPTIONS' }],
    ['/api/v1/hooks', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['/api/v1/hooks', { method: 'POST', body: big, headers: { 'content-type': 'application/json' } }],
    ['/api/v1/hooks', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
    [`/api/v1/hooks/${'a'.repeat(600)}`, {}],
    ['/api/v1/sample?event_type=nonsense', {}],
  ]
  for (const [path, init] of attempts) {
    assert.equal(
      (await radar.request(path, init)).status,
      401,
      `${init.method ?? 'GET'} ${path.slice(0, 40)}`,
    )
  }
})

test('only the SHA-256 of a token is stored', async () => {
  const { createHash } = await import('node:crypto')
  const { readFile, readdir } = await import('node:fs/promises')
  const { join } = await import('node:path')
  const folder = radar.environment.RADAR_DATA_DIR ?? ''
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))))
  const bytes = Buffer.concat(files)
  assert.ok(!bytes.includes(alice.token))
  assert.ok(!bytes.includes(alice.token.slice('rsk_'.length)))
  assert.ok(bytes.includes(createHash('sha256').update(alice.token).digest()))
})

test('a revoked token stops working at once', async () => {
  const bob = await radar.person('Bob')
  assert.equal((await bob.client.me()).account_id, bob.accountId)
  const [token] = await radar.service.storage.accounts.listTokens(bob.accountId)
  assert.ok(token)
  await radar.service.storage.accounts.revokeToken(bob.accountId, token.id)
  await assert.rejects(bob.client.me(), { status: 401 })
})

test('a signing secret is not accepted as an API token', async () => {
  const { secret } = await alice.client.subscribe({
    target_url: 'https://example.com/',
    store: 'apple',
    app_id: '1',
    event_type: 'review.created',
  })
  for (const headers of [{ authorization: `Bearer ${secret}` }, { 'x-api-key': secret }]) {
    assert.equal((await radar.request('/api/v1/me', { headers })).status, 401)
  }
})

test('API responses forbid caching, framing and content sniffing', async () => {
  const { headers } = await radar.request('/api/v1/me', { headers: { 'x-api-key': alice.token } })
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
})
