import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const place = { store: 'apple', appId: '601', market: 'us' } as const

test('radar quarantine prints quarantined rows as JSON lines, or that there are none', async () => {
  await using radar = await startTestService({ RADAR_REVIEWS_POLL_INTERVAL: '30ms' })
  addApp(radar.world, { store: 'apple', appId: '601', name: 'Notes' })
  const alice = await radar.person('Alice')
  await alice.client.subscribe({
    target_url: 'https://example.com/',
    store: 'apple',
    app_id: '601',
    event_type: 'review.created',
  })
  for (let count = 0; count < 3; count++) publish(radar, place)
  await baseline(radar, '601')
  const empty = await radarCommand(['quarantine'], radar.environment)
  assert.deepEqual(empty, { status: 0, out: '', err: 'No rows are in quarantine.\n' })

  const id = '7900000001'
  radar.world.setFault({ store: 'apple', appId: '601' }, { kind: 'malformed_rows', reviewIds: [id] })
  publish(radar, place, { id })
  await until('the row is in quarantine', async () => {
    const rows = await radar.service.storage.feeds.quarantined({ limit: 1 })
    return rows.length === 1
  })
  const { status, out, err } = await radarCommand(['quarantine'], radar.environment)
  assert.deepEqual([status, err], [0, ''])
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    rows.map(({ appId, rowKey }) => [appId, rowKey]),
    [['601', id]],
  )
})
