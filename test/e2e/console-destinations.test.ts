import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import type {
  DestinationLine,
  DestinationPage,
  SecretShown,
  TestSent,
  WatchPreview,
} from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { CreatedToken } from '../../src/contract/console/people.ts'
import type { ReviewsPage } from '../../src/contract/console/reviews.ts'
import { APP, startConsoleArea } from '../support/console-area.ts'
import { signatureOf } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { running, receiver, ann, fetchJson, fetchError, trackStorefronts, newDestination, write } = area
await trackStorefronts()

let destination: DestinationLine & SecretShown
const of = () => `/destinations/${destination.id}`

describe('a destination created in the console', () => {
  it('a destination created in the console shows its secret once and describes what it sends', async () => {
    destination = await newDestination()
    assert.match(destination.secret, /^whsec_/)
    assert.match(destination.id, /^console-[0-9a-f]{40}$/)
    assert.equal(destination.editable, true)
    assert.equal(
      destination.watches[0]?.sentence,
      'New reviews with 1 to 3 stars of Sample Notes in the United States.',
    )
    const page = await ann.request('GET', of())
    assert.ok(!page.text.includes(destination.secret))
    assert.ok(!(await ann.request('GET', '/destinations')).text.includes(destination.secret))
  })

  it('a destination created in the console sends a signed sample and shows request and response', async () => {
    receiver.answerWith(200, { 'content-type': 'text/html', 'x-own': 'yes' }, '<script>alert(1)</script>')
    const { attempt, body } = await fetchJson<TestSent>('POST', `${of()}/test`, {})
    const [request] = await receiver.received(1)
    assert.equal(request?.body.toString(), body)
    assert.equal(request?.headers['x-radar-signature'], signatureOf(Buffer.from(body), destination.secret))
    assert.equal(attempt.httpStatus, 200)
    assert.equal(attempt.responseBody, '<script>alert(1)</script>')
    assert.equal(attempt.responseHeaders['x-own'], 'yes')
    assert.doesNotMatch(JSON.stringify(attempt.requestHeaders), /sha256=[0-9a-f]{64}/)
    const drop = await fetchJson<TestSent>('POST', `${of()}/test`, { eventType: 'rating.dropped' })
    assert.equal(JSON.parse(drop.body).event_type, 'rating.dropped')
    assert.equal((await fetchJson<DestinationPage>('GET', of())).tests.length, 2)
    assert.equal((await fetchJson<Overview>('GET', '/overview')).steps.delivered, true)
  })

  it('a destination created in the console sends at most ten test events per minute', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 9; i += 1) statuses.push((await ann.request('POST', `${of()}/test`, {})).status)
    assert.deepEqual(statuses.slice(0, 8), Array(8).fill(200))
    assert.equal(statuses[8], 429)
  })

  it('a destination created in the console previews a subscription on the latest reviews', async () => {
    write({ rating: 1, title: 'Crash', body: 'It crashes on every start since the update. 落ちる' })
    write({ rating: 5, title: 'Love', body: 'Love it' })
    await until(
      'both reviews are stored',
      async () => (await fetchJson<ReviewsPage>('GET', '/reviews')).reviews.length === 2,
    )
    const watch = { store: 'apple', appId: APP, eventType: 'review.created' }
    const all = await fetchJson<WatchPreview>('POST', '/watches/preview', watch)
    assert.deepEqual([all.matched, all.looked], [2, 2])
    const low = await fetchJson<WatchPreview>('POST', '/watches/preview', {
      ...watch,
      maxStars: 2,
      storefronts: ['us'],
    })
    assert.deepEqual([low.matched, low.looked], [1, 2])
    assert.equal(low.sentence, 'New reviews with 1 to 2 stars of Sample Notes in the United States.')
    const worded = await fetchJson<WatchPreview>('POST', '/watches/preview', {
      ...watch,
      rules: { keywords: ['落ち', 'x'], excludedKeywords: ['love'], competitors: [] },
    })
    assert.deepEqual([worded.matched, worded.looked], [1, 2])
    assert.match(worded.sentence, /that contain “x” or “落ち”, without “love”\.$/)
    const elsewhere = { ...watch, storefronts: ['de', 'fr'] }
    const none = await fetchJson<WatchPreview>('POST', '/watches/preview', elsewhere)
    assert.deepEqual([none.matched, none.looked], [0, 0])
    assert.match(
      await fetchError(400, 'POST', '/watches/preview', {
        ...watch,
        rules: { keywords: Array(21).fill('a') },
      }),
      /keywords: must have at most 20 values/,
    )
    const bad = await fetchError(400, 'POST', '/watches/preview', { ...watch, minStars: 4, maxStars: 2 })
    assert.match(bad, /minStars/)
    assert.match(
      await fetchError(400, 'POST', '/watches/preview', { ...watch, eventType: 'rating.dropped' }),
      /delta or a threshold/,
    )
  })

  it('a destination created in the console is edited, paused and resumed, and its secret is rotated', async () => {
    const added = await fetchJson<DestinationLine>('POST', `${of()}/watches`, {
      store: 'apple',
      appId: APP,
      eventType: 'rating.dropped',
      delta: 0.1,
    })
    const drop = added.watches.find(({ eventType }) => eventType === 'rating.dropped')
    assert.equal(drop?.sentence, 'When the rating of Sample Notes in the United States falls by 0.1 or more.')
    const changed = await fetchJson<DestinationLine>('PUT', `${of()}/watches/${drop?.id}`, {
      store: 'apple',
      appId: APP,
      eventType: 'rating.dropped',
      threshold: 4,
    })
    assert.equal(changed.watches.find(({ id }) => id === drop?.id)?.threshold, 4)
    assert.equal(
      (await fetchJson<DestinationLine>('DELETE', `${of()}/watches/${drop?.id}`)).watches.length,
      1,
    )
    await fetchError(404, 'DELETE', `${of()}/watches/${drop?.id}`)
    assert.equal((await fetchJson<DestinationLine>('POST', `${of()}/pause`, {})).status, 'paused')
    assert.equal((await fetchJson<DestinationLine>('POST', `${of()}/resume`, {})).status, 'active')
    await fetchJson('PATCH', of(), { ratePerSecond: 100 })
    assert.equal((await fetchJson<DestinationPage>('GET', of())).ratePerSecond, 100)
    await fetchJson('PATCH', of(), { ratePerSecond: null })
    const { secret } = await fetchJson<SecretShown>('POST', `${of()}/rotate`, { overlapHours: 1 })
    assert.notEqual(secret, destination.secret)
    assert.equal((await fetchJson<DestinationPage>('GET', of())).oldSecretsExpireAt.length, 1)
    await fetchJson('POST', `${of()}/revoke-old`, {})
    assert.deepEqual((await fetchJson<DestinationPage>('GET', of())).oldSecretsExpireAt, [])
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
        await fetchError(400, 'POST', '/destinations', { targetUrl }),
        /^targetUrl: .+\.$/,
        targetUrl,
      )
      assert.match(await fetchError(400, 'PATCH', of(), { targetUrl }), /^targetUrl: /)
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
    const shown = await fetchJson<DestinationPage>('GET', `/destinations/${id}`)
    assert.deepEqual([shown.editable, shown.source, shown.externalRef], [false, 'zapier', 'ref-1'])
    const watch = { store: 'apple', appId: APP, eventType: 'review.created' }
    for (const [method, path, body] of [
      ['PATCH', '', { targetUrl: 'https://example.com/other' }],
      ['POST', '/rotate', {}],
      ['POST', '/revoke-old', {}],
      ['POST', '/watches', watch],
      ['PUT', `/watches/${shown.watches[0]?.id}`, watch],
      ['DELETE', `/watches/${shown.watches[0]?.id}`, undefined],
    ] as const) {
      assert.match(await fetchError(409, method, `/destinations/${id}${path}`, body), /managed by "zapier"/)
    }
    const named = await fetchJson<DestinationLine>('PATCH', `/destinations/${id}`, {
      name: ' Zap ',
      description: 'Opens a ticket',
      ratePerSecond: 5,
    })
    assert.deepEqual([named.name, named.description, named.editable], ['Zap', 'Opens a ticket', false])
    assert.equal((await fetchJson<DestinationLine>('POST', `/destinations/${id}/pause`, {})).status, 'paused')
    assert.equal(
      (await fetchJson<DestinationLine>('POST', `/destinations/${id}/resume`, {})).status,
      'active',
    )
    assert.match(
      await fetchError(400, 'PATCH', `/destinations/${id}`, { name: 'x'.repeat(101) }),
      /name: at most 100/,
    )
    assert.equal((await client.getHook(id)).name, 'Zap')
    const listed = (await client.listHooks()).find((hook) => hook.id === id)
    assert.ok(listed !== undefined && !('name' in listed), 'the list of hooks does not have the name')
    await fetchJson('DELETE', `/destinations/${id}`)
    await fetchError(404, 'GET', `/destinations/${id}`)
    await fetchJson('DELETE', `/tokens/${token.id}`)
    await assert.rejects(client.listHooks())
  })
})
