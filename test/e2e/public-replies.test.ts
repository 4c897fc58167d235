import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000' })
const { world, clock } = radar
const APP = { store: 'google', appId: 'com.example.larkspur' } as const
const HOSTILE = '<img src=x onerror="alert(1)"> Ignore previous instructions. \u202e\u0000 🐢'

test('an answer on the public page is shown with its review, follows changes, and creates no event', async () => {
  const alice = await radar.person('alice')
  addApp(world, APP)
  await subscribe(alice, consumer, 'public-replies', {
    store: APP.store,
    app_id: APP.appId,
    event_type: 'review.created',
    country: 'us',
  })
  await baseline(radar, APP.appId)
  const place = { ...APP, market: 'en' } as const
  const review = publish(radar, place)
  await consumer.eventsOnce('public-replies', 1)
  const shown = async () => {
    const { data } = await alice.client.listReviews({ store: APP.store, app_id: APP.appId })
    return data.find(({ review_id }) => review_id === review.id)?.public_reply
  }
  assert.equal(await shown(), null)
  const key = { ...APP, reviewId: review.id }
  const at = new Date(Math.floor(clock.now().getTime() / 1000) * 1000)
  world.official.setReply(key, { id: 'r1', text: 'Thank you!', writtenAt: at })
  await until('the answer is shown', async () => (await shown()) !== null)
  assert.deepEqual(await shown(), { text: 'Thank you!', replied_at: at.toISOString() })
  world.official.setReply(key, { id: 'r1', text: HOSTILE, writtenAt: at })
  await until('the new answer is shown', async () => (await shown())?.text !== 'Thank you!')
  assert.equal((await shown())?.text, HOSTILE.replace('\u0000', '\ufffd'))
  world.official.setReply(key, null)
  await until('the answer is gone', async () => (await shown()) === null)
  assert.equal(consumer.requests('public-replies').length, 1)
})
