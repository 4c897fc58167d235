import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { subscribeBodyOf } from '../../src/contract/hook.ts'
import { sampleEvent } from '../../src/contract/sample.ts'
import { reviewRow } from '../../src/contract/v1/reviews.ts'
import { run } from '../../test/clients/tools.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import {
  addTrackedApp,
  dropRating,
  installIntegration,
  keyPaths,
  publishNewReview,
  startOtherService,
  trackApp,
} from './support/platform.ts'

/** The app of Zapier, run by the official tester against the real service. */

type Bundle = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>
type Perform = (...args: never[]) => unknown
type Trigger = {
  readonly operation: Readonly<
    Record<'performSubscribe' | 'performUnsubscribe' | 'perform' | 'performList', Perform>
  > & {
    readonly sample: Row
    readonly outputFields: readonly { readonly key: string }[]
    readonly inputFields: readonly { readonly key: string }[]
  }
}
type App = {
  readonly authentication: { readonly test: Perform }
  readonly triggers: Readonly<Record<string, Trigger>>
  readonly searches: Readonly<Record<string, { readonly operation: { readonly perform: Perform } }>>
  readonly creates: Readonly<Record<string, { readonly operation: { readonly perform: Perform } }>>
}
type AppTester = (perform: Perform, bundle: Bundle) => Promise<unknown>

const installed = await installIntegration('zapier')
after(() => installed[Symbol.asyncDispose]())
const radar = await startTestService({ RADAR_REVIEWS_POLL_INTERVAL: '200ms' })
after(() => radar[Symbol.asyncDispose]())
addTrackedApp(radar)
const alice = await radar.person('Alice')

// Without it, the platform prints its memory at each call.
process.env.NODE_ENV = 'test'
const load = createRequire(join(installed.folder, 'index.js'))
const app: App = load('./index.js')
const tester: AppTester = load('zapier-platform-core').createAppTester(app)
const authData = { base_url: `${radar.url}/`, token: alice.token }
const call = <T>(perform: Perform | undefined, bundle: Bundle = {}) => {
  assert.ok(perform)
  return tester(perform, { authData, inputData: {}, ...bundle }) as Promise<T>
}

const REVIEWS = app.triggers.new_review
const RATINGS = app.triggers.rating_drop
const RECOVERIES = app.triggers.rating_recovery
const SPIKES = app.triggers.review_spike

test('the definition is valid', async () => {
  const program = join(installed.tools, 'node_modules/.bin/zapier-platform')
  const { status, output } = await run(
    program,
    ['validate', '--without-style', '--skip-build'],
    installed.folder,
  )
  assert.equal(status, 0, output)
})

test('authentication shows the account and explains a wrong token or address', async () => {
  const me = await call<Row>(app.authentication.test)
  assert.equal(me.account_name, 'Alice')
  await assert.rejects(
    call(app.authentication.test, { authData: { ...authData, token: 'rsk_wrong' } }),
    /The API token is wrong, expired or revoked/,
  )
  await using other = await startOtherService()
  await assert.rejects(
    call(app.authentication.test, { authData: { ...authData, base_url: other.url } }),
    /does not answer at .*, but another service/,
  )
})

/** Keys as Zapier writes them: `enrichment__language`, and `reviews[]rating` in a list. */
function outputKeys(event: object): string[] {
  return Object.entries(event).flatMap(([key, value]) => {
    const [item] = Array.isArray(value) ? value : []
    return typeof item === 'object'
      ? Object.keys(item).map((name) => `${key}[]${name}`)
      : keyPaths({ [key]: value }).map((path) => path.replaceAll('.', '__'))
  })
}

test('the editor gets the sample of the service, with every output field', async () => {
  for (const [trigger, type] of [
    [REVIEWS, 'review.created'],
    [RATINGS, 'rating.dropped'],
    [RECOVERIES, 'rating.recovered'],
    [SPIKES, 'reviews.spiked'],
  ] as const) {
    assert.deepEqual(await call(trigger?.operation.performList), [sampleEvent(type)])
    const keys = outputKeys(sampleEvent(type))
    assert.deepEqual(
      trigger?.operation.outputFields.map(({ key }) => key).filter((key) => !keys.includes(key)),
      [],
    )
  }
})

/** A request as Zapier gives it to a trigger. */
function bundleOf(request: { readonly headers: object; readonly body: Buffer }, subscribeData: unknown) {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      `Http-${name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`,
      value,
    ]),
  )
  const content = request.body.toString('utf8')
  return {
    subscribeData,
    rawRequest: { method: 'POST', querystring: '', headers, content },
    cleanedRequest: JSON.parse(content),
  }
}

