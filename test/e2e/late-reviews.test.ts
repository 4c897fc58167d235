import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { tenant } from '../support/interfaces.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'

const { radar, consumer } = await serviceAndConsumer()
const APP = { store: 'apple', appId: '845', market: 'us' } as const
const RULE = { store: 'apple', app_id: '845', event_type: 'review.created' } as const
addApp(radar.world, APP)
const hoursAgo = (hours: number) =>
  new Date(Math.floor(radar.clock.now().getTime() / 1_000 - hours * 3_600) * 1_000)

test('a hook with late_reviews_hours gets reviews from before it that the store shows after it, and no others', async () => {
  const alice = await radar.person('Alice')
  publishOld(radar, APP, 3)
  const late = await subscribe(alice, consumer, 'late', { ...RULE, late_reviews_hours: 30 })
  await subscribe(alice, consumer, 'plain', RULE)
  assert.equal((await alice.client.getHook(late)).late_reviews_hours, 30)
  await baseline(radar, APP.appId)
  await waitUntilProcessed(radar, APP.appId)
  publish(radar, APP, { title: 'A day late', publishedAt: hoursAgo(28) })
  publish(radar, APP, { title: 'Too late', publishedAt: hoursAgo(31) })
  await waitUntilProcessed(radar, APP.appId)
  await subscribe(alice, consumer, 'later', { ...RULE, late_reviews_hours: 72 })
  publish(radar, APP, { title: 'New' })
  await waitUntilProcessed(radar, APP.appId)
  const titles = (name: string) => consumer.events(name).map((event) => 'title' in event && event.title)
  assert.deepEqual(
    ['late', 'plain', 'later'].map((name) => titles(name).toSorted()),
    [['A day late', 'New'], ['New'], ['New']],
  )
})

test('late_reviews_hours is a whole number from 0 to 72, and the console and the REST API change it', async () => {
  const { owner } = await tenant(radar, 'Carol')
  const create = (body: object) => owner.fetchJson<{ id: string }>('POST', '/destinations', body)
  const { id } = await create({ target_url: consumer.targetUrl('carol') })
  const change = (hours: unknown) => owner.request('PATCH', `/v1/hooks/${id}`, { late_reviews_hours: hours })
  for (const hours of [-1, 73, 1.5, '24']) {
    const { status, text } = await change(hours)
    assert.equal(status, 400, String(hours))
    assert.match(text, /late_reviews_hours must be a whole number of hours from 0 to 72/)
  }
  assert.equal((await change(48)).status, 200)
  assert.equal((await owner.fetchJson<DestinationPage>('GET', `/destinations/${id}`)).lateReviewsHours, 48)
})
