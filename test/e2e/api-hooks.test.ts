import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { watchedApp } from '../../src/contract/account.ts'
import { hookDetail, hookView, type SubscribeBody } from '../../src/contract/hook.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())

const REVIEWS = {
  target_url: 'https://example.com/hook',
  store: 'apple',
  app_id: '310633997',
  event_type: 'review.created',
} as const satisfies SubscribeBody

test('the list shows every hook of the account with id, source, target_url and external_ref', async () => {
  const alice = await radar.person('Alice')
  assert.deepEqual(await alice.client.listHooks(), [])
  const one = await alice.client.subscribe({ ...REVIEWS, source: 'zapier', external_ref: 'zap 7' })
  const other = await alice.client.subscribe({ ...REVIEWS, target_url: 'https://example.com/other?a=1#part' })
  const hooks = await alice.client.listHooks()
  assert.deepEqual(
    hooks.map(({ id, source, target_url, external_ref }) => ({ id, source, target_url, external_ref })),
    [
      { id: one.id, source: 'zapier', target_url: 'https://example.com/hook', external_ref: 'zap 7' },
      { id: other.id, source: 'api', target_url: 'https://example.com/other?a=1#part', external_ref: null },
    ],
  )
  for (const hook of hooks) {
    assert.deepEqual(z.strictObject(hookView.shape).parse(hook), hook)
    const detail = await alice.client.getHook(hook.id)
    assert.deepEqual(hookDetail.parse(detail), detail)
  }
})

