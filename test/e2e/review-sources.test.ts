import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import type { Person } from '../support/people.ts'
import { nextSecond, publish, publishOld } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world } = radar
withoutQuotas(world)

const STORES = [
  { store: 'apple', market: 'us', ids: '2000' },
  { store: 'google', market: 'en', ids: 'com.example.source' },
] as const
type Kind = (typeof STORES)[number]
type Place = { readonly store: Kind['store']; readonly appId: string; readonly market: string }

let apps = 0
function newApp({ store, market, ids }: Kind): Place {
  apps += 1
  const place = { store, appId: `${ids}${apps}`, market }
  addApp(world, place)
  return place
}
const wants = ({ store, appId }: Place) =>
  ({ store, app_id: appId, event_type: 'review.created', country: 'us' }) as const

const appOf = async ({ client }: Person, id: string) =>
  (await client.call<StoreConnectionView>('GET', `/store-connections/${id}`)).apps[0]

/** Changes to the official source and waits until it is the authority. */
async function useOfficial(who: Person, place: Place): Promise<string> {
  const id = await connectStore(who, world, place)
  await who.client.call('PUT', `/store-connections/${id}/apps/${place.appId}`)
  await until('the official source is used', async () => (await appOf(who, id))?.source?.state === 'official')
  return id
}
/** Waits for a poll of the official source that began after now. */
async function polledOfficially(who: Person, id: string): Promise<void> {
  for (const _ of ['under way', 'after now']) {
    const before = (await appOf(who, id))?.source?.last_ok_at
    await until(
      'the official source is polled',
      async () => (await appOf(who, id))?.source?.last_ok_at !== before,
    )
  }
}
async function settled(): Promise<void> {
  await until('all queues are empty', async () => {
    const depths = await radar.service.storage.maintenance.depths(instantOf(Date.now()))
    return depths.waitingForEnrichment + depths.waitingForFanOut + depths.pending === 0
  })
}
const bodiesOf = (hook: string) => consumer.events(hook).map((event) => ('body' in event ? event.body : ''))

