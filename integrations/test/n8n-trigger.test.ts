import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { subscribeBodyOf } from '../../src/contract/hook.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { until } from '../../test/support/until.ts'
import { n8nWebhook } from './support/n8n-context.ts'
import { n8nNodes, startServiceForNodes } from './support/n8n-nodes.ts'
import { compileN8nPackage } from './support/n8n-package.ts'
import { dropRating, publishNewReview, startOtherService } from './support/platform.ts'

/** The trigger node of the n8n package, compiled, with the real service. */

const installed = await compileN8nPackage()
after(() => installed[Symbol.asyncDispose]())
const service = await startServiceForNodes()
after(() => service[Symbol.asyncDispose]())
const { radar, alice, contextOf } = service
const { trigger } = n8nNodes(installed)
const { checkExists, create, delete: remove } = trigger.webhookMethods.default

const REVIEWS = { event: 'review.created', app: 'apple:310633997', countries: [], minStars: 1, maxStars: 2 }
const RATINGS = {
  event: 'rating.dropped',
  app: '310633997',
  countries: ['us'],
  firesWhen: 'delta',
  delta: 0.1,
}

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

test('the hook moves when the public URL of n8n has changed, and is removed from the old one', async () => {
  await using receiver = await startReceiver()
  const staticData = {}
  const at = (base: string, path = 'webhook') =>
    contextOf(REVIEWS, { targetUrl: `${base}/${path}/9f7c6a/webhook`, staticData })
  const targetsOf = async () => (await alice.client.listHooks()).map(({ target_url }) => target_url)
  await create.call(at('https://old.example'))
  const [hook] = await alice.client.listHooks()

  const moved = at(`${receiver.url.replace(/\/$/, '')}/n8n`)
  assert.equal(await checkExists.call(moved), true)
  const [after] = await alice.client.listHooks()
  assert.deepEqual([after?.id, after?.target_url], [hook?.id, moved.getNodeWebhookUrl()])
  await publishNewReview(radar)
  const [request] = await receiver.received(1)
  assert.ok(request)
  assert.notEqual((await trigger.webhook.call(n8nWebhook(staticData, request))).workflowData, undefined)

  assert.equal(await checkExists.call(at('https://new.example', 'webhook-test')), false)
  assert.deepEqual(await targetsOf(), [moved.getNodeWebhookUrl()])
  assert.equal(await remove.call(at('https://new.example')), true)
  assert.deepEqual(await targetsOf(), [])
})

test('a hook at an old URL of n8n whose secret is lost is removed', async () => {
  const targetUrl = 'https://old.example/webhook/1b2c3d/webhook'
  await create.call(contextOf(REVIEWS, { targetUrl }))
  const forgetful = contextOf(REVIEWS, { targetUrl: 'https://new.example/webhook/1b2c3d/webhook' })
  assert.equal(await checkExists.call(forgetful), false)
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('the trigger creates a hook again that was deleted at the service, and reports it', async () => {
  await using receiver = await startReceiver()
  const context = contextOf(REVIEWS, { targetUrl: receiver.url })
  await create.call(context)
  await trigger.trigger.call(context)
  const [deleted] = await alice.client.listHooks()
  await alice.client.unsubscribe(deleted?.id ?? '')
  await Promise.all(context.ticks.map((tick) => tick()))
  assert.equal(context.errors.length, 1)
  assert.match(context.errors[0]?.message ?? '', /hook of this workflow no longer exists/)
  const [hook, ...others] = await alice.client.listHooks()
  assert.deepEqual([hook?.target_url, hook?.max_stars, others], [receiver.url, 2, []])
  await publishNewReview(radar)
  const [request] = await receiver.received(1)
  assert.ok(request)
  assert.notEqual(
    (await trigger.webhook.call(n8nWebhook(context.staticData, request))).workflowData,
    undefined,
  )
  await remove.call(context)
})

test('the trigger leaves a hook alone that the service has, and logs a service that does not answer', async () => {
  const targetUrl = 'https://example.com/webhook/8'
  const context = contextOf(REVIEWS, { targetUrl })
  await create.call(context)
  const before = await alice.client.listHooks()
  await trigger.trigger.call(context)
  const { staticData } = context
  const unreachable = contextOf(REVIEWS, { targetUrl, staticData, baseUrl: 'http://127.0.0.1:1' })
  await trigger.trigger.call(unreachable)
  await Promise.all([...context.ticks, ...unreachable.ticks].map((tick) => tick()))
  assert.match(unreachable.warnings[0] ?? '', /could not be checked: Review Radar does not answer/)
  assert.deepEqual([context.errors, unreachable.errors], [[], []])
  assert.deepEqual(await alice.client.listHooks(), before)
  await remove.call(context)
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
  const notFilters = [
    'target_type',
    'target_settings',
    'target_url',
    'source',
    'external_ref',
    'cloudevents',
    'redirect',
    'late_reviews_hours',
  ]
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
