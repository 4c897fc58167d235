import assert from 'node:assert/strict'
import { test } from 'node:test'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const APPS = [
  { store: 'apple', app_id: '601' },
  { store: 'google', app_id: 'com.example.notes' },
] as const

test('without public sources no page of a store is requested, and feeds and searches say why', async () => {
  await using radar = await startTestService({ RADAR_PUBLIC_SOURCES: 'off' })
  for (const { store, app_id: appId } of APPS) addApp(radar.world, { store, appId, name: 'Notes' })
  const alice = await radar.person('Alice')
  for (const app of APPS) {
    const target_url = 'https://example.com/'
    await alice.client.subscribe({ ...app, target_url, event_type: 'review.created' })
    await alice.client.subscribe({ ...app, target_url, event_type: 'rating.dropped', delta: 0.1 })
  }
  const { feeds } = radar.service.storage
  await until('every feed was polled', async () => {
    const all = await feeds.list({ failingOnly: false, limit: 100 })
    return all.length === 4 && all.every(({ lastPolledAt }) => lastPolledAt !== null)
  })
  for (const feed of await feeds.list({ failingOnly: true, limit: 100 })) {
    assert.deepEqual([feed.lastOutcome, feed.lastSource], ['unknown', 'none'])
    assert.match(feed.lastDetail ?? '', /RADAR_PUBLIC_SOURCES=off/)
    assert.equal(feed.lastOkAt, null)
  }
  for (const q of ['notes', '601', 'com.example.notes']) {
    const headers = { authorization: `Bearer ${alice.token}` }
    const answer = await radar.request(`/api/v1/apps/search?q=${q}`, { headers })
    assert.equal(answer.status, 200, answer.text)
    const { data, problems } = answer.json() as { data: unknown[]; problems: { message: string }[] }
    assert.deepEqual(data, [])
    assert.ok(problems.length > 0)
    for (const { message } of problems) {
      assert.match(message, /could not be searched. Searches use the public pages .*RADAR_PUBLIC_SOURCES=off/)
    }
  }
  const doctor = await radarCommand(['doctor'], radar.environment)
  assert.match(doctor.out, /Public pages of the stores are off/)
  const check = await radarCommand(['check-store', 'apple/601'], radar.environment)
  assert.equal(check.status, 1)
  assert.match(check.err, /RADAR_PUBLIC_SOURCES=off/)
  assert.deepEqual(radar.world.requests(), [])
})