test('a trigger subscribes, receives live events with the keys of its sample, and unsubscribes twice', async () => {
  const cases = [
    { trigger: REVIEWS, inputData: { app: 'apple:310633997', max_stars: '2' }, happen: publishNewReview },
    { trigger: RATINGS, inputData: { app: 'apple:310633997', countries: ['us'] }, happen: dropRating },
  ]
  for (const { trigger, inputData, happen } of cases) {
    await using receiver = await startReceiver()
    const { performSubscribe, perform, performUnsubscribe } = trigger?.operation ?? {}
    const hook = await call<Row>(performSubscribe, { inputData, targetUrl: receiver.url })
    await happen(radar)
    const [request] = await receiver.received(1)
    assert.ok(request)
    const bundle = bundleOf(request, hook)
    const [event] = await call<Row[]>(perform, bundle)
    assert.deepEqual(event, JSON.parse(request.body.toString()))
    const withoutEnrichment = (row: unknown) => keyPaths(row).filter((path) => !path.includes('.'))
    assert.deepEqual(withoutEnrichment(event), withoutEnrichment(trigger?.operation.sample))
    const forged = { ...bundle, subscribeData: { ...hook, secret: `whsec_${'A'.repeat(43)}=` } }
    const empty = { ...bundle, rawRequest: { ...bundle.rawRequest, content: '' } }
    const unknown = { ...bundle, subscribeData: {} }
    for (const wrong of [forged, empty, unknown])
      await assert.rejects(call(perform, wrong), /not signed by Review Radar/)
    for (const _ of ['first', 'second'])
      assert.deepEqual(await call(performUnsubscribe, { subscribeData: hook }), {})
    assert.deepEqual(await alice.client.listHooks(), [])
  }
})

test('subscribe sends what the user entered: links, packages, numbers, defaults', async () => {
  const bob = await radar.person('Bob')
  const as = { authData: { base_url: radar.url, token: bob.token }, targetUrl: 'https://example.com/zap' }
  const subscribe = (trigger: Trigger | undefined, inputData: Bundle) =>
    call(trigger?.operation.performSubscribe, { ...as, inputData, meta: { zap: { id: '123' } } })
  await subscribe(REVIEWS, { app: 'https://play.google.com/store/apps/details?id=com.whatsapp&hl=en' })
  await subscribe(REVIEWS, { app: 'https://apps.apple.com/us/app/other/id123456?mt=8', min_stars: 4 })
  await subscribe(RATINGS, {
    app: 'com.whatsapp',
    countries: [],
    delta: '',
    delta_window_hours: 48,
    threshold: '',
  })
  await subscribe(RATINGS, { app: '123456', countries: ['de'], threshold: '4.5' })
  const hooks = (await bob.client.listHooks()).map((hook) => [
    hook.source,
    hook.external_ref,
    hook.store,
    hook.app_id,
    hook.country,
    hook.min_stars,
    hook.delta,
    hook.threshold,
  ])
  const [, , slide] = await bob.client.listHooks()
  assert.equal((await bob.client.getHook(slide?.id ?? '')).watches[0]?.delta_window_hours, 48)
  assert.deepEqual(hooks, [
    ['zapier', 'Zap 123', 'google', 'com.whatsapp', null, 1, null, null],
    ['zapier', 'Zap 123', 'apple', '123456', null, 4, null, null],
    ['zapier', 'Zap 123', 'google', 'com.whatsapp', null, 1, 0.1, null],
    ['zapier', 'Zap 123', 'apple', '123456', 'de', 1, null, 4.5],
  ])
  await assert.rejects(subscribe(REVIEWS, { app: 'not an app' }), /App must be a store link.*not an app/)
  await assert.rejects(subscribe(RATINGS, { app: '123456', delta: 9 }), /delta must be a number from 0 to 4/)
})

test('the triggers for recoveries and spikes send their rules', async () => {
  const frank = await radar.person('Frank')
  const as = { authData: { base_url: radar.url, token: frank.token }, targetUrl: 'https://example.com/zap' }
  const subscribe = (trigger: Trigger | undefined, inputData: Bundle) =>
    call(trigger?.operation.performSubscribe, { ...as, inputData: { app: '123456', ...inputData } })
  await subscribe(RECOVERIES, { delta_window_hours: 48 })
  await subscribe(SPIKES, { spike_min_reviews: '', spike_factor: '2.5' })
  const hooks = await frank.client.listHooks()
  const rules = await Promise.all(
    hooks.map(async ({ id }) => {
      const [watch] = (await frank.client.getHook(id)).watches
      const { event_type, delta, delta_window_hours, spike_min_reviews, spike_factor } = watch ?? {}
      return [event_type, delta, delta_window_hours, spike_min_reviews, spike_factor]
    }),
  )
  assert.deepEqual(rules, [
    ['rating.recovered', 0.1, 48, null, null],
    ['reviews.spiked', null, null, 5, 2.5],
  ])
})

