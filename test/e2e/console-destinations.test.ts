import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import type { AttemptView } from '../../src/contract/attempt.ts'
import type { CreatedDestination, WatchPreview } from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { CreatedToken } from '../../src/contract/console/people.ts'
import type { HookDetail } from '../../src/contract/hook.ts'
import type { NewSecret } from '../../src/contract/v1/hook-actions.ts'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { APP, startConsoleArea } from '../support/console-area.ts'
import { signatureOf } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { running, receiver, ann, fetchJson, fetchError, trackStorefronts, newDestination, page, write } = area
await trackStorefronts()

let destination: CreatedDestination
const hook = () => `/v1/hooks/${destination.id}`
const read = () => page(destination.id)

describe('a destination created in the console', () => {
  it('a new destination says when its first reviews are expected', async () => {
    const { id, createdAt, firstReviewsAt } = await page((await newDestination()).id)
    const hours = (Date.parse(firstReviewsAt ?? '') - Date.parse(createdAt)) / 3_600_000
    assert.equal(hours, 28)
    await fetchJson('DELETE', `/v1/hooks/${id}`)
  })

  it('a destination created in the console shows its secret once and describes what it sends', async () => {
    destination = await newDestination()
    assert.match(destination.secret, /^whsec_/)
    assert.match(destination.id, /^console-[0-9a-f]{40}$/)
    const shown = await read()
    assert.equal(shown.editable, true)
    assert.equal(
      shown.watches[0]?.sentence,
      'New reviews with 1 to 3 stars of Sample Notes in the United States.',
    )
    assert.ok(!JSON.stringify(shown).includes(destination.secret))
    assert.ok(!(await ann.request('GET', '/destinations')).text.includes(destination.secret))
  })

  it('a destination created in the console sends a signed sample and shows request and response', async () => {
    receiver.answerWith(200, { 'content-type': 'text/html', 'x-own': 'yes' }, '<script>alert(1)</script>')
    const attempt = await fetchJson<AttemptView>('POST', `${hook()}/test`)
    const { request_body: body } = attempt
    const [request] = await receiver.received(1)
    assert.equal(request?.body.toString(), body)
    assert.equal(request?.headers['x-radar-signature'], signatureOf(Buffer.from(body), destination.secret))
    assert.equal(attempt.http_status, 200)
    assert.equal(attempt.response_body, '<script>alert(1)</script>')
    assert.equal(attempt.response_headers['x-own'], 'yes')
    assert.doesNotMatch(JSON.stringify(attempt.request_headers), /sha256=[0-9a-f]{64}/)
    const drop = await fetchJson<AttemptView>('POST', `${hook()}/test?event_type=rating.dropped`)
    assert.equal(JSON.parse(drop.request_body).event_type, 'rating.dropped')
    assert.equal((await read()).tests.length, 2)
    assert.equal((await fetchJson<Overview>('GET', '/overview')).steps.delivered, true)
  })

  it('a destination created in the console sends at most ten test events per minute', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 9; i += 1) statuses.push((await ann.request('POST', `${hook()}/test`)).status)
    assert.deepEqual(statuses.slice(0, 8), Array(8).fill(200))
    assert.equal(statuses[8], 429)
  })

  it('a destination created in the console previews a subscription on the latest reviews', async () => {
    write({ rating: 1, title: 'Crash', body: 'It crashes on every start since the update. 落ちる' })
    write({ rating: 5, title: 'Love', body: 'Love it' })
    await until(
      'both reviews are stored',
      async () => (await fetchJson<ReviewPage>('GET', '/v1/reviews')).data.length === 2,
    )
    const watch = { store: 'apple', app_id: APP, event_type: 'review.created' }
    const all = await fetchJson<WatchPreview>('POST', '/watches/preview', watch)
    assert.deepEqual([all.matched, all.looked], [2, 2])
    const low = await fetchJson<WatchPreview>('POST', '/watches/preview', {
      ...watch,
      max_stars: 2,
      countries: ['us'],
    })
    assert.deepEqual([low.matched, low.looked], [1, 2])
    assert.deepEqual(
      low.hits.map(({ rating, title }) => [rating, title]),
      [[1, 'Crash']],
    )
    assert.equal((await ann.request('GET', `/v1/reviews/${low.hits[0]?.fingerprint}`)).status, 200)
    assert.equal(low.sentence, 'New reviews with 1 to 2 stars of Sample Notes in the United States.')
    const worded = await fetchJson<WatchPreview>('POST', '/watches/preview', {
      ...watch,
      keywords: ['落ち', 'x'],
      excluded_keywords: ['love'],
      competitors: [],
    })
    assert.deepEqual([worded.matched, worded.looked], [1, 2])
    assert.match(worded.sentence, /that contain “x” or “落ち”, without “love”\.$/)
    const elsewhere = { ...watch, countries: ['de', 'fr'] }
    const none = await fetchJson<WatchPreview>('POST', '/watches/preview', elsewhere)
    assert.deepEqual([none.matched, none.looked, none.hits], [0, 0, []])
    assert.match(
      await fetchError(400, 'POST', '/watches/preview', {
        ...watch,
        keywords: Array(21).fill('a'),
      }),
      /^keywords must be a list of at most 20 texts/,
    )
    const bad = await fetchError(400, 'POST', '/watches/preview', { ...watch, min_stars: 4, max_stars: 2 })
    assert.match(bad, /^min_stars must be at most max_stars/)
    assert.match(
      await fetchError(400, 'POST', '/watches/preview', { ...watch, event_type: 'rating.dropped' }),
      /^delta is required for rating.dropped/,
    )
  })

  it('a destination created in the console is edited, paused and resumed, and its secret is rotated', async () => {
    const rule = { store: 'apple', app_id: APP, event_type: 'rating.dropped' }
    await fetchJson('POST', `${hook()}/watches`, { ...rule, delta: 0.1 })
    const added = (await read()).watches.find(({ event_type }) => event_type === 'rating.dropped')
    assert.equal(
      added?.sentence,
      'When the rating of Sample Notes in the United States falls by 0.1 or more.',
    )
    await fetchJson('PUT', `${hook()}/watches/${added?.id}`, { ...rule, threshold: 4 })
    assert.equal((await read()).watches.find(({ id }) => id === added?.id)?.threshold, 4)
    await fetchJson('DELETE', `${hook()}/watches/${added?.id}`)
    assert.equal((await read()).watches.length, 1)
    await fetchError(404, 'DELETE', `${hook()}/watches/${added?.id}`)
    await fetchJson('PUT', `${hook()}/status`, { status: 'paused' })
    assert.equal((await read()).status, 'paused')
    await fetchJson('PUT', `${hook()}/status`, { status: 'active' })
    assert.equal((await read()).status, 'active')
    await fetchJson('PATCH', hook(), { rate_per_second: 100 })
    assert.equal((await read()).ratePerSecond, 100)
    await fetchJson('PATCH', hook(), { rate_per_second: null })
    const { secret } = await fetchJson<NewSecret>('POST', `${hook()}/secret`, { overlap_hours: 1 })
    assert.notEqual(secret, destination.secret)
    assert.equal((await read()).oldSecretsExpireAt.length, 1)
    await fetchJson('DELETE', `${hook()}/old-secrets`)
    assert.deepEqual((await read()).oldSecretsExpireAt, [])
    destination = { ...destination, secret }
  })

  it('a destination created in the console rejects a blocked target with the reason', async () => {
    for (const targetUrl of [
      'ftp://example.com',
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'x',
      'https://a b',
    ]) {
      assert.match(
        await fetchError(400, 'POST', '/destinations', { target_url: targetUrl }),
        /^target_url .+\.$/,
        targetUrl,
      )
      assert.match(await fetchError(400, 'PATCH', hook(), { target_url: targetUrl }), /^target_url /)
    }
  })
})

