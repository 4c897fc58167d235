import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { radarCommand } from '../support/radar-command.ts'
import { eventOf, startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService({ RADAR_RETRY_WAITS: '20ms' })
after(() => radar[Symbol.asyncDispose]())
const run = (...words: string[]) => radarCommand(words, radar.environment)

test('a dead letter is listed, exported with its payload, and replayed with the same bytes', async () => {
  const alice = await radar.person('Alice')
  await using receiver = await startReceiver()
  receiver.answerWith(500)
  const app = { store: 'apple', appId: '501' } as const
  addApp(radar.world, app)
  const { id } = await alice.client.subscribe({
    target_url: receiver.url,
    store: 'apple',
    app_id: app.appId,
    event_type: 'rating.dropped',
    delta: 0.1,
  })
  await until('the baseline is stored', async () =>
    (await radar.service.storage.feeds.list({ failingOnly: false, limit: 10 })).every(
      (feed) => feed.lastOkAt !== null,
    ),
  )
  radar.world.setRating({ ...app, storefront: 'us' }, { average: '4.4', count: 1_001 })
  const { deadLetters: dead } = radar.service.storage
  await until('the event is a dead letter', async () => (await dead.count(alice.accountId, {})) === 1)
  const [first] = await receiver.received(2)
  assert.ok(first)
  const event = eventOf(first)

  const listed = await run('dead', 'list', '--hook', id)
  assert.equal(listed.status, 0)
  assert.match(listed.out, new RegExp(`^${event.event_id} .*attempts_exhausted +HTTP 500$`, 'm'))
  assert.match(listed.out, /^1 dead letter: 1 attempts_exhausted\.$/m)
  assert.match((await run('dead', 'list', '--store', 'google')).out, /^0 dead letters\.$/m)
  assert.match((await run('dead', 'list', '--http-status', '404')).out, /^0 dead letters\.$/m)
  assert.match((await run('dead', 'list', '--http-status', '500', '--since', '1h')).out, /^1 dead letter: /m)

  const exported = await run('dead', 'export', '--account', alice.accountId)
  const letter = JSON.parse(exported.out)
  assert.deepEqual(
    [letter.event_id, letter.hook_id, letter.reason],
    [event.event_id, id, 'attempts_exhausted'],
  )
  assert.deepEqual(letter.payload, event)

  const nobody = await run('dead', 'replay', '0'.repeat(64))
  assert.equal(nobody.status, 1)
  assert.match(nobody.out, /^0 dead letters queued again/)
  assert.match(nobody.err, /^1 of the named events is not a dead letter/)

  receiver.answerWith(204)
  const before = receiver.requests.length
  const replayed = await run('dead', 'replay', event.event_id)
  assert.equal(replayed.status, 0)
  assert.match(replayed.out, /^1 dead letter queued again/)
  const requests = await receiver.received(before + 1)
  assert.deepEqual(requests.at(-1)?.body, first.body)
  await until('the event is delivered', async () => (await dead.count(alice.accountId, {})) === 0)
})