test('the filters of reviews arrive as the user entered them', async () => {
  const dora = await radar.person('Dora')
  const filters = { keywords: ['crash', 'lost data'], themes: [], is_bug_report: 'false', languages: '' }
  await call(REVIEWS?.operation.performSubscribe, {
    authData: { base_url: radar.url, token: dora.token },
    targetUrl: 'https://example.com/zap',
    inputData: { app: '123456', countries: ['us', 'de'], ...filters },
  })
  const [hook] = await dora.client.listHooks()
  const [watch] = (await dora.client.getHook(hook?.id ?? '')).watches
  assert.deepEqual([watch?.keywords, watch?.themes], [['crash', 'lost data'], null])
  assert.deepEqual([watch?.is_bug_report, watch?.countries?.toSorted()], [false, ['de', 'us']])
})

test('the triggers offer every filter of a subscription', () => {
  const notFilters = [
    'target_url',
    'target_type',
    'target_settings',
    'source',
    'external_ref',
    'cloudevents',
    'redirect',
    'late_reviews_hours',
  ]
  const derived = ['store', 'app_id', 'event_type', 'country']
  const offered = [REVIEWS, RATINGS, SPIKES].flatMap((trigger) =>
    trigger?.operation.inputFields.map(({ key }) => key),
  )
  const fields = Object.keys(subscribeBodyOf(['zapier'], () => null).shape)
  assert.deepEqual(
    fields.filter((name) => ![...notFilters, ...derived, ...offered].includes(name)),
    [],
  )
})

test('the drop-downs list tracked apps and found apps', async () => {
  const carol = await radar.person('Carol')
  await trackApp(carol)
  const as = { authData: { base_url: radar.url, token: carol.token } }
  const listed = await until('the name of the app is known', async () => {
    const rows = await call<Row[]>(
      (app.triggers.app_list as unknown as { operation: { perform: Perform } }).operation.perform,
      as,
    )
    return rows[0]?.name === 'WhatsApp Messenger (App Store)' ? rows : false
  })
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['apple:310633997'],
  )
  const found = await call<Row[]>(app.searches.find_app?.operation.perform, {
    ...as,
    inputData: { q: '310633997' },
  })
  assert.equal(found[0]?.id, 'apple:310633997')
})

test('a search finds reviews by filter and by fingerprint, with the fields of its sample', async () => {
  const search = app.searches.find_review?.operation.perform
  const find = (inputData: Bundle) => call<Row[]>(search, { inputData })
  await trackApp(alice)
  await publishNewReview(radar)
  const filter = { app: 'apple:310633997', stars: '1', text: '', is_bug_report: '' }
  const review = await until('a review is found', async () => (await find(filter))[0])
  const { id, ...row } = review
  assert.deepEqual(reviewRow.parse(row), row)
  assert.equal(id, row.fingerprint)
  const top = (value: unknown) => keyPaths(value).filter((path) => !path.includes('.'))
  assert.deepEqual(top(review), top(load('./samples/review.json')))
  assert.deepEqual(await find({ fingerprint: id }), [review])
  assert.deepEqual(await find({ fingerprint: 'f'.repeat(64) }), [])
  assert.deepEqual(await find({ app: 'apple:310633997', stars: '5' }), [])
  await assert.rejects(find({ stars: 'five' }), /stars must be a list such as 1,2/)
})

test('an action replays dead letters', async () => {
  await using receiver = await startReceiver()
  receiver.answerWith(500)
  await alice.client.subscribe({
    target_url: receiver.url,
    store: 'apple',
    app_id: '310633997',
    event_type: 'review.created',
  })
  await publishNewReview(radar)
  const [dead] = await until('there is a dead letter', async () => {
    const { data } = await alice.client.call<{ data: { event_id: string }[] }>('GET', '/dead-letters')
    return data.length > 0 && data
  })
  receiver.answerWith(204)
  const attempts = receiver.requests.length
  const replayed = await call(app.creates.replay_dead_letters?.operation.perform, {
    inputData: { event_ids: [dead?.event_id, 'f'.repeat(64)] },
  })
  assert.deepEqual(replayed, { replayed: 1, skipped: 1 })
  await receiver.received(attempts + 1)
})
