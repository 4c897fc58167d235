import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../src/cli/main.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({ RADAR_RETRY_WAITS: '20ms' })
const run = (...words: string[]) => radarCommand(words, radar.environment)
const { deadLetters: dead } = radar.service.storage
const alice = await radar.person('Alice')
const bob = await radar.person('Bob')

let apps = 0
/** Creates a hook of `owner` with `count` dead letters and a target that now accepts requests. */
async function createDeadHook(owner: typeof alice, count: number): Promise<{ id: string; name: string }> {
  apps += 1
  const place = { store: 'google', appId: `com.example.dead${apps}`, market: 'en' } as const
  const name = `dead-${apps}`
  addApp(radar.world, place)
  consumer.answer(name, (response) => response.writeHead(500).end())
  const id = await subscribe(owner, consumer, name, {
    store: place.store,
    app_id: place.appId,
    event_type: 'review.created',
  })
  await baseline(radar, place.appId)
  for (let nth = 0; nth < count; nth += 1) publish(radar, place)
  await until(`${count} deliveries are dead letters`, async () => (await lettersOf(id)) === count)
  consumer.answer(name, (response) => response.writeHead(204).end())
  return { id, name }
}

const lettersOf = (hookId: string) => dead.count(null, { hookId })

test('dead replay and dead discard ask for confirmation of a selection', async () => {
  const { id } = await createDeadHook(alice, 2)
  const rejected = await run('dead', 'replay', '--hook', id)
  assert.equal(rejected.status, 2)
  assert.match(rejected.err, /"2 dead letters: 2 attempts_exhausted\. Replay them at 10 per second/)
  assert.match(rejected.err, /the option --yes/)

  const questions: string[] = []
  const answerNo = {
    out: () => {},
    err: () => {},
    drained: async () => {},
    confirm: async (question: string) => {
      questions.push(question)
      return false
    },
    environment: radar.environment,
  }
  assert.equal(await runCommand(['dead', 'replay', '--hook', id], answerNo), 1)
  assert.equal(await runCommand(['dead', 'discard', '--hook', id], answerNo), 1)
  assert.deepEqual(questions, [
    '2 dead letters: 2 attempts_exhausted.\nReplay them at 10 per second?',
    '2 dead letters: 2 attempts_exhausted.\nDiscard them?',
  ])
  assert.equal(await lettersOf(id), 2)
  assert.deepEqual(await dead.listReplays(null, 10), [])

  assert.equal(
    await runCommand(['dead', 'replay', '--hook', id], { ...answerNo, confirm: async () => true }),
    0,
  )
  await until('both are queued', async () => (await lettersOf(id)) === 0)
})

test('dead replay --since --wait starts a replay for each account and shows its progress', async () => {
  const early = await createDeadHook(alice, 2)
  const since = new Date().toISOString()
  const late = await createDeadHook(alice, 3)
  const other = await createDeadHook(bob, 1)
  const before = consumer.requests(late.name).map(({ body }) => body.toString('utf8'))

  const { status, out, err } = await run(
    'dead',
    'replay',
    '--since',
    since,
    '--yes',
    '--wait',
    '--rate',
    '50',
  )
  assert.equal(status, 0, err)
  // One replay for each account: Alice's three and Bob's one.
  assert.deepEqual(out.match(/0 of \d queued/g)?.sort(), ['0 of 1 queued', '0 of 3 queued'])
  assert.match(err, /^rpl_\w+: done, 3 of 3 queued/m)
  assert.match(err, /^rpl_\w+: done, 1 of 1 queued/m)
  await until('only the early ones are left', async () => (await dead.count(null, {})) === 2)
  assert.equal(await lettersOf(early.id), 2)
  const events = await consumer.eventsOnce(late.name, 3)
  assert.equal(events.length, 3)
  // A letter is no longer counted when it is queued, which is before its request.
  await until('the replayed ones have arrived', () => {
    const replayed = consumer.requests(late.name).slice(before.length)
    return replayed.length === 3 && replayed.every(({ answered }) => answered === 204)
  })
  const replayed = consumer.requests(late.name).slice(before.length)
  assert.deepEqual(new Set(replayed.map(({ body }) => body.toString('utf8'))), new Set(before))
  await until('the one of Bob has arrived', () => consumer.requests(other.name).at(-1)?.answered === 204)

  // The result of a request is stored after its answer.
  const delivered = new RegExp(`^rpl_\\w+ +${bob.accountId} +done +1 of 1 +1 +0 +50 `, 'm')
  const listed = await until('the replay is listed as delivered', async () => {
    const { out: lines } = await run('dead', 'replays', '--account', bob.accountId)
    return delivered.test(lines) && lines
  })
  assert.match(listed, /^1 bulk replay\.$/m)
})

test('a bulk replay is paused, resumed and cancelled', async () => {
  const { id } = await createDeadHook(bob, 3)
  const started = await run('dead', 'replay', '--hook', id, '--yes', '--rate', '0.1')
  const replayId = /rpl_\w+/.exec(started.out)?.[0] ?? ''
  assert.match(
    (await run('dead', 'pause', replayId)).out,
    new RegExp(`^${replayId}: paused, \\d of 3 queued`),
  )
  const put = (await dead.getReplay(bob.accountId, replayId))?.queued ?? 0
  assert.ok(put < 3, 'the replay was paused before its end')
  assert.equal(await lettersOf(id), 3 - put)

  assert.match((await run('dead', 'resume', replayId)).out, /: running, /)
  await until('one more is queued', async () => (await lettersOf(id)) < 3 - put || null)
  const cancelled = await run('dead', 'cancel', replayId)
  assert.match(cancelled.out, /: cancelled, /)
  const again = await run('dead', 'resume', replayId)
  assert.equal(again.status, 1)
  assert.match(again.err, /This replay has ended: it is cancelled\./)
})

test('discarded dead letters are never sent again', async () => {
  const { id, name } = await createDeadHook(alice, 3)
  const [first] = await dead.list(null, { hookId: id }, { limit: 1, before: null })
  assert.ok(first)
  const requests = consumer.requests(name).length
  assert.match((await run('dead', 'discard', first.eventId)).out, /^1 dead letter discarded\.$/m)
  assert.equal((await run('dead', 'discard', first.eventId)).status, 1)
  assert.equal((await run('dead', 'discard', '--hook', id)).status, 2)
  assert.match((await run('dead', 'discard', '--hook', id, '--yes')).out, /^2 dead letters discarded\.$/m)
  assert.equal(await lettersOf(id), 0)
  assert.match((await run('dead', 'replay', '--hook', id, '--yes')).out, /^No dead letter matches\.$/m)
  assert.equal(consumer.requests(name).length, requests)
})

test('dead export writes a new file and overwrites no existing one', async () => {
  const { id } = await createDeadHook(bob, 2)
  const file = join(radar.environment.RADAR_DATA_DIR ?? '', `${id}.jsonl`)
  const { status, out } = await run('dead', 'export', '--hook', id, '--file', file)
  assert.equal(status, 0)
  assert.equal(out, `2 dead letters written to ${file}.\n`)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).payload.subscriber_id),
    [id, id],
  )
  const again = await run('dead', 'export', '--hook', id, '--file', file)
  assert.equal(again.status, 1)
  assert.match(again.err, /^radar dead export: The file .* cannot be created \(EEXIST/)
})

