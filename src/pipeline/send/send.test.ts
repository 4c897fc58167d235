import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openSender } from '../../../test/support/open-sender.ts'
import { openReceiver } from '../../../test/support/running-flow.ts'
import { until } from '../../../test/support/until.ts'
import { type Log, silentLog } from '../../runtime/log.ts'
import { enqueue } from '../../storage/conformance/queue/queue-samples.ts'
import { after, NOON } from '../../storage/conformance/samples.ts'
import { MAILS_TIMEOUT_MS } from './message/send-mails.ts'

const never = new AbortController().signal
const MINUTE_MS = 60_000
const INTERRUPTED = {
  kind: 'failed',
  reason: 'interrupted',
  detail: 'The service was stopping.',
  remoteAddress: null,
  status: null,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
} as const

test('after ten failures in a row pending deliveries use no attempt until a probe succeeds', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { count: 30, at: sender.now() })
  receiver.answer = (_, response) => response.writeHead(500).end()
  await sender.drain()
  const tried = receiver.received.length
  assert.ok(tried >= 10 && tried <= 16, `${tried} requests: ten failures, and those under way beside them`)
  assert.equal((await sender.list()).filter((delivery) => delivery.attempts === 0).length, 30 - tried)

  receiver.answer = (_, response) => response.writeHead(200).end()
  sender.move(29_000)
  await sender.drain()
  assert.equal(receiver.received.length, tried, 'no request is sent while it is open')
  sender.move(2_000)
  await sender.loop.pass(never)
  await sender.loop.finish?.()
  assert.equal(receiver.received.length, tried + 1, 'one probe')
  await sender.drain()
  assert.equal((await sender.list()).filter((delivery) => delivery.status === 'delivered').length, 30 - tried)
  const notices = await sender.storage.maintenance.notices('alice', { limit: 10 })
  assert.deepEqual(
    notices.map((notice) => notice.kind),
    ['breaker_closed', 'recovered', 'breaker_opened', 'failing'],
  )
})

test('a hook has at most eight requests under way, and a hanging hook does not block others', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hanging = await sender.addHook({ targetUrl: `${receiver.url}/hangs` })
  const healthy = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hanging], { count: 50, at: NOON })
  await enqueue(sender.storage, [healthy], { count: 20, at: after(1000) })
  sender.move(2000)
  const ofHanging = (await sender.list()).filter((one) => one.hookId === hanging.id)
  const hangs = new Set(ofHanging.map((one) => one.body))
  const held: ServerResponse[] = []
  receiver.answer = ({ body }, response) => {
    if (hangs.has(body)) held.push(response)
    else response.writeHead(200).end()
  }
  const delivered = async () => (await sender.list()).filter((one) => one.status === 'delivered').length
  await until('the other hook got its events', async () => {
    await sender.loop.pass(never)
    return (await delivered()) === 20
  })
  assert.equal(held.length, 8)
  for (const response of held) response.writeHead(200).end()
  await sender.loop.finish?.()
})

test('a hook has more requests under way when its receiver accepts them, and half as many after a 503', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender({ slots: { total: 256, perHook: 12 } })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { count: 200, at: NOON })
  const sentByPass = async () => {
    const before = receiver.received.length
    sender.move(1)
    await sender.loop.pass(never)
    await sender.loop.finish?.()
    return receiver.received.length - before
  }
  const sent: number[] = []
  while (sent.at(-1) !== 12) sent.push(await sentByPass())
  assert.deepEqual([...new Set(sent)], [8, 9, 10, 11, 12])

  const accepts = receiver.answer
  receiver.answer = (_, response) => {
    receiver.answer = accepts
    response.writeHead(503).end()
  }
  await sentByPass()
  assert.equal(await sentByPass(), 6)
})

test('a rate limit holds over time, whatever the backlog', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hook = await sender.addHook({ targetUrl: receiver.url, ratePerSecond: 5 })
  await enqueue(sender.storage, [hook], { count: 40, at: NOON })
  for (let tick = 0; tick < 100; tick += 1) {
    await sender.drain()
    sender.move(50)
  }
  const sent = receiver.received.length
  assert.ok(sent >= 24 && sent <= 27, `${sent} in five seconds`)
})

test('a loop with deliveries postponed by a rate limit idles until the next permit', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hook = await sender.addHook({ targetUrl: receiver.url, ratePerSecond: 20 })
  assert.equal(sender.loop.idleMs, 1000)
  await enqueue(sender.storage, [hook], { count: 10, at: NOON })
  await sender.drain()
  assert.equal(receiver.received.length, 4)
  assert.equal(sender.loop.idleMs, 50)
  sender.move(50)
  await sender.drain()
  assert.deepEqual([receiver.received.length, sender.loop.idleMs], [5, 50])
  sender.move(1000)
  await sender.drain()
  sender.move(1000)
  await sender.drain()
  sender.move(1000)
  assert.deepEqual([receiver.received.length, sender.loop.idleMs], [10, 1000])
})

