import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { fixtureStore, storeReview } from '../../test/support/fixture-app-store.ts'
import { APP, hookFor, SECRET } from '../../test/support/hook-for.ts'
import { openFlow, openReceiver } from '../../test/support/running-flow.ts'
import { until } from '../../test/support/until.ts'
import { webhookEvent } from '../contract/webhook.ts'
import { instantOf } from '../runtime/instant.ts'
import { pollLeaseMs } from './flow.ts'

test('a review published after a subscription is delivered once, signed; older ones are not', async () => {
  const store = fixtureStore('google')
  store.reviews = [storeReview('old', new Date(Date.now() - 60_000))]
  await using receiver = await openReceiver()
  await using running = await openFlow([store])
  const { flow, storage } = running
  flow.start()
  const { hook, watches } = hookFor(receiver.url)
  await storage.hooks.create(hook, watches)
  flow.wake()
  await until('the first poll', () => store.requests.length > 0)
  store.reviews.unshift(storeReview('new', new Date(Date.now() + 1000), { body: 'It is fine 😀' }))
  await until('the event', () => receiver.received.length > 0)
  const polls = store.requests.length
  await until('three more polls', () => store.requests.length > polls + 3)
  await flow.stop()

  assert.equal(receiver.received.length, 1)
  const [got] = receiver.received
  assert.ok(got)
  const event = webhookEvent.parse(JSON.parse(got.body))
  assert.ok(event.event_type === 'review.created')
  assert.deepEqual([event.review_id, event.country, event.subscriber_id], ['new', 'us', hook.id])
  const digest = createHmac('sha256', SECRET).update(got.body).digest('hex')
  assert.equal(got.headers['x-radar-signature'], `sha256=${digest}`)
  assert.equal(got.eventId, event.event_id)
})

test('an app with only review watches gets its name', async () => {
  const store = fixtureStore('google')
  const app = { store: 'google', appId: APP, name: 'Example', developer: null, iconUrl: null, rating: null }
  await using running = await openFlow([
    { ...store, app: async () => ({ kind: 'ok', apps: [{ ...app, store: 'google' }] }) },
  ])
  const { hook, watches } = hookFor('https://example.com/hook')
  await running.storage.hooks.create(hook, watches)
  running.flow.start()
  await until(
    'it is named',
    async () => (await running.storage.hooks.watchedApps('acc_1'))[0]?.name === 'Example',
  )
})

test('a rating drop is delivered once, and an unchanged rating does not repeat it', async () => {
  const store = fixtureStore('google')
  const setRating = (stars: number, count: number) =>
    store.ratingAnswers.set(APP, {
      kind: 'ok',
      source: 'x',
      rating: { micros: stars * 1e6, count },
      app: { store: 'google', appId: APP, name: 'An app', developer: null, iconUrl: null, rating: null },
    })
  setRating(4.5, 100)
  await using receiver = await openReceiver()
  await using running = await openFlow([store])
  const { flow, storage, lines } = running
  const { hook, watches } = hookFor(receiver.url, { eventType: 'rating.dropped', deltaMicros: 100_000 })
  await storage.hooks.create(hook, watches)
  flow.start()
  const polls = () => lines.filter(({ event }) => event === 'feed.polled').length
  await until('the baseline', () => polls() > 0)
  setRating(4.4, 101)
  await until('the drop', () => receiver.received.length > 0)
  const before = polls()
  await until('three more polls', () => polls() > before + 3)
  await flow.stop()

  assert.equal(receiver.received.length, 1)
  const event = webhookEvent.parse(JSON.parse(receiver.received[0]?.body ?? ''))
  assert.ok(event.event_type === 'rating.dropped')
  assert.deepEqual([event.previous_rating, event.current_rating, event.delta], [4.5, 4.4, -0.1])
  assert.deepEqual(
    (await storage.hooks.watchedApps('acc_1')).map((app) => app.name),
    ['An app'],
  )
})

