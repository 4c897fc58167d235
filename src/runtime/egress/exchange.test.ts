import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Dispatcher } from 'undici'
import { openLocal, requestTo, send, serve } from '../../../test/support/local-egress.ts'
import type { EgressAnswer, EgressRequest } from './egress.ts'
import { Exchange, type Send } from './exchange.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('one timeout covers all phases, and its reason names the unfinished phase', async () => {
  const connection = { aborted: false, abort: () => {} } as unknown as Dispatcher.DispatchController
  const phases: readonly Send[] = [
    () => {},
    (exchange) => exchange.onRequestStart(connection),
    (exchange) => {
      exchange.onRequestStart(connection)
      exchange.onResponseStart(connection, 200, {})
      exchange.onResponseData(connection, Buffer.from('x'))
    },
  ]
  const request = requestTo('http://127.0.0.1/', { timeoutMs: 1 })
  const answers = phases.map((reach) => {
    const { promise, resolve } = Promise.withResolvers<EgressAnswer>()
    new Exchange(request, new URL(request.url), reach, null, resolve).start()
    return promise
  })
  assert.deepEqual(
    (await Promise.all(answers)).map((answer) => answer.kind === 'failed' && [answer.reason, answer.status]),
    [
      ['timeout_connect', null],
      ['timeout_headers', null],
      ['timeout_total', 200],
    ],
  )
})

test('connecting has a separate limit, which includes name resolution', async () => {
  await using egress = openLocal({ connectTimeoutMs: 50, lookup: () => new Promise(() => {}) })
  const answer = await send(egress, 'http://slow.example/', { timeoutMs: 60_000 })
  assert.equal(answer.kind === 'failed' && answer.reason, 'timeout_connect')
  assert.match(answer.kind === 'failed' ? answer.detail : '', /50 ms the name slow\.example was not resolved/)
})

test('a signal interrupts requests in every state, and an aborted one prevents requests', async () => {
  let arrived = 0
  const both = Promise.withResolvers<void>()
  await using server = await serve((request, response) => {
    if (request.url === '/body') response.writeHead(200, { 'content-length': '10' }).write('x')
    if (++arrived === 2) both.resolve()
  })
  const stop = new AbortController()
  await using egress = openLocal({ lookup: () => new Promise(() => {}) })
  const pending = ['http://slow.example/', server.url, `http://127.0.0.1:${server.port}/body`].map((url) =>
    send(egress, url, { signal: stop.signal }),
  )
  await both.promise
  stop.abort()
  for (const answer of await Promise.all(pending))
    assert.equal(answer.kind === 'failed' && answer.reason, 'interrupted')
  const late = await send(egress, server.url, { signal: stop.signal })
  assert.equal(late.kind === 'failed' && late.reason, 'interrupted')
  assert.equal(arrived, 2)
})

test('a signal of many requests has no reference to a finished one', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  const stop = new AbortController()
  await using egress = openLocal()
  const requests: WeakRef<EgressRequest>[] = []
  for (let i = 0; i < 20; i++) {
    const request = requestTo(server.url, { signal: stop.signal })
    requests.push(new WeakRef(request))
    assert.equal((await egress.request(request)).kind, 'answered')
    await setImmediate()
  }
  collectGarbage()
  const referenced = requests.filter((request) => request.deref() !== undefined)
  // The connection may still reference the newest one.
  assert.ok(referenced.length <= 2, `${referenced.length} of 20 are still referenced`)
  stop.abort()
  assert.equal((await send(egress, server.url)).kind, 'answered', 'requests without the signal still work')
})

test('an aborted request opens no connection', async () => {
  const answers = Array.from({ length: 2 }, () =>
    Promise.withResolvers<{ address: string; family: number }[]>(),
  )
  const lookup = async (name: string) => (await answers[name === 'late.example' ? 0 : 1]?.promise) ?? []
  await using server = await serve((_request, response) => response.end('ok'))
  await using egress = openLocal({ lookup })
  const closed = openLocal({ lookup })
  const late = await send(egress, `http://late.example:${server.port}/`, { timeoutMs: 30 })
  assert.equal(late.kind === 'failed' && late.reason, 'timeout_connect')
  const pending = send(closed, `http://closed.example:${server.port}/`)
  await closed[Symbol.asyncDispose]()
  assert.equal((await pending).kind, 'failed')
  for (const answer of answers) answer.resolve([{ address: '127.0.0.1', family: 4 }])
  await setImmediate()
  assert.equal((await send(egress, server.url)).kind, 'answered')
  assert.equal(server.connections(), 1)
})

test('closing interrupts open requests, and later ones too', async () => {
  const arrived = Promise.withResolvers<void>()
  await using server = await serve(() => arrived.resolve())
  const egress = openLocal({ lookup: () => new Promise(() => {}) })
  const pending = [send(egress, server.url), send(egress, 'http://slow.example/')]
  await arrived.promise
  await egress[Symbol.asyncDispose]()
  for (const answer of await Promise.all(pending))
    assert.equal(answer.kind === 'failed' && answer.reason, 'interrupted')
  const late = await send(egress, server.url)
  assert.equal(late.kind === 'failed' && late.reason, 'interrupted')
})

test('a keep-alive connection that closes during a request is replaced once within the request', async () => {
  const seen: number[] = []
  await using server = await serve((request, response) => {
    seen.push(seen.length + 1)
    // Request 2 uses the keep-alive connection; its repetition is request 3.
    if (seen.length === 2) request.socket.destroy()
    else response.end('ok')
  })
  await using egress = openLocal()
  const first = await send(egress, server.url)
  const second = await send(egress, server.url)
  assert.equal(first.reconnected, false)
  assert.equal(second.kind, 'answered')
  assert.equal(second.reconnected, true)
  assert.equal(typeof second.timings.connectMs, 'number')
  assert.deepEqual(seen, [1, 2, 3])
})

test('a connection that closes during its first request, or twice, is a failure', async () => {
  let count = 0
  await using server = await serve((request, response) => {
    if (++count === 1) response.end('ok')
    else request.socket.destroy()
  })
  await using egress = openLocal()
  await send(egress, server.url)
  const twice = await send(egress, server.url)
  assert.equal(twice.kind === 'failed' && twice.reason, 'reset')
  assert.equal(twice.reconnected, true)
  assert.equal(count, 3)
  const fresh = await send(egress, server.url)
  assert.equal(fresh.kind === 'failed' && fresh.reason, 'reset')
  assert.equal(fresh.reconnected, false)
  assert.equal(count, 4)
})

test('a keep-alive connection that breaks after the first byte of an answer is not replaced', async () => {
  let count = 0
  await using server = await serve((request, response) => {
    if (++count === 1) response.end('ok')
    else {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setTimeout(() => request.socket.destroy(), 20)
    }
  })
  await using egress = openLocal()
  await send(egress, server.url)
  const answer = await send(egress, server.url)
  assert.equal(answer.kind === 'failed' && answer.reason, 'reset')
  assert.equal(answer.status, 200)
  assert.equal(count, 2)
})
