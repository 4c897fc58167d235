import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { LOCAL, openLocal, send, serve } from '../../../test/support/local-egress.ts'
import { createGuard } from './guard.ts'

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

test('a request is sent unchanged, without compression, with the user agent', async () => {
  const seen: { request: IncomingMessage; body: string }[] = []
  await using server = await serve(async (request, response) => {
    seen.push({ request, body: await bodyOf(request) })
    response.setHeader('X-Twice', ['a', 'b']).end('fine')
  })
  await using egress = openLocal()
  const answer = await send(egress, `${server.url}?a=1&b=%20#part`, { body: '{"a":"\u00e9"}' })
  assert.equal(answer.kind, 'answered')
  if (answer.kind !== 'answered') return
  assert.equal(answer.status, 200)
  assert.equal(answer.body.toString(), 'fine')
  assert.equal(answer.headers['x-twice'], 'a, b')
  assert.equal(answer.truncated, false)
  assert.equal(answer.remoteAddress, '127.0.0.1')
  assert.equal(seen[0]?.request.method, 'POST')
  assert.equal(seen[0]?.request.url, '/hook?a=1&b=%20')
  assert.equal(seen[0]?.body, '{"a":"\u00e9"}')
  assert.equal(seen[0]?.request.headers['accept-encoding'], 'identity')
  assert.equal(seen[0]?.request.headers['user-agent'], 'Test/1')
  assert.equal(seen[0]?.request.headers['content-length'], '10')
  assert.equal(seen[0]?.request.httpVersion, '1.1')
})

test('a GET has no body, and the caller may set the user agent', async () => {
  await using server = await serve((request, response) => {
    response.end(`${request.method} ${request.headers['user-agent']} ${request.headers['content-length']}`)
  })
  await using egress = openLocal()
  const answer = await send(egress, server.url, {
    method: 'GET',
    body: undefined,
    headers: { 'user-agent': 'Mine/2' },
  })
  assert.equal(answer.kind === 'answered' && answer.body.toString(), 'GET Mine/2 undefined')
})

test('a connection is kept alive, and only its first request has connect timings', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  await using egress = openLocal({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const url = `http://kept.example:${server.port}/`
  const first = await send(egress, url)
  const second = await send(egress, url)
  assert.equal(server.connections(), 1)
  for (const phase of ['dnsMs', 'connectMs', 'firstByteMs'] as const)
    assert.equal(typeof first.timings[phase], 'number', phase)
  assert.equal(first.timings.tlsMs, null)
  assert.equal(second.timings.dnsMs, null)
  assert.equal(second.timings.connectMs, null)
  assert.equal(typeof second.timings.firstByteMs, 'number')
  assert.equal(second.remoteAddress, '127.0.0.1')
})

test('concurrent requests use separate connections and share one lookup of the name', async () => {
  let lookups = 0
  const waiting: (() => void)[] = []
  await using server = await serve((_request, response) => {
    waiting.push(() => response.end('ok'))
    if (waiting.length === 8) for (const answer of waiting) answer()
  })
  await using egress = openLocal({
    lookup: async () => {
      lookups++
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send(egress, `http://many.example:${server.port}/`)),
  )
  assert.ok(answers.every((answer) => answer.kind === 'answered'))
  assert.equal(server.connections(), 8)
  assert.equal(lookups, 1)
})

test('a body is truncated only beyond the limit', async () => {
  await using server = await serve((request, response) =>
    response.end('x'.repeat(Number(request.url?.slice(1)))),
  )
  await using egress = openLocal()
  for (const [size, truncated] of [
    [999, false],
    [1000, false],
    [1001, true],
    [5_000_000, true],
  ] as const) {
    const answer = await send(egress, `http://127.0.0.1:${server.port}/${size}`)
    assert.ok(answer.kind === 'answered')
    assert.equal(answer.body.length, Math.min(size, 1000))
    assert.equal(answer.truncated, truncated, String(size))
  }
})

test('a body in many chunks is joined', async () => {
  const text = Array.from({ length: 300 }, (_, i) => `piece ${i};`)
  await using server = await serve(async (_request, response) => {
    for (const piece of text) {
      response.write(piece)
      await setImmediate()
    }
    response.end()
  })
  await using egress = openLocal()
  const answer = await send(egress, server.url, { bodyBytesMax: 100_000 })
  assert.equal(answer.kind === 'answered' && answer.body.toString(), text.join(''))
})

test('gzip is inflated if requested, and the limit applies to the inflated bytes', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'))
  const bodies: Record<string, Buffer> = {
    '/small': gzipSync('hello'),
    '/bomb': bomb,
    '/cut': gzipSync('hello, this is cut off').subarray(0, -10),
    '/garbage': Buffer.from('not gzip'),
  }
  await using server = await serve((request, response) => {
    const body = bodies[request.url ?? '']
    if (request.headers['accept-encoding'] === 'gzip' && body) response.setHeader('content-encoding', 'gzip')
    if (request.url === '/brotli') response.setHeader('content-encoding', 'br')
    response.end(body ?? 'plain')
  })
  await using egress = openLocal()
  const get = (path: string) =>
    send(egress, `http://127.0.0.1:${server.port}${path}`, {
      method: 'GET',
      body: undefined,
      gunzip: true,
      bodyBytesMax: 100_000,
    })

  const small = await get('/small')
  assert.equal(small.kind === 'answered' && small.body.toString(), 'hello')
  const plain = await get('/plain')
  assert.equal(plain.kind === 'answered' && plain.body.toString(), 'plain')
  const large = await get('/bomb')
  assert.ok(large.kind === 'answered' && large.truncated && large.body.length === 100_000)
  assert.ok(large.body.every((byte) => byte === 97))
  for (const path of ['/cut', '/garbage', '/brotli']) {
    const broken = await get(path)
    assert.equal(broken.kind === 'failed' && broken.reason, 'invalid_response', path)
    assert.equal(broken.status, 200)
  }
})

test('a compressed body over the limit returns its readable part', async () => {
  const noise = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919 * (i + 13)) % 251))
  await using server = await serve((_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(noise, { level: 0 })),
  )
  await using egress = openLocal()
  const answer = await send(egress, server.url, { gunzip: true, bodyBytesMax: 10_000 })
  assert.ok(answer.kind === 'answered' && answer.truncated && answer.body.length > 9_000)
  assert.ok(answer.body.equals(noise.subarray(0, answer.body.length)))
})

