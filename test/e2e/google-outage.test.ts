import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { connectionCauses } from '../../src/pipeline/alert/connection-alerts.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import type { Person } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world, clock } = radar
withoutQuotas(world)
const DAY_MS = 24 * 3_600_000
const APP = { store: 'google', appId: 'com.example.outage', market: 'en' } as const
addApp(world, APP)

const appOf = async ({ client }: Person, id: string) =>
  (await client.call<StoreConnectionView>('GET', `/store-connections/${id}`)).apps[0]
const bodiesOf = (hook: string) => consumer.events(hook).map((event) => ('body' in event ? event.body : ''))

/** The alarms about connections of an account with alerts. */
async function alarms({ accountId }: Person): Promise<readonly string[]> {
  const now = clock.now()
  const { conditions } = await radar.service.storage.alerts.observe(now)
  return connectionCauses(conditions, now)
    .filter((cause) => cause.accountId === accountId)
    .map(({ kind }) => kind)
}

test('after nine days without a good poll an alarm was raised, and only what Google no longer lists is missing', async () => {
  const [alice, bob] = [await radar.person('Alice'), await radar.person('Bob')]
  const connections: Record<string, string> = {}
  for (const [who, hook] of [
    [alice, 'stays'],
    [bob, 'returns'],
  ] as const) {
    const channels = {
      emails: ['owner@example.com'],
      newOnesAre: 'confirmed' as const,
      webhookUrl: null,
      newSecret: null,
    }
    await radar.service.storage.alerts.saveSettings({ accountId: who.accountId, enabled: true, ...channels })
    await subscribe(who, consumer, hook, { store: 'google', app_id: APP.appId, event_type: 'review.created' })
    connections[hook] = await connectStore(who, world, APP)
  }
  await baseline(radar, APP.appId)
  for (const [who, hook] of [
    [alice, 'stays'],
    [bob, 'returns'],
  ] as const) {
    await who.client.call('PUT', `/store-connections/${connections[hook]}/apps/${APP.appId}`)
    await until('the official source is used', async () => {
      return (await appOf(who, connections[hook] ?? ''))?.source?.state === 'official'
    })
  }
  publish(radar, APP, { body: 'before' })
  await until('both have it', () => bodiesOf('stays').length + bodiesOf('returns').length === 2)

  const endOutage = world.setFault(
    { store: 'google', source: 'googleplay-developer' },
    { kind: 'status', status: 403 },
  )
  await until(
    'a poll failed',
    async () => (await appOf(alice, connections.stays ?? ''))?.source?.problem !== null,
  )
  for (let day = 0; day < 9; day += 1) {
    publish(radar, APP, { body: `day ${day}` })
    const kinds = await alarms(alice)
    assert.deepEqual(kinds, day === 0 ? [] : [day < 5 ? 'connection.failing' : 'connection.losing_reviews'])
    clock.leap(DAY_MS)
  }
  await bob.client.call('DELETE', `/store-connections/${connections.returns}/apps/${APP.appId}`)
  const all = ['before', ...Array.from({ length: 9 }, (_, day) => `day ${day}`)]
  await until('the public pages show all', () => bodiesOf('returns').length >= all.length)

  endOutage()
  clock.leap(3_600_000)
  const listed = ['before', 'day 3', 'day 4', 'day 5', 'day 6', 'day 7', 'day 8']
  await until('the connection shows the last seven days', () => bodiesOf('stays').length >= listed.length)
  await until('the source is polled again', async () => {
    return (await appOf(alice, connections.stays ?? ''))?.source?.problem === null
  })
  assert.deepEqual(bodiesOf('stays').toSorted(), listed)
  assert.deepEqual(bodiesOf('returns').toSorted(), all)
  assert.deepEqual(await alarms(alice), [])
})