test('a rate limit does not delay single deliveries below the rate', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hook = await sender.addHook({ targetUrl: receiver.url, ratePerSecond: 25 })
  for (let tick = 0; tick < 20; tick += 1) {
    await enqueue(sender.storage, [hook], { at: sender.now() })
    await sender.drain()
    sender.move(50)
  }
  assert.ok(receiver.received.length >= 19, `${receiver.received.length} of 20`)
})

test('an aborted request is released, due at once, and uses no attempt', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON })
  receiver.answer = () => {}
  await sender.loop.pass(never)
  await until('the request', () => receiver.received.length === 1)
  sender.abortInFlight.abort()
  await sender.loop.finish?.()
  const [delivery] = await sender.list()
  assert.deepEqual([delivery?.status, delivery?.attempts, delivery?.dueAt], ['pending', 0, NOON])
  assert.deepEqual(await sender.storage.deliveries.attempts('alice', delivery?.eventId ?? ''), [])
})

test('a delivery with an unreadable secret is not retried before its lease expires', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender({
    openSecret: () => {
      throw new Error('sealed under another key')
    },
  })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON })
  await sender.drain()
  assert.equal(receiver.received.length, 0)
  const [delivery] = await sender.list()
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
  assert.equal(await sender.loop.pass(never), 'idle')
})

test('a delivery with an internal error is logged, recorded and retried on schedule', async () => {
  await using receiver = await openReceiver()
  const logged: unknown[] = []
  let broken = true
  await using sender = await openSender({
    request: (egress) => async (request) => {
      if (broken) throw new Error('the thread died')
      return egress.request(request)
    },
    log: { ...silentLog, error: (event, fields) => void logged.push([event, fields?.event_id]) },
  })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  const [eventId = ''] = await enqueue(sender.storage, [hook], { at: NOON })
  await sender.drain()
  assert.deepEqual(logged, [['delivery.failed', eventId]])
  const [failed] = await sender.storage.deliveries.attempts('alice', eventId)
  assert.deepEqual([failed?.number, failed?.reason, failed?.httpStatus], [1, 'internal_error', null])
  broken = false
  sender.move(MINUTE_MS)
  await sender.drain()
  const [delivery] = await sender.list()
  assert.deepEqual([delivery?.status, delivery?.attempts], ['delivered', 2])
})

test('a delivery that causes an internal error each time becomes a dead letter', async () => {
  await using sender = await openSender({
    request: () => async () => {
      throw new Error('the thread died')
    },
  })
  const hook = await sender.addHook({ targetUrl: 'http://127.0.0.1:9/' })
  await enqueue(sender.storage, [hook], { at: NOON })
  for (let attempts = 0; attempts < 3; attempts++) {
    await sender.drain()
    sender.move(MINUTE_MS)
  }
  const [delivery] = await sender.list()
  assert.deepEqual([delivery?.status, delivery?.attempts], ['dead', 3])
})

test('every attempt is recorded with its result', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const hook = await sender.addHook({ targetUrl: receiver.url })
  const [eventId] = await enqueue(sender.storage, [hook], { at: NOON })
  receiver.answer = (_, response) => response.writeHead(503, { 'retry-after': '600' }).end('busy')
  await sender.drain()
  const [delivery] = await sender.list()
  assert.equal(delivery?.dueAt?.getTime(), NOON.getTime() + 600_000, 'Retry-After lengthens the wait')
  receiver.answer = (_, response) => response.writeHead(200).end('thanks')
  sender.move(600_000)
  await sender.drain()
  const attempts = await sender.storage.deliveries.attempts('alice', eventId ?? '')
  assert.deepEqual(
    attempts.map((one) => [one.number, one.httpStatus, one.reason, one.responseBody]),
    [
      [1, 503, 'http_status', 'busy'],
      [2, 200, null, 'thanks'],
    ],
  )
})

test('a slow claim is released without requests, and its deliveries are sent once later', async () => {
  await using receiver = await openReceiver()
  const warnings: unknown[] = []
  const log: Log = { ...silentLog, warn: (event, fields) => void warnings.push([event, fields]) }
  await using sender = await openSender({ claimsTakeMs: [22_501, 22_500], log })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { count: 2 })
  assert.equal(await sender.loop.pass(never), 'idle')
  assert.deepEqual(warnings, [['deliveries.claimed_late', { deliveries: 2, took_ms: 22_501 }]])
  await sender.drain()
  assert.equal(receiver.received.length, 2)
  assert.deepEqual(
    (await sender.list()).map(({ status, attempts }) => [status, attempts]),
    [
      ['delivered', 1],
      ['delivered', 1],
    ],
  )
})