test('a redirect is an answer, never followed', async () => {
  let lookups = 0
  await using server = await serve((_request, response) => {
    lookups++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await using egress = openLocal()
  const answer = await send(egress, server.url)
  assert.ok(answer.kind === 'answered')
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.location, '/elsewhere')
  assert.equal(lookups, 1)
})

test('a proxy in the environment is not used', async () => {
  let proxied = 0
  await using proxy = await serve((_request, response) => {
    proxied++
    response.end()
  })
  await using server = await serve((_request, response) => response.end('direct'))
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY']
  const before = names.map((name) => process.env[name])
  for (const name of names)
    process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`
  try {
    await using egress = openLocal()
    const answer = await send(egress, server.url)
    assert.equal(answer.kind === 'answered' && answer.body.toString(), 'direct')
    assert.equal(proxied, 0)
  } finally {
    for (const [i, name] of names.entries()) {
      const value = before[i]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('a guard blocks a literal address before any connection', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  await using unguarded = openLocal({ guard: null })
  await using guarded = openLocal({ guard: createGuard({ allowCidrs: [] }) })
  assert.equal((await send(unguarded, server.url)).kind, 'answered')
  const before = server.connections()
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    '0',
  ]) {
    const answer = await send(guarded, `http://${host}:${server.port}/`)
    assert.equal(answer.kind === 'failed' && answer.reason, 'blocked_address', host)
    assert.equal(answer.remoteAddress, null)
    assert.doesNotMatch(
      answer.kind === 'failed' ? answer.detail : '',
      /127|::|0\.0/,
      'reveals nothing about the address',
    )
  }
  assert.equal(server.connections(), before)
})

test('a connection uses only addresses that the guard checked', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  const checked: string[] = []
  await using egress = openLocal({
    guard: (address) => {
      checked.push(address)
      return LOCAL(address)
    },
    // A second lookup would return another address.
    lookup: async () => [{ address: checked.length === 0 ? '127.0.0.1' : '127.9.9.9', family: 4 }],
  })
  const answer = await send(egress, `http://twice.example:${server.port}/`)
  assert.equal(answer.remoteAddress, '127.0.0.1')
  assert.deepEqual(checked, ['127.0.0.1'])
})

test('after a refused connection the next address of the name is tried', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  await using egress = openLocal({
    lookup: async () => [
      { address: '127.0.0.77', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })
  const answer = await send(egress, `http://two.example:${server.port}/`)
  assert.equal(answer.kind === 'answered' && answer.remoteAddress, '127.0.0.1')
})

test('an address that answers slowly is not given up for one that refuses', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  await using egress = openLocal({
    lookup: async () => {
      // The process stalls once it has begun to connect. So it sees the answer, as from a far network, when Node's default of 250 ms is
      // over.
      const stallAfter = (ticks: number) => {
        if (ticks > 0) process.nextTick(stallAfter, ticks - 1)
        else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      }
      stallAfter(100)
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.77', family: 4 },
      ]
    },
  })
  const answer = await send(egress, `http://far.example:${server.port}/`)
  assert.equal(answer.kind === 'answered' && answer.remoteAddress, '127.0.0.1')
})

test('an invalid request is a failure value, not an exception', async () => {
  await using egress = openLocal()
  const urls = [
    'nonsense',
    '/path',
    'ftp://example.com/',
    'http://user@127.0.0.1/',
    'http://127.0.0.1:0/',
    'http://',
  ]
  for (const url of urls) {
    const answer = await send(egress, url)
    assert.equal(answer.kind === 'failed' && answer.reason, 'invalid_request', url)
  }
  const bad: Record<string, string>[] = [
    { 'x-a': 'a\r\nhost: evil' },
    { 'bad name': 'x' },
    { 'x-a': '\u{1f986}' },
    { 'transfer-encoding': 'chunked' },
  ]
  for (const headers of bad) {
    const answer = await send(egress, 'http://127.0.0.1:1/', { headers })
    assert.equal(answer.kind === 'failed' && answer.reason, 'invalid_request', JSON.stringify(headers))
  }
})

test('an exception while connecting fails that request, not the process', async () => {
  await using egress = openLocal({
    guard: () => {
      throw new Error('broken guard')
    },
  })
  const answer = await send(egress, 'http://127.0.0.1:1/')
  assert.equal(answer.kind === 'failed' && answer.reason, 'connect_failed')
})
