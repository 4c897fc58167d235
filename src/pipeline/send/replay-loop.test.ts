import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../runtime/log.ts'
import { attemptOf, claim, enqueue, NO_CHANGE } from '../../storage/conformance/queue/queue-samples.ts'
import { addPeople, after, HOUR, NOON, subscribe } from '../../storage/conformance/samples.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { replayLoop } from './replay-loop.ts'

test('a bulk replay queues its dead letters at its own rate and wakes the sender each time', async () => {
  let now = NOON
  const clock = { now: () => now, monotonicMs: () => now.getTime(), sleep: async () => {} }
  await using storage = await openSqlite({ file: ':memory:', clock })
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  await enqueue(storage, [hook], { count: 25 })
  const next = { status: 'dead', reason: 'attempts_exhausted' } as const
  const claimed = await claim(storage, { now })
  await storage.deliveries.settle(
    claimed.map((delivery) => ({ delivery, attempt: attemptOf(), next })),
    now,
    () => NO_CHANGE,
  )
  await storage.deadLetters.createReplays([
    { id: 'rpl_1', accountId: 'alice', filter: {}, ratePerSecond: 10, createdAt: now },
  ])

  let wakes = 0
  const { deadLetters } = storage
  const deps = { deadLetters, clock, log: silentLog, onReplayed: () => (wakes += 1) }
  const loop = replayLoop(deps, { expireAfterMs: 24 * HOUR })
  const pending: number[] = []
  for (let second = 0; second < 4; second += 1) {
    await loop.pass(new AbortController().signal)
    pending.push((await storage.maintenance.depths(now)).pending)
    now = after(1_000 * (second + 1))
  }
  assert.deepEqual(pending, [10, 20, 25, 25])
  assert.equal(wakes, 3)
})