test('event ids and selection options are mutually exclusive, and one of them is required', async () => {
  const id = 'a'.repeat(64)
  for (const words of [
    ['replay'],
    ['replay', id, '--hook', 'x'],
    ['replay', id, '--all'],
    ['replay', '--all', '--hook', 'x'],
    ['replay', '--all', '--rate', '0'],
    ['replay', 'some-event'],
    ['discard'],
    ['discard', id, '--since', '1d'],
    ['pause'],
  ]) {
    assert.equal((await run('dead', ...words)).status, 2, words.join(' '))
  }
  const misspelt = await run('dead', 'list', '--account', 'acc_nobody')
  assert.equal(misspelt.status, 1)
  assert.match(misspelt.err, /There is no account acc_nobody/)
  const named = await run('dead', 'replay', 'some-event', '--account', 'acc_nobody')
  assert.match(named.err, /There is no account acc_nobody/)
})

test('an unknown hook is an error; a deleted one is accepted while it has dead letters', async () => {
  const { id } = await createDeadHook(bob, 1)
  for (const words of [
    ['list', '--hook', 'api-nobody'],
    ['export', '--hook', 'api-nobody'],
    ['discard', '--hook', 'api-nobody', '--yes'],
    ['replay', '--hook', 'api-nobody', '--yes'],
  ]) {
    const { status, out, err } = await run('dead', ...words)
    assert.deepEqual([status, out], [1, ''], words.join(' '))
    assert.match(err, /There is no hook api-nobody and no dead letters of a deleted hook/)
  }
  const ofAnother = await run('dead', 'list', '--hook', id, '--account', alice.accountId)
  assert.equal(ofAnother.status, 1)
  assert.match(ofAnother.err, new RegExp(`The account has no hook ${id}`))

  await bob.client.unsubscribe(id)
  assert.match((await run('dead', 'list', '--hook', id)).out, /^1 dead letter: /m)
  assert.equal((await run('dead', 'discard', '--hook', id, '--yes')).status, 0)
  assert.match((await run('dead', 'list', '--hook', id)).err, /no dead letters of a deleted hook/)

  const { id: empty } = await createDeadHook(bob, 0)
  assert.match((await run('dead', 'list', '--hook', empty)).out, /^0 dead letters\.$/m)
})
