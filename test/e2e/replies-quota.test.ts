import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import { connectStore } from '../support/connect-store.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const PER_DAY = 2
const DAY_MS = 24 * 3_600_000
const PLACE = { store: 'google', appId: 'com.example.quota', market: 'en' } as const

const { radar } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
  RADAR_GOOGLE_PLAY_REPLIES_PER_DAY: String(PER_DAY),
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world, clock } = radar
world.official.configure({ googleReadsPerHour: 1_000_000, googleRepliesPerDay: PER_DAY })

test('an answer above the quota is pending, with the time of its next attempt, and is sent a day after the first one', async () => {
  const who = await radar.person('Ann')
  addApp(world, PLACE)
  await who.client.call('PUT', `/tracked-apps/google/${PLACE.appId}`, { body: { countries: ['us'] } })
  // Otherwise a late first poll of the public pages would store the reviews.
  await baseline(radar, PLACE.appId)
  const id = await connectStore(who, world, PLACE)
  await who.client.call('PUT', `/store-connections/${id}/apps/${PLACE.appId}`)
  const reviews = [publish(radar, PLACE), publish(radar, PLACE), publish(radar, PLACE)]
  const rows = await until('the reviews are stored', async () => {
    const { data } = await who.client.listReviews({ app_id: PLACE.appId })
    return data.length === reviews.length && data
  })
  const path = (index: number) => `/reviews/${rows[index]?.fingerprint}/reply`
  const replyOf = (index: number) => who.client.call<ReplyRow>('GET', path(index))
  const answer = (index: number) =>
    who.client.call<ReplyRow>('PUT', path(index), { body: { text: `Thank you, ${index}!` } })
  const isPublished = async (index: number) => (await replyOf(index)).state === 'published'

  const startedAt = clock.now()
  for (const index of [0, 1]) {
    assert.equal((await answer(index)).problem, null)
    await until('the answer is published', () => isPublished(index))
  }
  const sentAt = clock.now()
  await answer(2)
  const waiting = await until('the third answer waits', async () => {
    const reply = await replyOf(2)
    return reply.problem === null || reply.next_attempt_at === null ? null : reply
  })
  assert.equal(waiting.state, 'pending')
  assert.equal(
    waiting.problem,
    `The app has reached the store's limit of answers a day (${PER_DAY}). This one is sent later.`,
  )
  const nextAttemptAt = new Date(waiting.next_attempt_at ?? '')
  assert.ok(nextAttemptAt.getTime() >= startedAt.getTime() + DAY_MS, 'not before the first one is a day old')
  assert.ok(nextAttemptAt.getTime() <= sentAt.getTime() + DAY_MS)
  const shown = () => world.official.reply({ ...PLACE, reviewId: rows[2]?.review_id ?? '' })
  assert.equal(shown(), null)

  clock.leap(DAY_MS)
  await until('the third answer is published', () => isPublished(2))
  assert.equal(shown()?.text, 'Thank you, 2!')
  assert.equal((await replyOf(2)).problem, null)
  assert.equal((await replyOf(2)).next_attempt_at, null)
})