describe('a hook created through the API', () => {
  it('a hook created through the API can be renamed, rate-limited, paused and disconnected, but its subscriptions are read-only', async () => {
    const token = await fetchJson<CreatedToken>('POST', '/tokens', { name: 'automation' })
    const client = createClient({ baseUrl: running.url, token: token.value })
    const { id } = await client.subscribe({
      target_url: 'https://example.com/zap',
      store: 'apple',
      app_id: APP,
      event_type: 'review.created',
      source: 'zapier',
      external_ref: 'ref-1',
    })
    const shown = await page(id)
    assert.deepEqual([shown.editable, shown.source, shown.externalRef], [false, 'zapier', 'ref-1'])
    const watch = { store: 'apple', app_id: APP, event_type: 'review.created' }
    for (const [method, path, body] of [
      ['PATCH', `/v1/hooks/${id}`, { target_url: 'https://example.com/other' }],
      ['PATCH', `/v1/hooks/${id}`, { watches: [watch] }],
      ['POST', `/v1/hooks/${id}/secret`, {}],
      ['DELETE', `/v1/hooks/${id}/old-secrets`],
      ['POST', `/v1/hooks/${id}/watches`, watch],
      ['PUT', `/v1/hooks/${id}/watches/${shown.watches[0]?.id}`, watch],
      ['DELETE', `/v1/hooks/${id}/watches/${shown.watches[0]?.id}`, undefined],
    ] as const) {
      assert.match(await fetchError(409, method, path, body), /managed by "zapier"/)
    }
    const named = await fetchJson<HookDetail>('PATCH', `/v1/hooks/${id}`, {
      name: ' Zap ',
      description: 'Opens a ticket',
      rate_per_second: 5,
    })
    assert.deepEqual([named.name, named.description], ['Zap', 'Opens a ticket'])
    await fetchJson('PUT', `/v1/hooks/${id}/status`, { status: 'paused' })
    assert.equal((await page(id)).status, 'paused')
    await fetchJson('PUT', `/v1/hooks/${id}/status`, { status: 'active' })
    assert.equal((await page(id)).status, 'active')
    assert.match(
      await fetchError(400, 'PATCH', `/v1/hooks/${id}`, { name: 'x'.repeat(101) }),
      /^name must be text of at most 100/,
    )
    assert.equal((await client.getHook(id)).name, 'Zap')
    const listed = (await client.listHooks()).find((hook) => hook.id === id)
    assert.ok(listed !== undefined && !('name' in listed), 'the list of hooks does not have the name')
    await fetchJson('DELETE', `/v1/hooks/${id}`)
    await fetchError(404, 'GET', `/destinations/${id}`)
    await fetchJson('DELETE', `/tokens/${token.id}`)
    await assert.rejects(client.listHooks())
  })
})