test('a failing delivery is retried with the same bytes and becomes a dead letter', async () => {
  const store = fixtureStore('google')
  await using receiver = await openReceiver()
  receiver.answer = (_, response) => response.writeHead(500).end('no')
  await using running = await openFlow([store])
  const { flow, storage } = running
  const { hook, watches } = hookFor(receiver.url)
  await storage.hooks.create(hook, watches)
  store.reviews = [storeReview('r1', new Date(Date.now() + 1000))]
  flow.start()
  await until('the dead letter', async () => (await storage.deadLetters.count('acc_1', {})) === 1)
  assert.equal(receiver.received.length, 3)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  const [dead] = await storage.deadLetters.list('acc_1', {}, { limit: 1, before: null })
  assert.deepEqual([dead?.deadReason, dead?.attempts, dead?.lastHttpStatus], ['attempts_exhausted', 3, 500])

  receiver.answer = (_, response) => response.writeHead(200).end('ok')
  assert.equal(
    await storage.deadLetters.replay('acc_1', [dead?.eventId ?? ''], instantOf(Date.now()), 1e9),
    1,
  )
  flow.wake()
  await until('the replay', () => receiver.received.length === 4)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
})

test('a 410 ends only the hook of an automation platform', async () => {
  const store = fixtureStore('google')
  await using receiver = await openReceiver()
  receiver.answer = (_, response) => response.writeHead(410).end()
  await using running = await openFlow([store], { settings: { waitsMs: [3_600_000] } })
  const { flow, storage } = running
  const byPlatform = hookFor(`${receiver.url}/zapier`, {}, { source: 'zapier', id: 'zapier-1' })
  const ordinary = hookFor(receiver.url, {}, { id: 'api-1' })
  await storage.hooks.create(byPlatform.hook, byPlatform.watches)
  await storage.hooks.create(ordinary.hook, ordinary.watches)
  store.reviews = [storeReview('r1', new Date(Date.now() + 1000))]
  flow.start()
  await until('both attempts', () => receiver.received.length >= 2)
  await until(
    'the end of the one',
    async () => (await storage.hooks.get('acc_1', 'zapier-1'))?.status === 'gone',
  )
  assert.equal((await storage.hooks.get('acc_1', 'api-1'))?.status, 'active')
  const dead = await storage.deadLetters.list('acc_1', {}, { limit: 9, before: null })
  assert.deepEqual(
    dead.map((letter) => [letter.hookId, letter.deadReason]),
    [['zapier-1', 'gone']],
  )
})

test('a stop waits for requests under way, and an aborted request uses no attempt', async () => {
  const store = fixtureStore('google')
  await using receiver = await openReceiver()
  receiver.answer = () => {}
  await using running = await openFlow([store], { settings: { timeoutMs: 60_000 } })
  const { flow, storage } = running
  const { hook, watches } = hookFor(receiver.url)
  await storage.hooks.create(hook, watches)
  store.reviews = [storeReview('r1', new Date(Date.now() + 1000))]
  flow.start()
  await until('the request', () => receiver.received.length === 1)
  assert.deepEqual(await flow.stop(50), [], 'aborting the request ends the loop')
  const [delivery] = await storage.deliveries.list('acc_1', {}, { limit: 1, before: null })
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
  const due = await storage.maintenance.dueWork(instantOf(Date.now()))
  assert.ok(due.sendAt !== null && due.sendAt <= new Date(), 'it is due again at once')
})

test('a stop with a sufficient grace period gets the response and causes no duplicate', async () => {
  const store = fixtureStore('google')
  await using receiver = await openReceiver()
  let stopping: Promise<string[]> | null = null
  await using running = await openFlow([store])
  const { flow, storage } = running
  receiver.answer = (_, response) => {
    stopping = flow.stop()
    setTimeout(() => response.writeHead(200).end(), 50)
  }
  const { hook, watches } = hookFor(receiver.url)
  await storage.hooks.create(hook, watches)
  store.reviews = [storeReview('r1', new Date(Date.now() + 1000))]
  flow.start()
  await until('the stop', () => stopping !== null)
  assert.deepEqual(await stopping, [])
  const [delivery] = await storage.deliveries.list('acc_1', {}, { limit: 1, before: null })
  assert.deepEqual([delivery?.status, delivery?.attempts], ['delivered', 1])
})

