import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, later } from '../runtime/instant.ts'
import { claim, enqueue } from '../storage/conformance/queue/queue-samples.ts'
import { addPeople, after, HOUR, NOON, subscribe } from '../storage/conformance/samples.ts'
import { openSqlite } from '../storage/sqlite/open.ts'
import { configOf } from './config/config.ts'
import { diagnose } from './doctor.ts'

const NOW = instantOf(Date.parse('2026-03-01T12:00:00Z'))
const clock = { now: () => NOW, monotonicMs: () => 0, sleep: async () => {} }

test('a killed node is reported as silent, not as running', async () => {
  await using storage = await openSqlite({ file: ':memory:', clock })
  const config = configOf({ RADAR_SECRET_KEY: Buffer.alloc(32, 7).toString('hex') })
  const ofNodes = async () => {
    const texts: string[] = []
    for await (const { grade, text } of diagnose(config, storage, clock)) {
      if (text.includes('deliveries are pending')) return texts
      if (text.includes('node')) texts.push(`${grade}: ${text}`)
    }
    return assert.fail('the queue was not checked')
  }
  const heartbeat = (id: string, silentMs: number) => {
    const seenAt = later(NOW, -silentMs)
    return storage.maintenance.heartbeat({
      id,
      version: '1',
      roles: ['send'],
      startedAt: seenAt,
      seenAt,
      skewMs: null,
    })
  }
  const none = 'note: No node is running: "radar serve" starts one.'
  assert.deepEqual(await ofNodes(), [none])
  await heartbeat('node_killed', 31_000)
  const silent =
    'note: The node node_killed (version 1, send) has been silent for 31 s: it was killed, or cannot reach the database.'
  assert.deepEqual(await ofNodes(), [none, silent])
  await heartbeat('node_well', 30_000)
  assert.deepEqual(await ofNodes(), [
    silent,
    'ok: The node node_well (version 1, send) has been running since 2026-03-01T11:59:30.000Z.',
  ])
})

test('doctor names an invariant that stored data violates, with an example', async () => {
  await using storage = await openSqlite({ file: ':memory:', clock })
  const config = configOf({ RADAR_SECRET_KEY: Buffer.alloc(32, 7).toString('hex') })
  const ofInvariants = async () => {
    for await (const { grade, text } of diagnose(config, storage, clock)) {
      if (text.includes('invariant')) return `${grade}: ${text}`
    }
    return assert.fail('the invariants were not checked')
  }
  await addPeople(storage)
  const { hook } = await subscribe(storage, { id: 'api-1' })
  assert.equal(await ofInvariants(), 'ok: The stored data violates no invariant.')
  await enqueue(storage, [hook], { at: NOON })
  await claim(storage, { now: NOON }, () => ({ take: 0, notBefore: after(3 * HOUR) }))
  assert.equal(
    await ofInvariants(),
    'problem: The invariant lane_asleep is violated (1 found), for example: hook api-1 has a delivery for 2026-03-01T12:00:00.000Z, its turn is 2026-03-01T15:00:00.000Z.',
  )
})
