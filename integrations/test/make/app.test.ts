import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { subscribeBodyOf } from '../../../src/contract/hook.ts'
import { sampleEvent } from '../../../src/contract/sample.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { startTestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { addTrackedApp, dropRating, keyPaths, publishNewReview, trackApp } from '../support/platform.ts'
import type { Scope } from './iml.ts'
import { code, codeOf, communicate, component, exists, manifest } from './make-app.ts'

/** The app of Make: its files are complete, and its calls do what they say. Make itself runs only at the vendor. */

const radar = await startTestService({ RADAR_REVIEWS_POLL_INTERVAL: '200ms' })
after(() => radar[Symbol.asyncDispose]())
addTrackedApp(radar)
const alice = await radar.person('Alice')
const connection = { baseUrl: radar.url, token: alice.token }

const module = (id: string, parameters: Scope) =>
  communicate(code('module', id, 'communication'), { connection, parameters })

type Field = {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly spec?: readonly Field[]
}

test('the manifest names all files, and each is JSON', () => {
  const kinds = Object.values(manifest.components)
  const files = [
    ...Object.values(manifest.generalCodeFiles),
    ...kinds.flatMap((byId) => Object.values(byId).flatMap(({ codeFiles }) => Object.values(codeFiles))),
  ].filter((path) => path !== null)
  assert.deepEqual(
    files.filter((path) => !exists(path)),
    [],
  )
  for (const path of files) if (path.endsWith('.json')) codeOf(path)
  const present = ['connections', 'general', 'modules', 'rpcs', 'webhooks'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, '../../make', folder)).map((name) => `${folder}/${name}`),
  )
  assert.deepEqual(present.sort(), files.filter((path) => path.includes('/')).sort())
})

test('components refer to components that exist', () => {
  const { connection: connections, webhook, module: modules, rpc } = manifest.components
  for (const part of [...Object.values(webhook), ...Object.values(modules), ...Object.values(rpc)])
    if (typeof part.connection === 'string') assert.ok(part.connection in connections, part.label)
  const triggers = Object.values(modules).filter(({ moduleType }) => moduleType === 'instant_trigger')
  assert.deepEqual(triggers.map((trigger) => trigger.webhook).sort(), Object.keys(webhook).sort())
  const groups = codeOf<{ modules: string[] }[]>(manifest.generalCodeFiles.groups ?? '')
  assert.deepEqual(groups.flatMap((group) => group.modules).sort(), Object.keys(modules).sort())
  const rpcs = Object.values(manifest.components)
    .flatMap((byId) => Object.values(byId))
    .flatMap(({ codeFiles }) => Object.values(codeFiles))
    .flatMap((path) => [...JSON.stringify(codeOf(path)).matchAll(/rpc:\/\/(\w+)/g)].map(([, id = '']) => id))
  assert.deepEqual([...new Set(rpcs)].sort(), Object.keys(rpc).sort())
})

/** What the editor of Make accepts in a parameter. */
const PARAMETER_KEYS =
  'name label help type default advanced required multiple validate editable rpc spec options'.split(' ')
const PARAMETER_TYPES = 'any array boolean collection date number password select text uinteger url'.split(
  ' ',
)

test('each parameter has a label, and a type and properties that Make knows', () => {
  const check = (field: Field) => {
    assert.ok(field.label, field.name)
    assert.ok(PARAMETER_TYPES.includes(field.type), `${field.name}: ${field.type}`)
    const unknown = Object.keys(field).filter((key) => !PARAMETER_KEYS.includes(key))
    assert.deepEqual(unknown, [], field.name)
  }
  let count = 0
  for (const byId of Object.values(manifest.components))
    for (const { codeFiles } of Object.values(byId))
      for (const part of ['params', 'staticParams', 'mappableParams', 'interface']) {
        const path = codeFiles[part]
        if (path === undefined) continue
        const fields = codeOf<readonly Field[]>(path)
        fields.forEach(check)
        count += fields.length
      }
  assert.ok(count > 100, `${count} fields were checked`)
})