for (const kind of STORES) {
  const { store } = kind

  test(`a change to the official source and back repeats no event and loses none (${store})`, async () => {
    const place = newApp(kind)
    const [alice, bob] = [await radar.person(`Alice ${store}`), await radar.person(`Bob ${store}`)]
    const [hers, his] = [`official-${store}`, `public-${store}`]
    publishOld(radar, place, 30)
    await subscribe(alice, consumer, hers, wants(place))
    await subscribe(bob, consumer, his, wants(place))
    await baseline(radar, place.appId)
    publish(radar, place, { body: 'before' })
    await waitUntilProcessed(radar, place.appId)

    const id = await useOfficial(alice, place)
    await polledOfficially(alice, id)
    await settled()
    assert.deepEqual(bodiesOf(hers), ['before'], 'reviews that the public pages showed are no events')

    publish(radar, place, { body: 'official', version: '9.9' })
    await until('the official review arrives', () => bodiesOf(hers).length === 2)
    const official = consumer.events(hers).at(-1)
    assert.equal(official?.event_type === 'review.created' && official.app_version, '9.9')
    await waitUntilProcessed(radar, place.appId)
    await polledOfficially(alice, id)
    await settled()
    assert.deepEqual(bodiesOf(hers), ['before', 'official'])
    assert.deepEqual(bodiesOf(his), ['before', 'official'])

    await alice.client.call('DELETE', `/store-connections/${id}/apps/${place.appId}`)
    publish(radar, place, { body: 'after' })
    await until('the public review arrives', () => bodiesOf(hers).length === 3)
    await waitUntilProcessed(radar, place.appId)
    assert.deepEqual(bodiesOf(hers), ['before', 'official', 'after'])
    assert.deepEqual(bodiesOf(his), ['before', 'official', 'after'])
  })

  test(`reviews of an official source are seen only by its account (${store})`, async () => {
    const place = newApp(kind)
    const [alice, bob] = [await radar.person(`Ann ${store}`), await radar.person(`Ben ${store}`)]
    await subscribe(alice, consumer, `alone-${store}`, wants(place))
    const id = await useOfficial(alice, place)
    await polledOfficially(alice, id)
    publish(radar, place, { body: 'private' })
    await until('the review arrives', () => bodiesOf(`alone-${store}`).length === 1)
    const query = { store, app_id: place.appId }
    const [review, ...others] = (await alice.client.listReviews(query)).data
    assert.deepEqual(others, [])
    assert.equal(review?.source, store === 'apple' ? 'appstoreconnect' : 'googleplay-developer')
    assert.equal(review?.market, place.market)
    assert.equal(review?.is_imported, false)

    // Bob needs the public pages; before they are polled, nothing of Alice is his.
    await subscribe(bob, consumer, `other-${store}`, wants(place))
    assert.ok((await bob.client.listReviews(query)).data.every(({ source }) => source === 'public'))
    const path = `/reviews/${review?.fingerprint}`
    await assert.rejects(bob.client.call('GET', path), { status: 404 })
    await waitUntilProcessed(radar, place.appId)
    assert.deepEqual(bodiesOf(`alone-${store}`), ['private'])
    assert.deepEqual(
      (await alice.client.listReviews(query)).data.map(({ source }) => source),
      [review?.source],
      'Alice does not see the public copy',
    )
  })

  test(`without another account earlier public reviews stay visible, and the public pages are no longer polled (${store})`, async () => {
    const place = newApp(kind)
    const alice = await radar.person(`Amy ${store}`)
    publishOld(radar, place, 3)
    await subscribe(alice, consumer, `only-${store}`, wants(place))
    await baseline(radar, place.appId)
    const id = await useOfficial(alice, place)
    await polledOfficially(alice, id)
    const feeds = await radar.service.storage.feeds.list({ failingOnly: false, limit: 1_000 })
    assert.deepEqual(
      feeds.filter(({ appId, kind: of }) => appId === place.appId && of === 'reviews'),
      [],
    )
    const page = await alice.client.listReviews({ store, app_id: place.appId })
    assert.deepEqual(
      page.data.map(({ source }) => source),
      ['public', 'public', 'public'],
    )
  })

  test(`a revoked key names the problem, and removing the connection loses no review (${store})`, async () => {
    const place = newApp(kind)
    const alice = await radar.person(`Abby ${store}`)
    const hook = `revoked-${store}`
    await subscribe(alice, consumer, hook, wants(place))
    const id = await useOfficial(alice, place)
    publish(radar, place, { body: 'one' })
    await until('the first review arrives', () => bodiesOf(hook).length === 1)
    const { subject } = await alice.client.call<StoreConnectionView>('GET', `/store-connections/${id}`)
    if (store === 'apple') world.official.revokeAppleKey(subject)
    else world.official.removeServiceAccount(subject)
    publish(radar, place, { body: 'two', publishedAt: nextSecond(radar) })
    if (store === 'apple') {
      const failing = await until(
        'the failure is shown',
        async () => (await appOf(alice, id))?.source?.problem,
      )
      assert.match(failing, /App Store Connect/)
    }
    await alice.client.removeStoreConnection(id)
    await until('the second review arrives', () => bodiesOf(hook).length === 2)
    await waitUntilProcessed(radar, place.appId)
    assert.deepEqual(bodiesOf(hook), ['one', 'two'])
  })
}

test('a subscription to all storefronts gets the reviews of a connected app from every territory, also in its preview', async () => {
  const place = newApp(STORES[0])
  const alice = await radar.person('Alice of every territory')
  const { country: _, ...everywhere } = wants(place)
  await subscribe(alice, consumer, 'everywhere', everywhere)
  await subscribe(alice, consumer, 'only-us', wants(place))
  const id = await useOfficial(alice, place)
  await polledOfficially(alice, id)
  for (const market of ['ch', 'de', 'us']) publish(radar, { ...place, market }, { body: `from ${market}` })
  await until('all three arrive', () => bodiesOf('everywhere').length === 3)
  await settled()
  assert.deepEqual(
    consumer
      .events('everywhere')
      .map((event) => 'country' in event && event.country)
      .sort(),
    ['ch', 'de', 'us'],
  )
  assert.deepEqual(bodiesOf('only-us'), ['from us'])
})
