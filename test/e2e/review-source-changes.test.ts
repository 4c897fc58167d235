import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../src/simulate/random.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

/** Random changes of source while reviews are published and nodes stop: each review is one event, for each account. */

const CHANGES = 8
const { radar, consumer } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '50ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world } = radar
withoutQuotas(world)

for (const [store, market, appId] of [
  ['apple', 'us', '4000000001'],
  ['google', 'en', 'com.example.changes'],
] as const) {
  test(`random changes of source neither repeat nor lose a review (${store})`, async () => {
    const { next: random } = createRandom(store === 'apple' ? 11 : 12)
    const place = { store, appId, market }
    addApp(world, place)
    const [alice, bob] = [await radar.person(`Alice ${store}`), await radar.person(`Bob ${store}`)]
    const [hers, his] = [`changes-${store}`, `unchanged-${store}`]
    const wanted = { store, app_id: appId, event_type: 'review.created', country: 'us' } as const
    await subscribe(alice, consumer, hers, wanted)
    await subscribe(bob, consumer, his, wanted)
    await baseline(radar, appId)
    const id = await connectStore(alice, world, place)

    const published: string[] = []
    const publishSome = async (max: number) => {
      const count = Math.floor(random() * (max + 1))
      for (let nth = 0; nth < count; nth += 1) {
        const text = `review ${published.length} of ${store}`
        publish(radar, place, { body: text })
        published.push(text)
        await setTimeout(random() * 60)
      }
    }
    for (let change = 0; change < CHANGES; change += 1) {
      await publishSome(3)
      const method = change % 2 === 0 ? 'PUT' : 'DELETE'
      await Promise.all([alice.client.call(method, `/store-connections/${id}/apps/${appId}`), publishSome(3)])
      await setTimeout(random() * 400)
    }
    await publishSome(2)
    for (const hook of [hers, his]) {
      const bodies = () => consumer.events(hook).map((event) => ('body' in event ? event.body : ''))
      await until(
        `${hook} has all ${published.length} reviews`,
        () => bodies().length >= published.length,
      ).catch(() => {})
      await setTimeout(500)
      assert.deepEqual(bodies().sort(), [...published].sort(), hook)
    }
  })
}
