import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import type { Person } from '../support/people.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '200ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world } = radar
withoutQuotas(world)
const BUCKET = 'pubsite_prod_rev_1'
const DAY_MS = 24 * 3_600_000

type Place = { readonly store: 'apple' | 'google'; readonly appId: string; readonly market: string }

async function connected(who: Person, place: Place, options: { bucket?: string } = {}): Promise<string> {
  const id = await connectStore(who, world, place, options)
  await who.client.call('PUT', `/store-connections/${id}/apps/${place.appId}`)
  await until('the official source is used', async () => (await appOf(who, id))?.source?.state === 'official')
  return id
}

const appOf = async ({ client }: Person, id: string) =>
  (await client.call<StoreConnectionView>('GET', `/store-connections/${id}`)).apps[0]
const ended = (who: Person, id: string) =>
  until(
    'the import ends',
    async () => {
      const history = (await appOf(who, id))?.history
      return history != null && history.state !== 'running' ? history : null
    },
    60_000,
  )
const countOf = ({ accountId }: Person, { store, appId }: Place) =>
  radar.service.storage.reports.countReviews(accountId, { store, appId }, 100_000)
const wants = ({ store, appId }: Place) =>
  ({ store, app_id: appId, event_type: 'review.created', country: 'us' }) as const

test('the history of App Store Connect fills what polls did not read, without events', async () => {
  const place = { store: 'apple', appId: '9001', market: 'us' } as const
  addApp(world, place)
  const alice = await radar.person('Alice')
  publishOld(radar, place, 2_300)
  await subscribe(alice, consumer, 'apple', wants(place))
  await baseline(radar, place.appId)
  const id = await connected(alice, place)
  assert.ok((await countOf(alice, place)) < 2_300)
  const path = `/store-connections/${id}/apps/${place.appId}/history`
  const { apps } = await alice.client.call<StoreConnectionView>('PUT', path)
  assert.equal(apps[0]?.history?.state, 'running')
  publish(radar, place, { body: 'while importing' })
  const history = await ended(alice, id)
  assert.equal(history.state, 'done', history.problem ?? '')
  assert.equal(history.percent, 100)
  assert.ok(history.reviews >= 2_300 && history.added > 0)
  await until('the new review arrives', () => consumer.events('apple').length === 1)
  assert.equal(await countOf(alice, place), 2_301)
  assert.deepEqual(
    consumer.events('apple').map((event) => ('body' in event ? event.body : '')),
    ['while importing'],
  )
})

test("Google's reports fill the history, and an old copy replaces no newer text", async () => {
  const place = { store: 'google', appId: 'com.example.history', market: 'en' } as const
  addApp(world, place)
  const bea = await radar.person('Bea')
  const now = radar.clock.now().getTime()
  const old = Array.from({ length: 120 }, (_, index) =>
    publish(radar, place, { publishedAt: new Date(now - (index + 1) * 4 * DAY_MS) }),
  )
  const edited = old[100]?.id ?? ''
  world.editReview({ ...place, reviewId: edited }, { body: 'Edited today' }, new Date(now - 3_600_000))
  await bea.client.call('PUT', `/tracked-apps/google/${place.appId}`, { body: { countries: ['us'] } })
  const id = await connected(bea, place, { bucket: BUCKET })
  await bea.client.call('PUT', `/store-connections/${id}/apps/${place.appId}/history`)
  const history = await ended(bea, id)
  assert.equal(history.state, 'done', history.problem ?? '')
  assert.equal(await countOf(bea, place), 120)
  const { data } = await bea.client.listReviews({ store: 'google', app_id: place.appId, text: 'Edited' })
  assert.deepEqual(
    data.map(({ body }) => body),
    ['Edited today'],
  )
})

test('a failing store delays an import, which a person can stop and resume', async () => {
  const place = { store: 'apple', appId: '9003', market: 'us' } as const
  addApp(world, place)
  const cara = await radar.person('Cara')
  publishOld(radar, place, 500)
  await cara.client.call('PUT', `/tracked-apps/apple/${place.appId}`, { body: { countries: ['us'] } })
  const id = await connected(cara, place)
  const settings = { RADAR_URL: radar.url, RADAR_TOKEN: cara.token }
  const clear = world.setFault(
    { store: 'apple', source: 'appstoreconnect', appId: place.appId },
    { kind: 'status', status: 500 },
  )
  const started = await radarCommand(['store', 'history', id, place.appId, '--no-wait'], settings)
  assert.match(started.out, /^running.*0 reviews read/, started.err)
  await until('the failure is shown', async () =>
    /status 500/.test((await appOf(cara, id))?.history?.problem ?? ''),
  )
  const stopped = await radarCommand(['store', 'history', id, place.appId, '--stop'], settings)
  assert.match(stopped.out, /^stopped/, stopped.err)
  clear()
  const resumed = await radarCommand(['store', 'history', id, place.appId], settings)
  assert.match(resumed.out, /done, 500 reviews read, \d+ new\n$/, resumed.err)
  assert.equal(resumed.status, 0)
})

test('an import needs an official source, a bucket and the account that has the connection', async () => {
  const place = { store: 'google', appId: 'com.example.none', market: 'en' } as const
  addApp(world, place)
  const [dora, eve] = [await radar.person('Dora'), await radar.person('Eve')]
  await dora.client.call('PUT', `/tracked-apps/google/${place.appId}`, { body: { countries: ['us'] } })
  const id = await connected(dora, place)
  const path = `/store-connections/${id}/apps/${place.appId}/history`
  await assert.rejects(dora.client.call('PUT', path), {
    status: 409,
    message: /Add the bucket of the reports/,
  })
  await assert.rejects(eve.client.call('PUT', path), { status: 404 })
  await dora.client.call('DELETE', `/store-connections/${id}/apps/${place.appId}`)
  await assert.rejects(dora.client.call('PUT', path), {
    status: 409,
    message: /do not come from this connection/,
  })
})
