import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { listen } from '../../test/support/listen.ts'
import type { Person } from '../../test/support/people.ts'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { pipedreamSource as source } from './support/modules.ts'
import {
  addTrackedApp,
  dropRating,
  publishNewReview,
  startOtherService,
  trackApp,
} from './support/platform.ts'

/** The source of Pipedream with a stand-in for its runtime and the real service. */

const radar = await startTestService({ RADAR_REVIEWS_POLL_INTERVAL: '200ms' })
after(() => radar[Symbol.asyncDispose]())
addTrackedApp(radar)

type Emitted = { readonly event: unknown; readonly meta: Readonly<Record<string, unknown>> }

/** `this` of the source's functions, with an endpoint that runs the source. */
async function deploy(person: Person, props: Readonly<Record<string, unknown>> = {}) {
  const emitted: Emitted[] = []
  const stored = new Map<string, unknown>()
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const bodyRaw = (await buffer(request)).toString('utf8')
    const respond = ({ status, body }: { status: number; body?: unknown }) => {
      statuses.push(status)
      response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body))
    }
    const context = { ...self, http: { ...self.http, respond } }
    await source.run.call(context, { headers: request.headers, bodyRaw, body: JSON.parse(bodyRaw) })
  })
  const listening = await listen(server)
  const self = {
    ...source.methods,
    eventType: 'review.created',
    app: 'apple:310633997',
    baseUrl: `${radar.url}/`,
    token: person.token,
    ...props,
    http: { endpoint: `${listening.url}/source` },
    db: {
      get: (key: string) => stored.get(key),
      set: (key: string, value: unknown) => stored.set(key, value),
    },
    $emit: (event: unknown, meta: Emitted['meta']) => emitted.push({ event, meta }),
  }
  return {
    self,
    emitted,
    stored,
    statuses,
    activate: () => source.hooks.activate?.call(self),
    deactivate: () => source.hooks.deactivate?.call(self),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

test('an activated source emits new reviews and rating drops with their event id', async () => {
  const alice = await radar.person('Alice')
  const cases = [
    { props: { maxStars: 2 }, happen: publishNewReview, summary: /^★ Title/ },
    { props: { eventType: 'rating.dropped' }, happen: dropRating, summary: /^4.5 → 4.1: apple 310633997$/ },
  ]
  for (const { props, happen, summary } of cases) {
    await using deployed = await deploy(alice, props)
    await deployed.activate()
    await happen(radar)
    const [first] = await until('an event is emitted', () => deployed.emitted.length > 0 && deployed.emitted)
    const event = first?.event as { event_id: string; occurred_at: string }
    assert.equal(first?.meta.id, event.event_id)
    assert.equal(first?.meta.ts, Date.parse(event.occurred_at))
    assert.match(String(first?.meta.summary), summary)
    assert.deepEqual(deployed.statuses, [204])
    await deployed.deactivate()
    assert.deepEqual(await alice.client.listHooks(), [])
    await deployed.deactivate()
  }
})

test('a request with a wrong or missing signature is rejected', async () => {
  const bob = await radar.person('Bob')
  await using deployed = await deploy(bob)
  await deployed.activate()
  const post = (headers: Readonly<Record<string, string>>) =>
    fetch(deployed.self.http.endpoint, { method: 'POST', headers, body: '{}' })
  const now = String(Math.floor(Date.now() / 1000))
  assert.equal((await post({})).status, 401)
  const signed = { 'webhook-id': 'x', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' }
  assert.equal((await post(signed)).status, 401)
  assert.deepEqual(deployed.emitted, [])
})

test('the drop-down lists tracked apps and those that the stores find', async () => {
  const carol = await radar.person('Carol')
  await using deployed = await deploy(carol)
  const options = (query?: string) => source.methods.appOptions?.call(deployed.self, query)
  assert.deepEqual(await options(), [])
  assert.deepEqual(await options('310633997'), [
    { label: 'WhatsApp Messenger (App Store)', value: 'apple:310633997' },
  ])
  await trackApp(carol)
  await until('the name of the app is known', async () =>
    JSON.stringify(await options()).includes('WhatsApp'),
  )
})

test('the source sends the filters with a value', async () => {
  const erin = await radar.person('Erin')
  const filters = { keywords: ['crash'], themes: [], isBugReport: false, countries: ['de'] }
  await using deployed = await deploy(erin, filters)
  await deployed.activate()
  const [hook] = await erin.client.listHooks()
  const [watch] = (await erin.client.getHook(hook?.id ?? '')).watches
  assert.deepEqual(
    [watch?.keywords, watch?.themes, watch?.is_bug_report, watch?.countries],
    [['crash'], null, false, ['de']],
  )
  await deployed.deactivate()
})

test('the source sends the rules of recoveries and spikes', async () => {
  const frank = await radar.person('Frank')
  const rules = [
    [{ eventType: 'rating.recovered' }, ['rating.recovered', 0.1, null, null]],
    [
      { eventType: 'reviews.spiked', spikeMinReviews: 8, spikeFactor: '2.5' },
      ['reviews.spiked', null, 8, 2.5],
    ],
  ] as const
  for (const [props, expected] of rules) {
    await using deployed = await deploy(frank, props)
    await deployed.activate()
    const [hook] = await frank.client.listHooks()
    const [watch] = (await frank.client.getHook(hook?.id ?? '')).watches
    const { event_type, delta, spike_min_reviews, spike_factor } = watch ?? {}
    assert.deepEqual([event_type, delta, spike_min_reviews, spike_factor], expected)
    await deployed.deactivate()
  }
})

test('errors name what is wrong', async () => {
  const dave = await radar.person('Dave')
  await using wrongApp = await deploy(dave, { app: 'WhatsApp' })
  await assert.rejects(async () => wrongApp.activate(), /App must be a value such as .*"WhatsApp" is not/)
  await using wrongRule = await deploy(dave, { eventType: 'rating.dropped', delta: '9' })
  await assert.rejects(async () => wrongRule.activate(), /delta must be a number from 0 to 4/)
  await using wrongToken = await deploy({ ...dave, token: 'rsk_wrong' })
  await assert.rejects(async () => wrongToken.activate(), /token/)
  await using unreachable = await deploy(dave, { baseUrl: 'http://127.0.0.1:1' })
  await assert.rejects(async () => unreachable.activate(), /does not answer at .*127.0.0.1:1: ./)
  await using other = await startOtherService()
  await using elsewhere = await deploy(dave, { baseUrl: other.url })
  await assert.rejects(async () => elsewhere.activate(), /does not answer at .*, but another service/)
})
