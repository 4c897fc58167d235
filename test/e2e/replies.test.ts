import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { connectStore } from '../support/connect-store.ts'
import type { Person } from '../support/people.ts'
import { publish, publishOld } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'
import { until } from '../support/until.ts'

const { radar, consumer } = await serviceAndConsumer({
  RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
})
const { world, clock } = radar
const LIMITS = { applePerHour: 1_000_000, applePerMinute: 1_000_000, googleReadsPerHour: 1_000_000 }
world.official.configure(LIMITS)

type Place = { readonly store: 'apple' | 'google'; readonly appId: string; readonly market: string }
let apps = 0

/** A connected app with one review, which the account sees. */
async function connected(store: Place['store'], role: 'ADMIN' | 'CUSTOMER_SUPPORT' = 'ADMIN') {
  apps += 1
  const who = await radar.person(`Owner ${apps}`)
  const place: Place =
    store === 'apple'
      ? { store, appId: `3000${apps}`, market: 'us' }
      : { store, appId: `com.example.reply${apps}`, market: 'en' }
  addApp(world, place)
  await subscribe(who, consumer, `reply-${apps}`, {
    store,
    app_id: place.appId,
    event_type: 'review.created',
    country: 'us',
  })
  // Otherwise a late first poll of the public pages would store the review.
  await baseline(radar, place.appId)
  const id = await connectStore(who, world, place, { role })
  await who.client.call('PUT', `/store-connections/${id}/apps/${place.appId}`)
  const review = publish(radar, place)
  const row = await until('the review is stored', async () => {
    const { data } = await who.client.listReviews({ store, app_id: place.appId })
    return data.find(({ source }) => source !== 'public')
  })
  return { who, place, row, worldReview: { ...place, reviewId: review.id }, connectionId: id }
}
const replyOf = (who: Person, fingerprint: string) =>
  who.client.call<ReplyRow>('GET', `/reviews/${fingerprint}/reply`)
const answer = (who: Person, fingerprint: string, text: string) =>
  who.client.call<ReplyRow>('PUT', `/reviews/${fingerprint}/reply`, { body: { text } })
const once = (who: Person, fingerprint: string, state: ReplyRow['state']) =>
  until(`the answer is ${state}`, async () => {
    const reply = await replyOf(who, fingerprint)
    return reply.state === state ? reply : null
  })
/** Requests that wrote an answer on Google Play, and this call, which the simulated store counts too. */
const writes = (appId: string) => world.official.count(`google/replies/${appId}`, 24 * 3_600_000, clock.now())

for (const store of ['apple', 'google'] as const) {
  test(`an answer is sent once, followed until the store shows it, and replaced (${store})`, async () => {
    const { who, row, worldReview, connectionId } = await connected(store)
    const replyRight = async () =>
      (await who.client.call<StoreConnectionView>('GET', `/store-connections/${connectionId}`)).rights.reply
    // A test of Apple's keys cannot see the right.
    assert.equal(await replyRight(), store === 'apple' ? 'unknown' : 'granted')
    const before = await replyOf(who, row.fingerprint)
    assert.equal(before.state, 'none')
    assert.equal(before.obstacle, null)
    assert.equal(before.chars_max, store === 'apple' ? 5_970 : 350)
    const asked = await answer(who, row.fingerprint, '  Thank you!  ')
    assert.equal(asked.state, 'pending')
    assert.equal(asked.text, 'Thank you!')
    if (store === 'apple') {
      await once(who, row.fingerprint, 'sent')
      clock.leap(6 * 60_000)
    }
    const published = await once(who, row.fingerprint, 'published')
    assert.equal(published.shown_text, 'Thank you!')
    assert.match(published.author ?? '', /token/)
    assert.equal(await replyRight(), 'granted')
    assert.equal(world.official.reply(worldReview)?.text, 'Thank you!')
    assert.equal((await answer(who, row.fingerprint, 'Thank you!')).state, 'published')

    await answer(who, row.fingerprint, 'Fixed in 2.1.')
    await until(
      'the store has the new answer',
      () => world.official.reply(worldReview)?.text === 'Fixed in 2.1.',
    )
  })
}

test('an answer that another tool wrote is shown, and a published answer replaces it', async () => {
  const { who, row, worldReview } = await connected('google')
  world.official.setReply(worldReview, { id: 'other', text: 'By hand', writtenAt: clock.now() })
  const shown = await until('the answer is seen', async () => {
    const reply = await replyOf(who, row.fingerprint)
    return reply.shown_text === 'By hand' ? reply : null
  })
  assert.equal(shown.state, 'published')
  assert.equal(shown.author, null)
  await answer(who, row.fingerprint, 'Known and replaced')
  await once(who, row.fingerprint, 'published')
  assert.equal(world.official.reply(worldReview)?.text, 'Known and replaced')

  world.official.setReply(worldReview, { id: 'other', text: 'By hand again', writtenAt: clock.now() })
  await until(
    'the second one is seen',
    async () => (await replyOf(who, row.fingerprint)).shown_text === 'By hand again',
  )
  assert.equal((await answer(who, row.fingerprint, 'Known and replaced')).state, 'pending')
  await until(
    'the answer of this service is shown again',
    () => world.official.reply(worldReview)?.text === 'Known and replaced',
  )
})

