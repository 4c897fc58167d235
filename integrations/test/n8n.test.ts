import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { subscribeBodyOf } from '../../src/contract/hook.ts'
import { reviewFilter } from '../../src/contract/v1/reviews.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../src/model/vocabulary.ts'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { publish } from '../../test/support/publish.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { addApp, startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { type ContextOptions, n8nContext, n8nWebhook, type Values } from './support/n8n-context.ts'
import { packN8nPackage } from './support/n8n-package.ts'
import {
  addTrackedApp,
  dropRating,
  publishNewReview,
  startOtherService,
  trackApp,
} from './support/platform.ts'

/** The n8n package as users install it: linted, compiled, packed, and its nodes with the real service. */

const installed = await packN8nPackage()
after(() => installed[Symbol.asyncDispose]())

const radar = await startTestService({
  RADAR_REVIEWS_POLL_INTERVAL: '200ms',
  RADAR_OFFICIAL_POLL_INTERVAL: '200ms',
})
after(() => radar[Symbol.asyncDispose]())
addTrackedApp(radar)

type Field = {
  readonly name: string
  readonly options?: readonly (Field & { readonly value?: unknown })[]
  readonly default?: unknown
}
type NodeClass = new () => {
  readonly description: { readonly properties: readonly Field[] }
  readonly methods: { readonly listSearch: { readonly searchApps: (...args: unknown[]) => Promise<unknown> } }
  readonly webhookMethods: {
    readonly default: Readonly<
      Record<'checkExists' | 'create' | 'delete', (this: unknown) => Promise<boolean>>
    >
  }
  readonly webhook: (this: unknown) => Promise<{ readonly workflowData?: { readonly json: Values }[][] }>
  readonly execute: (this: unknown) => Promise<{ readonly json: Values }[][]>
}
const load = createRequire(join(installed.folder, 'index.js'))
const { ReviewRadarTrigger } = load('./dist/nodes/ReviewRadar/ReviewRadarTrigger.node.js') as Record<
  string,
  NodeClass
>
const { ReviewRadar } = load('./dist/nodes/ReviewRadar/ReviewRadar.node.js') as Record<string, NodeClass>
assert.ok(ReviewRadarTrigger && ReviewRadar)
const trigger = new ReviewRadarTrigger()
const action = new ReviewRadar()
const { checkExists, create, delete: remove } = trigger.webhookMethods.default

const alice = await radar.person('Alice')
const REVIEWS = { event: 'review.created', app: 'apple:310633997', countries: [], minStars: 1, maxStars: 2 }
const RATINGS = {
  event: 'rating.dropped',
  app: '310633997',
  countries: ['us'],
  firesWhen: 'delta',
  delta: 0.1,
}
const contextOf = (parameters: Values, more: Partial<ContextOptions> = {}) =>
  n8nContext({ baseUrl: `${radar.url}/`, token: alice.token, parameters, ...more })

test('the package passes the linter of n8n', async () => {
  await installed.bin('eslint', ['.'])
})

