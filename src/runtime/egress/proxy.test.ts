import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { listen } from '../../../test/support/listen.ts'
import { openLocal, send, serve } from '../../../test/support/local-egress.ts'
import { createGuard } from './guard.ts'

/** A public address that no test connects to: the proxy connects to a local server instead. */
const PUBLIC = '93.184.215.14'
const STRICT = createGuard({ allowCidrs: [] })

/** A real proxy that connects every tunnel to `port`, and records what it was asked for. */
async function startProxy(port: number, refuse: (path: string) => number = () => 0) {
  const asked: { path: string; authorization: string | undefined }[] = []
  const server = createServer((_request, response) => response.writeHead(400).end())
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push({ path: url, authorization: headers['proxy-authorization'] })
    const status = refuse(url)
    if (status !== 0) return void socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`)
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(upstream).pipe(socket)
    })
    for (const each of [socket, upstream])
      each.on('error', () => [socket, upstream].map((one) => one.destroy()))
  })
  const listening = await listen(server)
  return {
    url: listening.url,
    port: listening.port,
    asked,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

test('a request to a public target goes through the proxy to its checked address, and the connection is kept', async () => {
  await using server = await serve((request, response) => response.end(`${request.headers.host}`))
  await using proxy = await startProxy(server.port)
  const resolved: string[] = []
  const lookup = async (name: string) => {
    resolved.push(name)
    return [{ address: PUBLIC, family: 4 }]
  }
  const url = `http://user:p%40ss@127.0.0.1:${proxy.port}`
  await using egress = openLocal({ guard: STRICT, proxy: url, lookup })
  for (const _ of [1, 2]) {
    const answer = await send(egress, 'http://target.example:8080/hook')
    assert.equal(answer.kind === 'answered' && answer.body.toString(), 'target.example:8080')
    assert.equal(answer.remoteAddress, PUBLIC)
  }
  assert.deepEqual(resolved, ['target.example'])
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
  assert.deepEqual(proxy.asked, [{ path: `${PUBLIC}:8080`, authorization }])
})

test('the guard refuses a private target before the proxy is asked', async () => {
  await using server = await serve((_request, response) => response.end())
  await using proxy = await startProxy(server.port)
  await using egress = openLocal({
    guard: STRICT,
    proxy: proxy.url,
    lookup: async () => [{ address: '10.0.0.1', family: 4 }],
  })
  for (const url of [
    'http://internal.example/',
    'http://169.254.169.254/',
    'http://127.0.0.1/',
    'http://[::1]/',
  ]) {
    const answer = await send(egress, url)
    assert.equal(answer.kind === 'failed' && answer.reason, 'blocked_address', url)
  }
  assert.deepEqual(proxy.asked, [])
})

test('the proxy resolves a name that does not resolve here if it may, and no other', async () => {
  await using server = await serve((_request, response) => response.end('beyond'))
  await using proxy = await startProxy(server.port)
  await using egress = openLocal({
    guard: STRICT,
    proxy: proxy.url,
    proxyNames: ['hooks.example', '*.chat.example'],
    lookup: async () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })),
  })
  for (const name of ['hooks.example', 'HOOKS.example.', 'a.b.chat.example']) {
    const answer = await send(egress, `http://${name}/`)
    assert.equal(answer.kind === 'answered' && answer.body.toString(), 'beyond', name)
  }
  for (const name of ['other.example', 'chat.example', 'hooks.example.evil.example', 'evilhooks.example']) {
    const answer = await send(egress, `http://${name}/`)
    assert.equal(answer.kind === 'failed' && answer.reason, 'dns', name)
  }
  assert.deepEqual(
    proxy.asked.map(({ path }) => path),
    ['hooks.example:80', 'hooks.example.:80', 'a.b.chat.example:80'],
  )
})

test('the guard checks a name that resolves here, also one that the proxy may resolve', async () => {
  await using proxy = await startProxy(1)
  await using egress = openLocal({
    guard: STRICT,
    proxy: proxy.url,
    proxyNames: ['hooks.example'],
    lookup: async () => [{ address: '10.0.0.1', family: 4 }],
  })
  const answer = await send(egress, 'http://hooks.example/')
  assert.equal(answer.kind === 'failed' && answer.reason, 'blocked_address')
  assert.deepEqual(proxy.asked, [])
})