test('a failed poll changes no state, and later reviews are not lost', async () => {
  const store = fixtureStore('google')
  await using receiver = await openReceiver()
  await using running = await openFlow([store])
  const { flow, storage } = running
  const { hook, watches } = hookFor(receiver.url)
  await storage.hooks.create(hook, watches)
  const soon = (at: number) => new Date(Date.now() + 1000 + at)
  store.reviews = [5, 4, 3, 2, 1].map((at) => storeReview(`r${at}`, soon(at)))
  store.pageAnswers.set(2, { kind: 'unknown', source: 'rss', detail: 'It was empty.' })
  flow.start()
  await until('the first page', () => receiver.received.length === 3)
  store.pageAnswers.set(1, { kind: 'unknown', source: 'rss', detail: 'It was empty.' })
  await until('a failure on the first page', async () => {
    const [feed] = await storage.feeds.list({ failingOnly: true, limit: 5 })
    return (feed?.failures ?? 0) >= 2
  })
  store.pageAnswers.clear()
  await until('the rest', () => receiver.received.length === 5)
  assert.equal(new Set(receiver.received.map(({ eventId }) => eventId)).size, 5)
})

test('a block backs off the whole store, and its feeds are not polled', async () => {
  const store = fixtureStore('google')
  store.pageAnswers.set(1, {
    kind: 'blocked',
    source: 'x',
    detail: 'It answered 429.',
    retryAfterMs: 600_000,
  })
  await using receiver = await openReceiver()
  await using running = await openFlow([store])
  const { flow, storage, lines } = running
  for (const appId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const { hook, watches } = hookFor(receiver.url, { appId })
    await storage.hooks.create(hook, watches)
  }
  flow.start()
  await until('the block', async () => (await storage.pace.get('google')).blockedUntil !== null)
  await until('the first poll', () => lines.filter(({ event }) => event === 'feed.polled').length > 0)
  await flow.stop()
  assert.ok(
    store.requests.length <= 4,
    `${store.requests.length} requests, those under way when the block came`,
  )
  const { blockedUntil, blocks } = await storage.pace.get('google')
  assert.ok((blockedUntil?.getTime() ?? 0) > Date.now() + 500_000)
  assert.equal(blocks, 1)
})

test('a node runs only the loops of its roles', async () => {
  await using running = await openFlow([fixtureStore('google')], {
    settings: { roles: new Set(['fanout', 'send']) },
  })
  running.flow.start()
  assert.deepEqual(
    running.flow.health().map(({ name }) => name),
    ['fanout', 'send', 'replay', 'housekeeping', 'invariants', 'pulse'],
  )
})

test('a loop with failing passes is reported, and recovers by itself', async () => {
  await using running = await openFlow([fixtureStore('google')])
  const { flow, storage } = running
  const { dueWork } = storage.maintenance
  Object.assign(storage.maintenance, {
    dueWork: () => Promise.reject(new Error('The database is unavailable.')),
  })
  flow.start()
  const pulse = () => flow.health().find(({ name }) => name === 'pulse')
  await until('the failure is reported', () => pulse()?.ok === false)
  assert.match(pulse()?.detail ?? '', /failing since/)
  Object.assign(storage.maintenance, { dueWork })
  await until('it is healthy again', () => pulse()?.ok === true)
})

test('the lease of a poll is long at a low request rate and short at a high one', () => {
  assert.deepEqual([1, 20, 600_000].map(pollLeaseMs), [1_800_000, 510_000, 30_016])
})
