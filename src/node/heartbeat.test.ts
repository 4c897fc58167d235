import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../runtime/clock.ts'
import { later } from '../runtime/instant.ts'
import { silentLog } from '../runtime/log.ts'
import { openSqlite } from '../storage/sqlite/open.ts'
import { beat, liveNodes, SILENT_MS } from './heartbeat.ts'

const HOUR_MS = 3_600_000

test('a running node is listed, and removes nodes that were killed long ago', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  const { maintenance } = storage
  const now = systemClock.now()
  const ago = (ms: number) => later(now, -ms)
  for (const [id, silentMs] of [
    ['node_yesterday', 25 * HOUR_MS],
    ['node_last_night', 8 * HOUR_MS],
    ['node_just_now', SILENT_MS - 5_000],
  ] as const) {
    await maintenance.heartbeat({
      id,
      version: '1',
      roles: ['send'],
      startedAt: ago(silentMs),
      seenAt: ago(silentMs),
      skewMs: null,
    })
  }
  const stop = new AbortController()
  const deps = {
    maintenance,
    clock: systemClock,
    log: silentLog,
    version: '2',
    roles: ['api', 'poll'],
    skewMs: () => 12,
    failed: () => {},
  }
  const ended = beat(deps, stop.signal)
  const ours = await until('the node registered', async () =>
    (await maintenance.nodes()).find(({ version }) => version === '2'),
  )
  assert.deepEqual([ours.roles, ours.skewMs], [['api', 'poll'], 12])
  const ids = (await maintenance.nodes()).map(({ id }) => id)
  assert.deepEqual(ids, ['node_last_night', 'node_just_now', ours.id])
  assert.deepEqual(
    (await liveNodes(maintenance, now)).map(({ id }) => id),
    ['node_just_now', ours.id],
  )
  stop.abort()
  await ended
  assert.deepEqual(
    (await maintenance.nodes()).map(({ id }) => id),
    ['node_last_night', 'node_just_now'],
  )
})