test('each interface has exactly the fields of its sample', () => {
  for (const [id, { codeFiles }] of Object.entries(manifest.components.module)) {
    const fields = code<readonly Field[]>('module', id, 'interface')
    const named = fields.map(({ name }) => name)
    assert.ok(codeFiles.samples, id)
    assert.deepEqual(named.sort(), Object.keys(codeOf<Scope>(codeFiles.samples)).sort(), id)
  }
  for (const [id, type] of [
    ['watchReviews', 'review.created'],
    ['watchRatingDrops', 'rating.dropped'],
    ['watchRatingRecoveries', 'rating.recovered'],
    ['watchReviewSpikes', 'reviews.spiked'],
  ] as const) {
    const names = (fields: readonly Field[], prefix = ''): string[] =>
      fields.flatMap(({ name, spec, type: kind }) => [
        `${prefix}${name}`,
        ...(kind === 'collection' ? names(spec ?? [], `${prefix}${name}.`) : []),
      ])
    assert.deepEqual(
      names(code<readonly Field[]>('module', id, 'interface')).sort(),
      keyPaths(sampleEvent(type)).sort(),
    )
  }
})

test('a connection is tested and labelled with its account', async () => {
  const check = code<never>('connection', 'reviewRadar', 'communication')
  const { metadata } = await communicate(check, { parameters: connection }, { withBase: false })
  assert.deepEqual(metadata, { type: 'text', value: "Alice (Alice's token)" })
  const wrong = { ...connection, token: 'rsk_wrong' }
  await assert.rejects(communicate(check, { parameters: wrong }, { withBase: false }), /\[401\]/)
})

test('a webhook attaches, receives live events with the keys of its sample, and detaches twice', async () => {
  const app = 'apple:310633997'
  const cases = [
    { id: 'watchReviews', parameters: { app, min_stars: 1, max_stars: 2 }, happen: publishNewReview },
    { id: 'watchRatingDrops', parameters: { app, countries: ['us'], delta: 0.1 }, happen: dropRating },
  ]
  for (const { id, parameters, happen } of cases) {
    await using receiver = await startReceiver()
    const hook = component('module', id).webhook ?? ''
    const { data } = await communicate(code('webhook', hook, 'attach'), {
      connection,
      parameters,
      webhook: { url: receiver.url },
    })
    assert.match(String(data.externalHookId), /^make-/)
    await happen(radar)
    const [request] = await receiver.received(1)
    const event = JSON.parse(String(request?.body))
    assert.deepEqual(Object.keys(event), Object.keys(code('module', id, 'samples')))
    const scope = { connection, webhook: data }
    for (const _ of ['first', 'second']) await communicate(code('webhook', hook, 'detach'), scope)
    assert.deepEqual(await alice.client.listHooks(), [])
  }
})

test('the webhooks for recoveries and spikes attach with their rules', async () => {
  const app = 'apple:310633997'
  const cases = [
    ['ratingRecovery', { app, delta: 0.2 }, ['rating.recovered', 0.2, null, null]],
    ['reviewSpike', { app, spike_min_reviews: 8, spike_factor: 2.5 }, ['reviews.spiked', null, 8, 2.5]],
  ] as const
  for (const [hook, parameters, expected] of cases) {
    const webhook = { url: 'https://example.com/make' }
    const { data } = await communicate(code('webhook', hook, 'attach'), { connection, parameters, webhook })
    const [watch] = (await alice.client.getHook(String(data.externalHookId))).watches
    const { event_type, delta, spike_min_reviews, spike_factor } = watch ?? {}
    assert.deepEqual([event_type, delta, spike_min_reviews, spike_factor], expected)
    await communicate(code('webhook', hook, 'detach'), { connection, webhook: data })
  }
})

test('the service explains a subscription that it rejects', async () => {
  const attach = code<never>('webhook', 'ratingDrop', 'attach')
  const scope = { connection, webhook: { url: 'https://example.com/make' } }
  await assert.rejects(
    communicate(attach, { ...scope, parameters: { app: 'apple:310633997' } }),
    /\[400\] delta is required for rating.dropped/,
  )
})