test('a private address that is allowed is connected directly', async () => {
  await using server = await serve((_request, response) => response.end('direct'))
  await using proxy = await startProxy(1)
  await using egress = openLocal({ proxy: proxy.url })
  const answer = await send(egress, server.url)
  assert.equal(answer.kind === 'answered' && answer.body.toString(), 'direct')
  assert.deepEqual(proxy.asked, [])
})

test('without a guard the proxy resolves the name, and localhost is connected directly', async () => {
  await using server = await serve((_request, response) => response.end('store'))
  await using proxy = await startProxy(server.port)
  await using egress = openLocal({
    guard: null,
    proxy: proxy.url,
    lookup: async (name) => {
      assert.equal(name, 'localhost')
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  for (const url of ['http://store.example/', `http://localhost:${server.port}/`]) {
    const answer = await send(egress, url)
    assert.equal(answer.kind === 'answered' && answer.body.toString(), 'store', url)
  }
  assert.deepEqual(
    proxy.asked.map(({ path }) => path),
    ['store.example:80'],
  )
})

test('the next address is tried when the proxy refuses one, and its refusal is the reason when it refuses all', async () => {
  await using server = await serve((_request, response) => response.end('fine'))
  await using proxy = await startProxy(server.port, (path) => (path.startsWith(PUBLIC) ? 0 : 403))
  const addresses = [
    { address: '2606:2800:21f::1', family: 6 },
    { address: PUBLIC, family: 4 },
  ]
  await using egress = openLocal({ guard: STRICT, proxy: proxy.url, lookup: async () => addresses })
  assert.equal((await send(egress, 'http://a.example/')).kind, 'answered')
  assert.deepEqual(
    proxy.asked.map(({ path }) => path),
    ['[2606:2800:21f::1]:80', `${PUBLIC}:80`],
  )
  addresses.pop()
  const refused = await send(egress, 'http://b.example/')
  assert.ok(refused.kind === 'failed')
  assert.deepEqual(
    [refused.reason, refused.detail],
    ['connect_failed', 'The proxy of RADAR_OUTBOUND_PROXY refused the connection (HTTP 403).'],
  )
})

test('a proxy that is away, hangs or is none ends the attempt with a reason', async () => {
  const lookup = async () => [{ address: PUBLIC, family: 4 }]
  const hanging = createServer().on('connect', (_request, socket) => {
    // The socket is half open: only its destruction lets the server close.
    socket.on('end', () => socket.destroy()).on('error', () => {})
    socket.resume()
  })
  await using silent = await listen(hanging)
  await using noProxy = await listen(createServer((_request, response) => response.end('a page')))
  const cases: [string, string, RegExp][] = [
    ['http://127.0.0.1:9', 'connect_failed', /RADAR_OUTBOUND_PROXY did not answer \(ECONNREFUSED\)/],
    [noProxy.url, 'connect_failed', /RADAR_OUTBOUND_PROXY did not answer \(ECONNRESET\)/],
    [silent.url, 'timeout_connect', /After 200 ms the target did not accept/],
  ]
  for (const [proxy, reason, detail] of cases) {
    await using egress = openLocal({ guard: STRICT, proxy, lookup, connectTimeoutMs: 200 })
    const answer = await send(egress, 'https://target.example/')
    assert.ok(answer.kind === 'failed')
    assert.equal(answer.reason, reason)
    assert.match(answer.detail, detail)
  }
})

test('after the timeout of an attempt the proxy is not asked for the next address', async () => {
  const closed = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const hanging = createServer((_request, response) => response.end())
    .on('connection', (socket) => sockets.push(socket))
    .on('connect', (_request, socket) => {
      socket.on('end', () => socket.destroy()).on('error', () => {})
      socket.on('close', closed.resolve).resume()
    })
  await using proxy = await listen(hanging)
  const addresses = [
    { address: '2606:2800:21f::1', family: 6 },
    { address: PUBLIC, family: 4 },
  ]
  const lookup = async () => addresses
  await using egress = openLocal({ guard: STRICT, proxy: proxy.url, lookup, connectTimeoutMs: 200 })
  const answer = await send(egress, 'http://target.example/')
  assert.equal(answer.kind === 'failed' && answer.reason, 'timeout_connect')
  await closed.promise
  // The server accepts connections in order, so another one of the attempt would be counted before this one.
  await using direct = openLocal()
  assert.equal((await send(direct, proxy.url)).kind, 'answered')
  const connections = sockets.length
  for (const socket of sockets) socket.destroy()
  assert.equal(connections, 2)
})