test('a hook has its settings, its status and its creation time', async () => {
  const alice = await radar.person('Alice')
  const { id } = await alice.client.subscribe({
    ...REVIEWS,
    event_type: 'rating.dropped',
    country: 'de',
    delta: 0.1,
    threshold: 4.2,
    min_stars: 2,
    max_stars: 4,
  })
  const { watches, created_at, ...hook } = await alice.client.getHook(id)
  assert.deepEqual(hook, {
    id,
    source: 'api',
    target_url: REVIEWS.target_url,
    external_ref: null,
    target_type: 'webhook',
    target_fingerprint: null,
    message_schedule: null,
    paused_reason: null,
    unsubscribed_recipients: [],
    unconfirmed_recipients: [],
    name: null,
    description: null,
    rate_per_second: null,
    cloudevents: false,
    redirect: 'fail',
    late_reviews_hours: 0,
    status: 'active',
    store: 'apple',
    app_id: REVIEWS.app_id,
    event_type: 'rating.dropped',
    country: 'de',
    min_stars: 2,
    max_stars: 4,
    delta: 0.1,
    threshold: 4.2,
  })
  assert.equal(watches.length, 1)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

const FILTERS: Partial<SubscribeBody> = {
  countries: ['fr', 'de'],
  keywords: ['refund', 'Cannot log in'],
  excluded_keywords: ['joke'],
  app_versions: ['4.2.*', '4.1.0'],
  languages: ['fr', 'de'],
  sentiments: ['mixed', 'negative'],
  themes: ['sync', 'ads'],
  severities: ['high'],
  is_bug_report: true,
  is_feature_request: false,
  mentions_competitor: true,
  competitors: ['Acme'],
}

/** Each list in a fixed order. */
const STORED_FILTERS = {
  ...FILTERS,
  keywords: ['Cannot log in', 'refund'],
  app_versions: ['4.1.0', '4.2.*'],
  languages: ['de', 'fr'],
  sentiments: ['negative', 'mixed'],
  themes: ['sync', 'ads'],
}

test('a watch has its filters of reviews, of which the list shows none', async () => {
  const alice = await radar.person('Alice')
  const { id, country } = await alice.client.subscribe({ ...REVIEWS, ...FILTERS })
  assert.equal(country, 'fr')
  const [watch] = (await alice.client.getHook(id)).watches
  assert.partialDeepStrictEqual(watch, { ...STORED_FILTERS, country: null })
  const [listed] = await alice.client.listHooks()
  assert.deepEqual(
    [listed?.watches[0]?.country, Object.keys(listed ?? {}).filter((key) => key in FILTERS)],
    [null, []],
  )
  // The details of a watch are a valid watch, and the same watch stays.
  const { hooks } = radar.service.storage
  const before = (await hooks.get(alice.accountId, id))?.watches
  await alice.client.changeHook(id, { watches: watch && [watch] })
  assert.deepEqual((await hooks.get(alice.accountId, id))?.watches, before)
  const changed = await alice.client.changeHook(id, { watches: watch && [{ ...watch, keywords: null }] })
  assert.deepEqual(
    changed.watches.map(({ keywords, themes }) => [keywords, themes]),
    [[null, FILTERS.themes]],
  )
})

test('a watch has its window, and another window is another rule', async () => {
  const alice = await radar.person('Alice')
  const rule = { event_type: 'rating.dropped', delta: 0.2, delta_window_hours: 168 } as const
  const { id } = await alice.client.subscribe({ ...REVIEWS, ...rule })
  const windowsOf = async () =>
    (await alice.client.getHook(id)).watches.map((watch) => watch.delta_window_hours)
  assert.deepEqual(await windowsOf(), [168])
  const watch = { store: REVIEWS.store, app_id: REVIEWS.app_id, ...rule }
  await alice.client.changeHook(id, { watches: [watch, { ...watch, delta_window_hours: null }] })
  assert.deepEqual((await windowsOf()).toSorted(), [168, null])
})

test('a watch set has the same filters', async () => {
  const alice = await radar.person('Alice')
  const { id } = await alice.client.subscribe(REVIEWS)
  const body = JSON.stringify({ apps: 'all', event_type: 'review.created', ...FILTERS })
  const answer = await radar.request(`/api/v1/hooks/${id}/watch-sets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
    body,
  })
  assert.equal(answer.status, 200)
  assert.partialDeepStrictEqual(answer.json(), { apps: 'all', country: null, ...STORED_FILTERS })
})

test('unsubscribe returns 204 with an empty body and deletes the hook', async () => {
  const alice = await radar.person('Alice')
  const { id } = await alice.client.subscribe(REVIEWS)
  const answer = await radar.request(`/api/v1/hooks/${id}`, {
    method: 'DELETE',
    // Many clients send this header with every request.
    headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
  })
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.deepEqual(await alice.client.listHooks(), [])
  await assert.rejects(alice.client.getHook(id), { status: 404 })
  await assert.rejects(alice.client.unsubscribe(id), { status: 404 })
})

test('an unknown hook id gives 404 with the error body', async () => {
  const alice = await radar.person('Alice')
  const { id } = await alice.client.subscribe(REVIEWS)
  for (const wrong of [
    'api-1',
    'nonsense',
    id.toUpperCase(),
    `${id}0`,
    id.slice(0, -1),
    'a\0b',
    '🙂',
    'x'.repeat(400),
  ]) {
    for (const call of [alice.client.unsubscribe, alice.client.getHook, alice.client.testHook]) {
      await assert.rejects(call(wrong), { status: 404, message: 'The account has no hook with this id.' })
    }
  }
})

test('an account cannot see, test or delete the hooks of another', async () => {
  const alice = await radar.person('Alice')
  const bob = await radar.person('Bob')
  const { id } = await alice.client.subscribe(REVIEWS)
  assert.deepEqual(await bob.client.listHooks(), [])
  assert.deepEqual(await bob.client.listApps(), [])
  const nobody = 'api-0000000000000000000000000000000000000000'
  for (const call of [bob.client.getHook, bob.client.unsubscribe, bob.client.testHook]) {
    const [hers, none] = await Promise.all([id, nobody].map((each) => call(each).catch((error) => error)))
    assert.equal(hers.status, 404)
    assert.equal(hers.message, none.message)
  }
  assert.equal((await alice.client.listHooks()).length, 1)
})

test('the list of apps has each watched app once per storefront', async () => {
  const alice = await radar.person('Alice')
  addApp(radar.world, { store: 'apple', appId: '77', name: 'Seven' })
  await alice.client.subscribe({ ...REVIEWS, app_id: '77' })
  await alice.client.subscribe({ ...REVIEWS, app_id: '77' })
  await alice.client.subscribe({ ...REVIEWS, app_id: '77', country: 'de' })
  await alice.client.subscribe({ ...REVIEWS, store: 'google', app_id: 'com.example.x', country: 'it' })
  const apps = await alice.client.listApps()
  assert.deepEqual(
    apps.map(({ store, app_id, country, id }) => [store, app_id, country, id]),
    [
      ['apple', '77', 'us', 'apple:77:us'],
      ['apple', '77', 'de', 'apple:77:de'],
      ['google', 'com.example.x', 'it', 'google:com.example.x:it'],
    ],
  )
  for (const app of apps) assert.deepEqual(watchedApp.parse(app), app)
})

test('the name of an app is its id until a store has reported the name', async () => {
  const alice = await radar.person('Alice')
  addApp(radar.world, { store: 'apple', appId: '78', name: 'Larkspur' })
  await alice.client.subscribe({ ...REVIEWS, app_id: '78', event_type: 'rating.dropped', delta: 1 })
  await until('the name is known', async () => (await alice.client.listApps())[0]?.name === 'Larkspur')
})

test('an app leaves the list of apps when its last hook is deleted', async () => {
  const alice = await radar.person('Alice')
  const one = await alice.client.subscribe(REVIEWS)
  const other = await alice.client.subscribe({ ...REVIEWS, event_type: 'rating.dropped', delta: 0.5 })
  await alice.client.unsubscribe(one.id)
  assert.equal((await alice.client.listApps()).length, 1)
  await alice.client.unsubscribe(other.id)
  assert.deepEqual(await alice.client.listApps(), [])
})

test('me returns the account of the token', async () => {
  const alice = await radar.person('Alice')
  const { account_id, account_name, token_name } = await alice.client.me()
  assert.deepEqual([account_id, account_name, token_name], [alice.accountId, 'Alice', "Alice's token"])
})