test('the package contains compiled nodes, icons, licence and README, and nothing else', () => {
  const { files } = installed
  const manifest = load('./package.json') as {
    readonly n8n: Readonly<Record<'nodes' | 'credentials', readonly string[]>>
    readonly dependencies?: unknown
  }
  for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
    assert.ok(files.includes(path), path)
  assert.equal(manifest.dependencies, undefined)
  const other = files.filter((path) => !/^dist\/.*\.(js|d\.ts|json|svg)$/.test(path))
  assert.deepEqual(other.sort(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(files.includes('dist/icons/reviewRadar.svg'))
})

test('the drop-downs offer all values of the API', () => {
  const field = (properties: readonly Field[] | undefined, name: string) =>
    properties?.find((each) => each.name === name)
  const values = (found: Field | undefined) =>
    (found?.options ?? []).map(({ value }) => String(value)).filter((value) => value !== '')
  const { properties } = action.description
  const [filters] = properties.filter(({ name, options }) => name === 'filters' && field(options, 'theme'))
  assert.deepEqual(values(field(filters?.options, 'theme')).sort(), [...THEMES].sort())
  assert.deepEqual(values(field(filters?.options, 'sentiment')).sort(), [...SENTIMENTS].sort())
  assert.deepEqual(values(field(filters?.options, 'severity')).sort(), [...SEVERITIES].sort())
  assert.deepEqual(values(field(trigger.description.properties, 'countries')).sort(), [...STOREFRONTS].sort())
  const offered = (filters?.options ?? []).map(({ name }) => name)
  const wanted = Object.keys(reviewFilter.shape).filter((name) => name !== 'store' && name !== 'app_id')
  assert.deepEqual(offered.sort(), wanted.sort())
})

for (const [name, parameters, happen] of [
  ['new reviews', REVIEWS, publishNewReview],
  ['rating drops', RATINGS, dropRating],
] as const) {
  test(`the trigger receives ${name}, rejects forged requests and removes its hook`, async () => {
    await using receiver = await startReceiver()
    const context = contextOf(parameters, { targetUrl: receiver.url })
    assert.equal(await checkExists.call(context), false)
    assert.equal(await create.call(context), true)
    // After a restart only the static data is left.
    const restarted = contextOf(parameters, {
      targetUrl: receiver.url,
      staticData: structuredClone(context.staticData),
    })
    assert.equal(await checkExists.call(restarted), true)
    await happen(radar)
    const [request] = await receiver.received(1)
    assert.ok(request)
    const webhook = n8nWebhook(restarted.staticData, request)
    const { workflowData } = await trigger.webhook.call(webhook)
    assert.deepEqual(workflowData?.[0]?.[0]?.json, JSON.parse(request.body.toString()))
    const forged = n8nWebhook(restarted.staticData, { ...request, body: Buffer.from('{}') })
    assert.equal((await trigger.webhook.call(forged)).workflowData, undefined)
    assert.deepEqual(forged.answered, { status: 401, body: { error: 'The signature is wrong.' } })
    assert.equal(await remove.call(restarted), true)
    assert.deepEqual(await alice.client.listHooks(), [])
    assert.equal(await remove.call(context), true)
  })
}

test('the trigger replaces its hook when the parameters changed, the hook is missing or its secret is lost', async () => {
  const targetUrl = 'https://example.com/webhook/1'
  const context = contextOf(REVIEWS, { targetUrl })
  await create.call(context)
  const changed = contextOf({ ...REVIEWS, maxStars: 3 }, { targetUrl, staticData: context.staticData })
  assert.equal(await checkExists.call(changed), false)
  assert.deepEqual(await alice.client.listHooks(), [])
  await create.call(changed)
  const [hook] = await alice.client.listHooks()
  assert.deepEqual([hook?.source, hook?.max_stars], ['n8n', 3])
  await alice.client.unsubscribe(hook?.id ?? '')
  assert.equal(await checkExists.call(changed), false)
  await create.call(changed)
  const forgetful = contextOf(REVIEWS, { targetUrl })
  assert.equal(await checkExists.call(forgetful), false)
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('a test in the editor gets a sample event and leaves the hook of the active workflow alone', async () => {
  await using receiver = await startReceiver()
  const staticData = {}
  const active = contextOf(REVIEWS, { targetUrl: 'https://example.com/webhook/2', staticData })
  await create.call(active)
  const manual = contextOf(REVIEWS, { targetUrl: receiver.url, staticData, isManual: true })
  assert.equal(await checkExists.call(manual), false)
  await create.call(manual)
  const [request] = await receiver.received(1)
  assert.ok(request)
  const { workflowData } = await trigger.webhook.call(n8nWebhook(staticData, request))
  assert.equal(workflowData?.[0]?.[0]?.json.event_type, 'review.created')
  await remove.call(manual)
  assert.deepEqual(
    (await alice.client.listHooks()).map((hook) => hook.target_url),
    ['https://example.com/webhook/2'],
  )
  await remove.call(active)
})

test('a sample event that does not arrive is logged with its reason', async () => {
  const manual = contextOf(REVIEWS, { targetUrl: 'http://127.0.0.1:1/', isManual: true })
  await create.call(manual)
  await until('a warning is logged', () => manual.warnings.length > 0)
  assert.match(manual.warnings[0] ?? '', /could not deliver the sample event to n8n: connect_refused/)
  await remove.call(manual)
})

test('errors have the message of the service', async () => {
  const targetUrl = 'https://example.com/webhook/3'
  await assert.rejects(
    create.call(contextOf({ ...RATINGS, delta: 9 }, { targetUrl })),
    /delta must be a number from 0 to 4/,
  )
  await assert.rejects(create.call(contextOf({ ...REVIEWS, app: '??' }, { targetUrl })), /App must be/)
  await assert.rejects(
    create.call(contextOf(REVIEWS, { targetUrl, token: 'rsk_wrong' })),
    (error: { message: string; description: string }) =>
      /token/.test(error.message) && /wrong, expired or revoked/.test(error.description),
  )
  await assert.rejects(
    create.call(contextOf(REVIEWS, { targetUrl, baseUrl: 'http://127.0.0.1:1' })),
    /Review Radar does not answer at http:\/\/127.0.0.1:1/,
  )
  await using other = await startOtherService()
  await assert.rejects(
    create.call(contextOf(REVIEWS, { targetUrl, baseUrl: other.url })),
    /Review Radar does not answer at .*, but another service/,
  )
})

test('an app is given by list, link, number or package', async () => {
  const targetUrl = 'https://example.com/webhook/4'
  for (const [app, expected] of [
    ['https://apps.apple.com/us/app/whatsapp-messenger/id310633997?l=en', 'apple 310633997'],
    ['https://play.google.com/store/apps/details?hl=en&id=com.whatsapp', 'google com.whatsapp'],
    ['com.whatsapp', 'google com.whatsapp'],
    ['310633997', 'apple 310633997'],
    ['google:com.whatsapp', 'google com.whatsapp'],
  ] as const) {
    const context = contextOf({ ...REVIEWS, app }, { targetUrl })
    await create.call(context)
    const [hook] = await alice.client.listHooks()
    assert.equal(`${hook?.store} ${hook?.app_id}`, expected)
    await remove.call(context)
  }
})

test('a rating trigger sends its rule: drop, window and threshold', async () => {
  const rules = [
    [{ firesWhen: 'delta', deltaWindowHours: 72 }, [0.1, 72, null]],
    [{ firesWhen: 'threshold', threshold: 4, deltaWindowHours: 72 }, [null, null, 4]],
    [{ firesWhen: 'both', threshold: 4, deltaWindowHours: 0 }, [0.1, null, 4]],
  ] as const
  for (const [parameters, expected] of rules) {
    const context = contextOf({ ...RATINGS, ...parameters }, { targetUrl: 'https://example.com/webhook/6' })
    await create.call(context)
    const [hook] = await alice.client.listHooks()
    const [watch] = (await alice.client.getHook(hook?.id ?? '')).watches
    assert.deepEqual([watch?.delta, watch?.delta_window_hours, watch?.threshold], expected)
    await remove.call(context)
  }
})

test('the triggers for recoveries and spikes send their rules', async () => {
  const rules = [
    [
      { event: 'rating.recovered', firesWhen: 'delta', deltaWindowHours: 72 },
      ['rating.recovered', 0.1, 72, null, null],
    ],
    [
      { event: 'reviews.spiked', spikeMinReviews: 8, spikeFactor: 2.5 },
      ['reviews.spiked', null, null, 8, 2.5],
    ],
  ] as const
  for (const [parameters, expected] of rules) {
    const context = contextOf({ ...RATINGS, ...parameters }, { targetUrl: 'https://example.com/webhook/7' })
    await create.call(context)
    const [hook] = await alice.client.listHooks()
    const [watch] = (await alice.client.getHook(hook?.id ?? '')).watches
    const { event_type, delta, delta_window_hours, spike_min_reviews, spike_factor } = watch ?? {}
    assert.deepEqual([event_type, delta, delta_window_hours, spike_min_reviews, spike_factor], expected)
    await remove.call(context)
  }
})

test('the filters arrive as the user entered them', async () => {
  const filters = {
    keywords: 'crash, lost data,',
    excluded_keywords: '',
    app_versions: '4.*',
    sentiments: ['negative'],
    severities: [],
    is_bug_report: false,
  }
  const targetUrl = 'https://example.com/webhook/5'
  const context = contextOf({ ...REVIEWS, countries: ['us', 'de'], filters }, { targetUrl })
  await create.call(context)
  const [hook] = await alice.client.listHooks()
  const [watch] = (await alice.client.getHook(hook?.id ?? '')).watches
  assert.deepEqual(
    [watch?.keywords, watch?.excluded_keywords, watch?.app_versions, watch?.sentiments, watch?.severities],
    [['crash', 'lost data'], null, ['4.*'], ['negative'], null],
  )
  assert.deepEqual([watch?.countries?.toSorted(), watch?.is_bug_report], [['de', 'us'], false])
  assert.equal(await checkExists.call(context), true)
  await remove.call(context)
})

test('the search lists tracked apps, then those that the stores find', async () => {
  const carol = await radar.person('Carol')
  const context = contextOf({}, { token: carol.token })
  const search = (text?: string) =>
    action.methods.listSearch.searchApps.call(context, text) as Promise<{ results: Values[] }>
  assert.deepEqual(await search(), { results: [] })
  assert.deepEqual(
    (await search('310633997')).results.map(({ value }) => value),
    ['apple:310633997'],
  )
  await trackApp(carol)
  const { results } = await until('the name of the app is known', async () => {
    const found = await search('whats')
    return found.results.length === 1 && found
  })
  assert.match(String(results[0]?.name), /^WhatsApp Messenger \(App Store/)
  // The id is not part of the name.
  assert.equal((await search('310633997')).results.length, 1)
})

test('the action reads reviews, ratings, statistics and apps', async () => {
  await trackApp(alice)
  await publishNewReview(radar, 1)
  await publishNewReview(radar, 2)
  const execute = async (parameters: Values) => {
    const [items] = await action.execute.call(contextOf(parameters))
    return (items ?? []).map(({ json }) => json)
  }
  const list = { operation: 'getAll', returnAll: true, app: 'apple:310633997', filters: {} }
  const reviews = await until('both reviews are stored', async () => {
    const rows = await execute({ ...list, resource: 'review' })
    return rows.length >= 2 && rows
  })
  const filters = { stars: ['2'], since: '2020-01-01T00:00:00', text: '' }
  const filtered = await execute({ ...list, resource: 'review', filters })
  assert.ok(filtered.length >= 1 && filtered.every(({ rating }) => rating === 2))
  const limited = await execute({ ...list, resource: 'review', returnAll: false, limit: 1 })
  assert.deepEqual(limited, reviews.slice(0, 1))
  const { fingerprint } = reviews[0] ?? {}
  const [one] = await execute({ resource: 'review', operation: 'get', fingerprint })
  assert.equal(one?.fingerprint, fingerprint)
  assert.ok((await execute({ ...list, resource: 'rating' })).length > 0)
  assert.equal((await execute({ ...list, resource: 'app' }))[0]?.app_id, '310633997')
  const found = await execute({ resource: 'app', operation: 'search', query: '310633997' })
  assert.equal(found[0]?.store, 'apple')
  const [statistics] = await execute({
    resource: 'statistics',
    operation: 'get',
    interval: 'week',
    app: '',
    // The newest review may be dated a second ahead.
    filters: { until: new Date(Date.now() + 60_000) },
  })
  assert.ok(Number(statistics?.reviews) >= 2)
  const wrong = { ...list, resource: 'review', filters: { since: 'soon' } }
  await assert.rejects(execute(wrong), /since must be a date and time: soon is not/)
  const [failed] = await action.execute.call(contextOf(wrong, { continueOnFail: true }))
  assert.match(String(failed?.[0]?.json.error), /since must be a date/)
})

test('the action lists and replays dead letters', async () => {
  await using receiver = await startReceiver()
  receiver.answerWith(500)
  const { id } = await alice.client.subscribe({
    target_url: receiver.url,
    store: 'apple',
    app_id: '310633997',
    event_type: 'review.created',
  })
  await publishNewReview(radar)
  const execute = async (parameters: Values) => {
    const [items] = await action.execute.call(contextOf({ resource: 'deadLetter', app: '', ...parameters }))
    return (items ?? []).map(({ json }) => json)
  }
  const filters = { hook_id: id }
  const [dead] = await until('there is a dead letter', async () => {
    const rows = await execute({ operation: 'getAll', returnAll: true, filters })
    return rows.length > 0 && rows
  })
  const replayed = await execute({ operation: 'replay', eventIds: `${dead?.event_id}, ${'f'.repeat(64)}` })
  assert.deepEqual(replayed, [{ replayed: 1, skipped: 1 }])
  await until('it is dead again', async () => {
    const rows = await execute({ operation: 'getAll', returnAll: true, filters })
    return rows.length > 0 && rows
  })
  receiver.answerWith(204)
  const [bulk] = await execute({ operation: 'replayAll', filters })
  assert.equal(bulk?.total, 1)
})

test('the trigger offers every filter of a subscription', () => {
  const known: Readonly<Record<string, string>> = {
    store: 'app',
    app_id: 'app',
    event_type: 'event',
    countries: 'countries',
    country: 'countries',
    min_stars: 'minStars',
    max_stars: 'maxStars',
    delta: 'delta',
    delta_window_hours: 'deltaWindowHours',
    threshold: 'threshold',
    spike_min_reviews: 'spikeMinReviews',
    spike_factor: 'spikeFactor',
  }
  const notFilters = ['target_type', 'target_settings', 'target_url', 'source', 'external_ref', 'cloudevents']
  const body = subscribeBodyOf(['n8n'], () => null)
  const fields = Object.keys(body.shape).filter((name) => !notFilters.includes(name))
  const { properties } = trigger.description
  const filters = properties.find(({ name }) => name === 'filters')
  const parameters = [...properties, ...(filters?.options ?? [])].map(({ name }) => name)
  assert.deepEqual(
    fields.filter((name) => !parameters.includes(known[name] ?? name)),
    [],
  )
})

test('the action replies to a review of a connected app', async () => {
  const place = { store: 'apple', appId: '300077', market: 'us' } as const
  addApp(radar.world, place)
  const { client } = alice
  const { keyId, issuerId, privateKey } = createAppleKey(radar.world, { appIds: [place.appId] })
  const body = { kind: 'appstoreconnect', issuer_id: issuerId, key_id: keyId, private_key: privateKey }
  const { id } = await client.call<{ id: string }>('POST', '/store-connections', { body })
  await client.call('PUT', '/tracked-apps/apple/300077', { body: { countries: ['us'] } })
  await client.call('PUT', `/store-connections/${id}/apps/${place.appId}`)
  publish(radar, place)
  const review = await until('the review is stored', async () => {
    const { data } = await client.listReviews({ store: 'apple', app_id: place.appId })
    return data.find(({ source }) => source === 'appstoreconnect')
  })
  const execute = async (replyText: string) => {
    const parameters = { resource: 'review', operation: 'reply', fingerprint: review.fingerprint, replyText }
    const [items] = await action.execute.call(contextOf(parameters))
    return items?.[0]?.json
  }
  assert.equal((await execute('Thank you!'))?.text, 'Thank you!')
  await until('the store has the answer', async () => {
    const reply = await client.call<{ state: string }>('GET', `/reviews/${review.fingerprint}/reply`)
    return reply.state === 'sent' || reply.state === 'published'
  })
  await assert.rejects(execute('x'.repeat(10_001)), /text/)
})