test('an answer can be deleted on the App Store, and not on Google Play', async () => {
  const apple = await connected('apple')
  const path = `/reviews/${apple.row.fingerprint}/reply`
  await assert.rejects(apple.who.client.call('DELETE', path), {
    status: 409,
    message: 'The review has no answer.',
  })
  await answer(apple.who, apple.row.fingerprint, 'Oops')
  await once(apple.who, apple.row.fingerprint, 'sent')
  await apple.who.client.call('DELETE', path)
  await once(apple.who, apple.row.fingerprint, 'deleted')
  assert.equal(world.official.reply(apple.worldReview), null)
  const google = await connected('google')
  await answer(google.who, google.row.fingerprint, 'Oops')
  await once(google.who, google.row.fingerprint, 'published')
  await assert.rejects(google.who.client.call('DELETE', `/reviews/${google.row.fingerprint}/reply`), {
    status: 409,
    message: 'Google Play cannot delete an answer. Replace its text instead.',
  })
})

test('a refused answer says why', async () => {
  const { who, row } = await connected('apple', 'CUSTOMER_SUPPORT')
  await answer(who, row.fingerprint, 'Thank you!')
  const refused = await once(who, row.fingerprint, 'refused')
  assert.match(refused.problem ?? '', /role|right|key/i)
  await assert.rejects(answer(who, row.fingerprint, ' '), { status: 400 })
  await assert.rejects(answer(who, row.fingerprint, 'x'.repeat(5_971)), {
    status: 400,
    message: 'text has 5971 characters; at most 5970 are allowed.',
  })
})

test('a text that no storage or store can keep is sent without those characters', async () => {
  const { who, row, worldReview } = await connected('google')
  await who.client.call('PUT', `/reviews/${row.fingerprint}/reply`, { body: { text: 'a\0b\ud800' } })
  const published = await once(who, row.fingerprint, 'published')
  assert.deepEqual(
    [published.text, world.official.reply(worldReview)?.text],
    ['a\uFFFDb\uFFFD', 'a\uFFFDb\uFFFD'],
  )
})

test('a review of before the connection is answered through its link', async () => {
  apps += 1
  const who = await radar.person(`Linked ${apps}`)
  const place = { store: 'apple', appId: `3000${apps}`, market: 'us' } as const
  addApp(world, place)
  const [old] = publishOld(radar, place, 1)
  const subscription = { store: 'apple', app_id: place.appId, event_type: 'review.created' } as const
  await subscribe(who, consumer, `reply-${apps}`, subscription)
  await baseline(radar, place.appId)
  const [row] = (await who.client.listReviews({ app_id: place.appId })).data
  assert.equal(row?.source, 'public')
  const fingerprint = row?.fingerprint ?? ''
  assert.match((await replyOf(who, fingerprint)).obstacle ?? '', /store connection/)
  await assert.rejects(answer(who, fingerprint, 'Hello'), { status: 409 })
  const id = await connectStore(who, world, place)
  await who.client.call('PUT', `/store-connections/${id}/apps/${place.appId}`)
  await until('the review can be answered', async () => (await replyOf(who, fingerprint)).obstacle === null)
  await answer(who, fingerprint, 'Hello')
  await once(who, fingerprint, 'sent')
  assert.equal(world.official.reply({ ...place, reviewId: old?.id ?? '' })?.text, 'Hello')
})

test('another account and a token without the scope cannot answer', async () => {
  const { who, row } = await connected('google')
  const bob = await radar.person('Bob')
  await assert.rejects(answer(bob, row.fingerprint, 'Mine'), { status: 404 })
  await assert.rejects(replyOf(bob, row.fingerprint), { status: 404 })
  const token = await radar.service.storage.accounts.listTokens(who.accountId)
  assert.ok(token[0]?.scopes.includes('reply'))
})

test('an answer whose result a killed process lost is not written twice', async () => {
  const { who, place, row, worldReview } = await connected('google')
  const { replies } = radar.service.storage
  await answer(who, row.fingerprint, 'Once')
  await once(who, row.fingerprint, 'published')
  const written = world.official.reply(worldReview)
  const before = writes(place.appId)
  const target = await replies.target(who.accountId, { ...place, fingerprint: row.fingerprint })
  assert.ok(target)
  // As after a kill between the request and its settlement: the row is pending again, and the store has the text.
  const again = { kind: 'publish', text: 'Once', author: 'x' } as const
  await replies.request(who.accountId, row.fingerprint, target, again, clock.now())
  await once(who, row.fingerprint, 'published')
  assert.deepEqual(world.official.reply(worldReview), written)
  assert.equal(writes(place.appId), before + 1)
})