test('a webhook offers every filter of a subscription', () => {
  const notFilters = [
    'target_type',
    'target_settings',
    'cloudevents',
    'redirect',
    'late_reviews_hours',
    'country',
  ]
  const fields = Object.keys(subscribeBodyOf(['make'], () => null).shape)
  const offered = Object.keys(manifest.components.webhook).flatMap((id) => [
    ...code<readonly Field[]>('webhook', id, 'params').map(({ name }) => name),
    ...Object.keys(code<{ body: object }>('webhook', id, 'attach').body),
  ])
  const missing = fields.filter((name) => !notFilters.includes(name) && !offered.includes(name))
  assert.deepEqual(missing, [])
})

test('the drop-down lists tracked apps', async () => {
  await trackApp(alice)
  const list = () => communicate(code('rpc', 'listApps', 'communication'), { connection, parameters: {} })
  const { outputs } = await until('the name of the app is known', async () => {
    const answer = await list()
    return JSON.stringify(answer.outputs).includes('WhatsApp') && answer
  })
  const expected = [{ label: 'WhatsApp Messenger (apple)', value: 'apple:310633997' }]
  assert.deepEqual(outputs, expected)
  const search = code<never>('rpc', 'searchApps', 'communication')
  const found = await communicate(search, { connection, parameters: { q: '310633997' } })
  assert.deepEqual(found.outputs, expected)
})

test('each module calls the service and outputs the fields of its interface', async () => {
  await publishNewReview(radar, 2)
  const app = 'apple:310633997'
  const all = { app, stars: ['1', '2'], since: new Date(0), limit: 1 }
  const search = () => module('searchReviews', all)
  const {
    outputs: [review],
  } = await until('a review is stored', async () => {
    const answer = await search()
    return answer.outputs.length === 1 && answer
  })
  const { fingerprint } = review as { fingerprint: string }
  const outputs = {
    searchReviews: review,
    getReview: (await module('getReview', { fingerprint })).outputs[0],
    getStatistics: (await module('getStatistics', { app, interval: 'week' })).outputs[0],
    listRatings: (await module('listRatings', { app, limit: 5 })).outputs[0],
    findApps: (await module('findApps', { q: '310633997', limit: 1 })).outputs[0],
  }
  for (const [id, output] of Object.entries(outputs)) {
    const names = code<readonly Field[]>('module', id, 'interface').map(({ name }) => name)
    assert.deepEqual(
      names.filter((name) => !Object.keys(output as Scope).includes(name)),
      [],
      id,
    )
  }
  const { outputs: called } = await module('makeApiCall', {
    url: '/reviews',
    method: 'GET',
    qs: [{ key: 'limit', value: '1' }],
  })
  assert.equal((called[0] as { statusCode: number }).statusCode, 200)
})

test('a search reads pages up to its limit', async () => {
  for (const rating of [3, 4, 5]) await publishNewReview(radar, rating)
  const found = await until('four reviews are stored', async () => {
    const { outputs } = await module('searchReviews', { limit: 1_000 })
    return outputs.length >= 4 && outputs
  })
  const paged = code<Record<string, unknown>>('module', 'searchReviews', 'communication')
  const qs = { ...(paged.qs as Scope), limit: 2 }
  const { outputs } = await communicate({ ...paged, qs } as never, { connection, parameters: { limit: 3 } })
  assert.deepEqual(outputs, found.slice(0, 3))
})

test('dead letters are listed and replayed', async () => {
  await using receiver = await startReceiver()
  receiver.answerWith(500)
  const { id } = await alice.client.subscribe({
    target_url: receiver.url,
    store: 'apple',
    app_id: '310633997',
    event_type: 'review.created',
  })
  await publishNewReview(radar)
  const [dead] = await until('there is a dead letter', async () => {
    const { outputs } = await module('listDeadLetters', { hook_id: id, limit: 10 })
    return outputs.length > 0 && outputs
  })
  const names = code<readonly Field[]>('module', 'listDeadLetters', 'interface').map(({ name }) => name)
  for (const name of names) assert.ok(name in (dead as Scope), name)
  const { event_id } = dead as { event_id: string }
  receiver.answerWith(204)
  const { outputs } = await module('replayDeadLetters', { event_ids: [event_id] })
  assert.deepEqual(outputs, [{ replayed: 1, skipped: 0 }])
})
