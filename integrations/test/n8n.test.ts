import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { reviewFilter } from '../../src/contract/v1/reviews.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../src/model/vocabulary.ts'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { publish } from '../../test/support/publish.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { addApp } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { readJson } from './support/files.ts'
import type { Values } from './support/n8n-context.ts'
import { type Field, n8nNodes, startServiceForNodes } from './support/n8n-nodes.ts'
import { packN8nPackage } from './support/n8n-package.ts'
import { publishNewReview, trackApp } from './support/platform.ts'

/** The n8n package as users install it: linted, compiled, packed, and its action with the real service. */

const installed = await packN8nPackage()
after(() => installed[Symbol.asyncDispose]())
const service = await startServiceForNodes()
after(() => service[Symbol.asyncDispose]())
const { radar, alice, contextOf } = service
const { action, trigger } = n8nNodes(installed)

test('the package passes the linter of n8n', async () => {
  await installed.bin('eslint', ['.'])
})

test('the package contains compiled nodes, icons, licence and README, and nothing else', () => {
  const { files } = installed
  const manifest = readJson<{
    readonly n8n: Readonly<Record<'nodes' | 'credentials', readonly string[]>>
    readonly dependencies?: unknown
  }>('n8n/package.json')
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

test('the action reads dates without a zone in that of the workflow', async () => {
  const until = async (date: unknown) => {
    const parameters = { resource: 'statistics', operation: 'get', interval: 'day', app: '' }
    const filters = { since: '2026-03-01T00:00:00Z', until: date }
    const context = contextOf({ ...parameters, filters }, { timezone: 'Pacific/Auckland' })
    const [items] = await action.execute.call(context)
    return items?.[0]?.json.until
  }
  // Noon in Auckland, in summer and winter time.
  assert.equal(await until('2026-03-10T12:00:00'), '2026-03-09T23:00:00.000Z')
  assert.equal(await until('2026-04-10 12:00'), '2026-04-10T00:00:00.000Z')
  assert.equal(await until('2026-03-10T12:00:00+01:00'), '2026-03-10T11:00:00.000Z')
  assert.equal(await until(Date.UTC(2026, 2, 10)), '2026-03-10T00:00:00.000Z')
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