test('a lease is longer than the timeout of mails, also after a slow claim', async () => {
  await using sender = await openSender({ timeoutMs: 1_000, claimsTakeMs: [22_500] })
  await using receiver = await openWaitingReceiver()
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON })
  await sender.loop.pass(never)
  const [delivery] = await sender.list()
  const leftMs = (delivery?.dueAt?.getTime() ?? 0) - sender.now().getTime()
  assert.ok(leftMs > MAILS_TIMEOUT_MS, `${leftMs} ms are left`)
  receiver.respond()
  await sender.drain()
})

/** A receiver that answers once `respond` is called. */
async function openWaitingReceiver() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const receiver = await openReceiver()
  receiver.answer = (_, response) => void promise.then(() => response.end())
  return Object.assign(receiver, { respond: resolve })
}

test('a request that outlives its lease is not sent again by its own process, and its result is stored', async () => {
  const warnings: unknown[] = []
  const log: Log = { ...silentLog, warn: (event) => void warnings.push(event) }
  await using sender = await openSender({ timeoutMs: 600_000, log })
  await using receiver = await openWaitingReceiver()
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON })
  await sender.loop.pass(never)
  await until('the request', () => receiver.received.length === 1)
  sender.move(3_600_000)
  assert.equal(await sender.loop.pass(never), 'idle')
  receiver.respond()
  await sender.loop.finish?.()
  const [delivery] = await sender.list()
  assert.deepEqual([delivery?.status, delivery?.attempts, receiver.received.length], ['delivered', 1, 1])
  assert.deepEqual(warnings, [], 'its lease was renewed')
})

test('results that wait for a stalled database are not sent again by their process', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender()
  const { settle } = sender.storage.deliveries
  const { promise: stalled, resolve } = Promise.withResolvers<void>()
  Object.assign(sender.storage.deliveries, {
    settle: async (...args: Parameters<typeof settle>) => {
      await stalled
      return settle(...args)
    },
  })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON, count: 3 })
  await sender.loop.pass(never)
  await until('the requests', () => receiver.received.length === 3)
  sender.move(3_600_000)
  await sender.loop.pass(never)
  resolve()
  await sender.loop.finish?.()
  const delivered = (await sender.list()).map(({ status, attempts }) => [status, attempts])
  assert.deepEqual([delivered, receiver.received.length], [Array(3).fill(['delivered', 1]), 3])
})

test('a retry that is claimed before its process knows that the result is stored is sent at once', async () => {
  await using receiver = await openReceiver()
  await using sender = await openSender({ waitsMs: [0, 0] })
  const { settle } = sender.storage.deliveries
  Object.assign(sender.storage.deliveries, {
    settle: async (...args: Parameters<typeof settle>) => {
      await settle(...args)
      await sender.loop.pass(never)
    },
  })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  receiver.answer = (_, response) => response.writeHead(500).end()
  await enqueue(sender.storage, [hook], { at: NOON })
  await sender.loop.pass(never)
  await until('its last attempt', async () => (await sender.list())[0]?.status === 'dead')
  assert.equal(receiver.received.length, 3)
})

test('an aborted request that is claimed before its process knows that it is released is sent at once', async () => {
  await using receiver = await openReceiver()
  let aborted = true
  await using sender = await openSender({
    request: (egress) => async (request) => (aborted ? INTERRUPTED : egress.request(request)),
  })
  const { release } = sender.storage.deliveries
  Object.assign(sender.storage.deliveries, {
    release: async (...args: Parameters<typeof release>) => {
      aborted = false
      await release(...args)
      await sender.loop.pass(never)
    },
  })
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON })
  await sender.loop.pass(never)
  await until('its delivery', async () => (await sender.list())[0]?.status === 'delivered')
  assert.equal(receiver.received.length, 1)
})

test('a result that is stored while a claim waits for its answer is not followed by another request', async () => {
  await using receiver = await openWaitingReceiver()
  await using sender = await openSender()
  const { claim } = sender.storage.deliveries
  const hook = await sender.addHook({ targetUrl: receiver.url })
  await enqueue(sender.storage, [hook], { at: NOON })
  await sender.loop.pass(never)
  await until('the request', () => receiver.received.length === 1)
  sender.move(3_600_000)
  Object.assign(sender.storage.deliveries, {
    claim: async (...args: Parameters<typeof claim>) => {
      const claimed = await claim(...args)
      receiver.respond()
      await until('the result', async () => (await sender.list())[0]?.status === 'delivered')
      return claimed
    },
  })
  await sender.loop.pass(never)
  await sender.loop.finish?.()
  assert.equal(receiver.received.length, 1)
})
