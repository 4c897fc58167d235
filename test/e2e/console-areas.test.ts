import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import type { AppLine, AppPage, FoundApps } from '../../src/contract/console/apps.ts'
import type {
  DeadCount,
  DeliveriesPage,
  DeliveryPage,
  ReplayView,
} from '../../src/contract/console/deliveries.ts'
import type {
  DestinationLine,
  DestinationPage,
  SecretShown,
  TestSent,
  WatchPreview,
} from '../../src/contract/console/destinations.ts'
import type { Overview } from '../../src/contract/console/overview.ts'
import type { TokenMade } from '../../src/contract/console/people.ts'
import type { ReviewsPage, ReviewView } from '../../src/contract/console/reviews.ts'
import type { SystemView } from '../../src/contract/console/system.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { signedIn } from '../support/console-client.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { signatureOf, startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const running = await startTestService({ RADAR_ENRICHMENT: 'offline', RADAR_RETRY_WAITS: '20ms,20ms' })
const receiver = await startReceiver()
const ann = await signedIn(running, 'Ann')
after(async () => {
  await running[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

async function told<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ann.ask(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
  return (answer.text === '' ? undefined : answer.json()) as T
}
const refused = async (status: number, method: string, path: string, body?: unknown) => {
  const answer = await ann.ask(method, path, body)
  assert.equal(answer.status, status, answer.text)
  return answer.json<{ error: string }>().error
}

const APP = '402000001'
const where = { store: 'apple', appId: APP, market: 'us' } as const
const write = (review: Parameters<typeof publish>[2]) =>
  publish({ world: running.world, clock: systemClock }, where, review)
addApp(running.world, { store: 'apple', appId: APP, name: 'Sample Notes' })
addApp(running.world, { store: 'google', appId: 'com.example.notes', name: 'Sample Notes' })

describe('a new account', () => {
  it('is led by what it has not done yet', async () => {
    const overview = await told<Overview>('GET', '/overview')
    assert.deepEqual(overview.steps, { app: false, destination: false, delivered: false })
    assert.equal(overview.successRate, null)
    assert.equal(overview.series.length, 24)
    assert.equal((await told<Overview>('GET', '/overview?range=30d')).series.length, 30)
    assert.deepEqual(await told('GET', '/apps'), [])
    assert.match(await refused(400, 'GET', '/overview?range=1y'), /range:/)
  })

  it('finds an app by name in both stores, by link, id and package name', async () => {
    const byName = await told<FoundApps>('GET', `/apps/find?text=${encodeURIComponent('sample notes')}`)
    assert.deepEqual(byName.apps.map(({ store, appId }) => `${store} ${appId}`).sort(), [
      `apple ${APP}`,
      'google com.example.notes',
    ])
    assert.equal(byName.apps[0]?.rating, 4.5)
    for (const text of [
      APP,
      `https://apps.apple.com/us/app/sample/id${APP}`,
      'com.example.notes',
      'https://play.google.com/store/apps/details?id=com.example.notes',
    ]) {
      const found = await told<FoundApps>('GET', `/apps/find?text=${encodeURIComponent(text)}`)
      assert.deepEqual(
        found.apps.map(({ name }) => name),
        ['Sample Notes'],
        text,
      )
      assert.deepEqual(found.problems, [])
    }
    const none = await told<FoundApps>('GET', '/apps/find?text=999999999')
    assert.deepEqual(none, { apps: [], problems: [] })
    assert.match(await refused(400, 'GET', '/apps/find?text='), /text: is required/)
  })

  it('is told when a store does not answer', async () => {
    const over = running.world.setFault({ store: 'google' }, { kind: 'status', status: 500 })
    const found = await told<FoundApps>('GET', '/apps/find?text=sample')
    over()
    assert.deepEqual(
      found.apps.map(({ store }) => store),
      ['apple'],
    )
    assert.deepEqual(
      found.problems.map(({ store }) => store),
      ['google'],
    )
    assert.match(found.problems[0]?.message ?? '', /^Google Play .*\.$/)
  })
})

describe('an app that is followed', () => {
  it('is polled in the ticked storefronts and shows their ratings', async () => {
    await told('PUT', `/apps/apple/${APP}`, { storefronts: ['us'] })
    await baseline(running, APP)
    const [app] = await until('its rating was known', async () => {
      const apps = await told<AppLine[]>('GET', '/apps')
      return apps[0]?.ratings.length === 1 && apps
    })
    assert.equal(app?.name, 'Sample Notes')
    assert.deepEqual(app?.storefronts, ['us'])
    assert.deepEqual(app?.ratings, [{ storefront: 'us', rating: 4.5, count: 1_000 }])
    assert.match(await refused(400, 'PUT', `/apps/apple/${APP}`, { storefronts: ['xx'] }), /storefronts:/)
    await refused(404, 'PUT', '/apps/amazon/1', { storefronts: ['us'] })
    await refused(404, 'GET', '/apps/apple/123')
  })

  it('is called what the store calls it, whatever a request claims', async () => {
    const claimed = { name: 'Forged', developer: 'Forged', iconUrl: 'https://evil.example/icon' }
    await told('PUT', '/apps/google/com.example.unknown', { storefronts: ['us'], ...claimed })
    const apps = await ann.ask('GET', '/apps')
    assert.ok(apps.text.includes('com.example.unknown') && !/Forged|evil/.test(apps.text))
    await told('PUT', '/apps/google/com.example.unknown', { storefronts: [] })
  })
})

let destination: DestinationLine & SecretShown
const of = () => `/destinations/${destination.id}`

describe('a destination made in the console', () => {
  it('comes with its secret, once, and says in words what it sends', async () => {
    destination = await told('POST', '/destinations', {
      targetUrl: receiver.url,
      watch: { store: 'apple', appId: APP, eventType: 'review.created', maxStars: 3 },
    })
    assert.match(destination.secret, /^whsec_/)
    assert.match(destination.id, /^console-[0-9a-f]{40}$/)
    assert.equal(destination.editable, true)
    assert.equal(
      destination.watches[0]?.sentence,
      'New reviews with 1 to 3 stars of Sample Notes in the United States.',
    )
    const page = await ann.ask('GET', of())
    assert.ok(!page.text.includes(destination.secret))
    assert.ok(!(await ann.ask('GET', '/destinations')).text.includes(destination.secret))
  })

  it('sends a signed sample and shows the exchange', async () => {
    receiver.answerWith(200, { 'content-type': 'text/html', 'x-own': 'yes' }, '<script>alert(1)</script>')
    const { attempt, body } = await told<TestSent>('POST', `${of()}/test`, {})
    const [request] = await receiver.received(1)
    assert.equal(request?.body.toString(), body)
    assert.equal(request?.headers['x-radar-signature'], signatureOf(Buffer.from(body), destination.secret))
    assert.equal(attempt.httpStatus, 200)
    assert.equal(attempt.responseBody, '<script>alert(1)</script>')
    assert.equal(attempt.responseHeaders['x-own'], 'yes')
    assert.doesNotMatch(JSON.stringify(attempt.requestHeaders), /sha256=[0-9a-f]{64}/)
    const drop = await told<TestSent>('POST', `${of()}/test`, { eventType: 'rating.dropped' })
    assert.equal(JSON.parse(drop.body).event_type, 'rating.dropped')
    assert.equal((await told<DestinationPage>('GET', of())).tests.length, 2)
    assert.equal((await told<Overview>('GET', '/overview')).steps.delivered, true)
  })

  it('sends no more than ten samples a minute', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 9; i += 1) statuses.push((await ann.ask('POST', `${of()}/test`, {})).status)
    assert.deepEqual(statuses.slice(0, 8), Array(8).fill(200))
    assert.equal(statuses[8], 429)
  })

  it('previews a watch on the last reviews', async () => {
    write({ rating: 1, title: 'Crash', body: 'It crashes on every start since the update. 落ちる' })
    write({ rating: 5, title: 'Love', body: 'Love it' })
    await until(
      'both were read',
      async () => (await told<ReviewsPage>('GET', '/reviews')).reviews.length === 2,
    )
    const watch = { store: 'apple', appId: APP, eventType: 'review.created' }
    const all = await told<WatchPreview>('POST', '/watches/preview', watch)
    assert.deepEqual([all.matched, all.looked], [2, 2])
    const low = await told<WatchPreview>('POST', '/watches/preview', {
      ...watch,
      maxStars: 2,
      storefront: 'us',
    })
    assert.deepEqual([low.matched, low.looked], [1, 2])
    assert.equal(low.sentence, 'New reviews with 1 to 2 stars of Sample Notes in the United States.')
    const bad = await refused(400, 'POST', '/watches/preview', { ...watch, minStars: 4, maxStars: 2 })
    assert.match(bad, /minStars/)
    assert.match(
      await refused(400, 'POST', '/watches/preview', { ...watch, eventType: 'rating.dropped' }),
      /delta or a threshold/,
    )
  })

  it('is edited, paused, resumed and rotated', async () => {
    const added = await told<DestinationLine>('POST', `${of()}/watches`, {
      store: 'apple',
      appId: APP,
      eventType: 'rating.dropped',
      delta: 0.1,
    })
    const drop = added.watches.find(({ eventType }) => eventType === 'rating.dropped')
    assert.equal(drop?.sentence, 'When the rating of Sample Notes in the United States falls by 0.1 or more.')
    const changed = await told<DestinationLine>('PUT', `${of()}/watches/${drop?.id}`, {
      store: 'apple',
      appId: APP,
      eventType: 'rating.dropped',
      threshold: 4,
    })
    assert.equal(changed.watches.find(({ id }) => id === drop?.id)?.threshold, 4)
    assert.equal((await told<DestinationLine>('DELETE', `${of()}/watches/${drop?.id}`)).watches.length, 1)
    await refused(404, 'DELETE', `${of()}/watches/${drop?.id}`)
    assert.equal((await told<DestinationLine>('POST', `${of()}/pause`, {})).status, 'paused')
    assert.equal((await told<DestinationLine>('POST', `${of()}/resume`, {})).status, 'active')
    await told('PATCH', of(), { ratePerSecond: 100 })
    assert.equal((await told<DestinationPage>('GET', of())).ratePerSecond, 100)
    await told('PATCH', of(), { ratePerSecond: null })
    const { secret } = await told<SecretShown>('POST', `${of()}/rotate`, { overlapHours: 1 })
    assert.notEqual(secret, destination.secret)
    assert.equal((await told<DestinationPage>('GET', of())).oldSecretsExpireAt.length, 1)
    await told('POST', `${of()}/revoke-old`, {})
    assert.deepEqual((await told<DestinationPage>('GET', of())).oldSecretsExpireAt, [])
    destination = { ...destination, secret }
  })

  it('refuses targets that may not be called, with a sentence', async () => {
    for (const targetUrl of [
      'ftp://example.com',
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'x',
      'https://a b',
    ]) {
      assert.match(await refused(400, 'POST', '/destinations', { targetUrl }), /^targetUrl: .+\.$/, targetUrl)
      assert.match(await refused(400, 'PATCH', of(), { targetUrl }), /^targetUrl: /)
    }
  })
})

describe('a hook made through the API', () => {
  it('is shown read-only, and can be disconnected', async () => {
    const token = await told<TokenMade>('POST', '/tokens', { name: 'automation' })
    const client = createClient({ baseUrl: running.url, token: token.value })
    const { id } = await client.subscribe({
      target_url: 'https://example.com/zap',
      store: 'apple',
      app_id: APP,
      event_type: 'review.created',
      source: 'zapier',
      external_ref: 'ref-1',
    })
    const shown = await told<DestinationPage>('GET', `/destinations/${id}`)
    assert.deepEqual([shown.editable, shown.source, shown.externalRef], [false, 'zapier', 'ref-1'])
    const watch = { store: 'apple', appId: APP, eventType: 'review.created' }
    for (const [method, path, body] of [
      ['PATCH', '', { targetUrl: 'https://example.com/other' }],
      ['POST', '/pause', {}],
      ['POST', '/rotate', {}],
      ['POST', '/revoke-old', {}],
      ['POST', '/watches', watch],
      ['PUT', `/watches/${shown.watches[0]?.id}`, watch],
      ['DELETE', `/watches/${shown.watches[0]?.id}`, undefined],
    ] as const) {
      assert.match(await refused(409, method, `/destinations/${id}${path}`, body), /managed by "zapier"/)
    }
    await told('DELETE', `/destinations/${id}`)
    await refused(404, 'GET', `/destinations/${id}`)
    await told('DELETE', `/tokens/${token.id}`)
    await assert.rejects(client.listHooks())
  })
})

describe('what was delivered', () => {
  it('is in the log with its attempts, and can be sent again', async () => {
    receiver.answerWith(200, {}, 'thanks')
    const before = receiver.requests.length
    write({ rating: 2, title: 'Sync', body: 'Sync is broken, I lost notes. =HYPERLINK("http://evil")' })
    const line = await until('both reviews with few stars were delivered', async () => {
      const path = `/deliveries?status=delivered&destination=${destination.id}`
      const { deliveries } = await told<DeliveriesPage>('GET', path)
      return deliveries.length === 2 && deliveries[0]
    })
    assert.equal(line.appName, 'Sample Notes')
    const page = await told<DeliveryPage>('GET', `/deliveries/${line.eventId}`)
    assert.equal(JSON.parse(page.body ?? '').event_id, line.eventId)
    assert.equal(page.history[0]?.httpStatus, 200)
    assert.equal(page.history[0]?.responseBody, 'thanks')
    assert.deepEqual(await told('POST', `/deliveries/${line.eventId}/resend`, {}), { changed: 1 })
    const requests = await receiver.received(before + 2)
    const [first, again] = requests.slice(-2)
    assert.deepEqual(again?.body, first?.body)
    assert.equal(again?.headers['x-radar-event-id'], line.eventId)
    const found = await told<DeliveriesPage>('GET', `/deliveries?eventId=${line.eventId}`)
    assert.equal(found.deliveries.length, 1)
  })

  it('is in the figures', async () => {
    const overview = await until('both attempts were counted', async () => {
      const now = await told<Overview>('GET', '/overview')
      return now.delivered >= 2 && now
    })
    assert.equal(overview.successRate, 1)
    assert.equal(overview.apps, 1)
    assert.equal(overview.destinations, 1)
    assert.ok((overview.p95Ms ?? 0) > 0)
    const { health } = await told<DestinationPage>('GET', of())
    assert.ok(health.delivered24h >= 2)
    assert.notEqual(health.lastDeliveredAt, null)
  })

  it('shows each review with what was understood of it, and to whom it went', async () => {
    const { reviews } = await told<ReviewsPage>('GET', '/reviews?stars=2')
    const [review] = reviews
    assert.ok(review)
    const shown = await until('it was understood', async () => {
      const view = await told<ReviewView>('GET', `/reviews/${review.fingerprint}`)
      return view.enrichment !== null && view
    })
    assert.equal(shown.enrichedBy, 'offline')
    assert.equal(shown.enrichment?.language, 'en')
    assert.deepEqual(
      shown.events.map(({ hookId, status }) => [hookId, status]),
      [[destination.id, 'delivered']],
    )
    await refused(404, 'GET', `/reviews/${'0'.repeat(64)}`)
  })

  it('is filtered and paged', async () => {
    const titles = async (query: string) =>
      (await told<ReviewsPage>('GET', `/reviews?${query}`)).reviews.map(({ title }) => title)
    assert.deepEqual(await titles(`text=${encodeURIComponent('落ち')}`), ['Crash'])
    assert.deepEqual(await titles('text=LOVE'), ['Love'])
    assert.deepEqual(await titles('stars=1,5&storefront=us').then((all) => all.sort()), ['Crash', 'Love'])
    assert.deepEqual(await titles('storefront=de'), [])
    const paged: (string | null)[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: ReviewsPage = await told('GET', `/reviews?limit=1${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.reviews.map(({ title }) => title))
      cursor = page.next
    }
    assert.deepEqual(paged, await titles('limit=50'))
  })

  it('is exported as CSV that runs nothing, and as JSON lines', async () => {
    write({ rating: 4, title: '=1+1', body: '+SUM(A1)\n"quoted", and more' })
    await until(
      'it was read',
      async () => (await told<ReviewsPage>('GET', '/reviews?stars=4')).reviews.length === 1,
    )
    const csv = await ann.ask('GET', '/reviews/export?format=csv&stars=4')
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="reviews.csv"')
    assert.equal(csv.headers.get('x-content-type-options'), 'nosniff')
    assert.match(csv.text, /,'=1\+1,"'\+SUM\(A1\)\n""quoted"", and more",/)
    assert.equal(csv.text.split('\r\n').length, 3)
    const lines = (await ann.ask('GET', '/reviews/export?format=jsonl')).text.trim().split('\n')
    assert.equal(lines.length, 4)
    assert.equal(JSON.parse(lines[0] ?? '').rating, 4)
    assert.match(await refused(400, 'GET', '/reviews/export?format=xls'), /format:/)
  })

  it('is on the page of its app', async () => {
    // The simulated stores show whole seconds: the last review is up to a second in the future.
    const page = await until('all four are published', async () => {
      const now = await told<AppPage>('GET', `/apps/apple/${APP}?days=7`)
      return now.stars.join() === '1,1,0,1,1' && now
    })
    assert.equal(page.volume.length, 7)
    assert.deepEqual(
      page.volume.at(-1)?.stars.reduce((a, b) => a + b, 0),
      4,
    )
    assert.equal(page.ratingHistory[0]?.points[0]?.rating, 4.5)
    assert.ok(page.feeds.some(({ kind, health }) => kind === 'reviews' && health === 'well'))
    assert.equal(page.health, 'well')
    assert.match(await refused(400, 'GET', `/apps/apple/${APP}?days=8`), /days:/)
  })
})

describe('dead letters', () => {
  const dead = () => told<DeliveriesPage>('GET', '/dead')

  it('are counted, exported and replayed to the end', async () => {
    receiver.answerWith(503)
    for (const n of [1, 2, 3]) write({ rating: 1, body: `dead ${n}` })
    await until('three are dead', async () => (await dead()).deliveries.length === 3)
    const count = await told<DeadCount>('GET', '/dead/count')
    assert.deepEqual(count, { count: 3, byReason: [{ reason: 'attempts_exhausted', count: 3 }] })
    assert.equal((await told<DeadCount>('GET', '/dead/count?reason=gone')).count, 0)
    assert.equal((await told<DeadCount>('GET', '/dead/count?httpStatus=503')).count, 3)
    const lines = (await ann.ask('GET', '/dead/export')).text.trim().split('\n')
    assert.equal(lines.length, 3)
    assert.equal(JSON.parse(lines[0] ?? '').reason, 'attempts_exhausted')
    assert.equal((await ann.ask('GET', '/dead/export?format=csv')).text.split('\r\n').length, 5)

    receiver.answerWith(200)
    const [one, two] = (await dead()).deliveries
    assert.ok(one && two)
    assert.deepEqual(await told('POST', '/dead/replay', { eventIds: [one.eventId, 'f'.repeat(64)] }), {
      changed: 1,
    })
    assert.deepEqual(await told('POST', '/dead/discard', { eventIds: [two.eventId] }), { changed: 1 })
    await until('one is left', async () => (await dead()).deliveries.length === 1)
    const replay = await told<ReplayView>('POST', '/dead/replays', { filter: {}, ratePerSecond: 100 })
    assert.equal(replay.total, 1)
    const done = await until('the replay is done', async () => {
      const [last] = await told<ReplayView[]>('GET', '/dead/replays')
      return last?.status === 'done' && last.delivered === 1 && last
    })
    assert.equal(done.queued, 1)
    assert.deepEqual((await dead()).deliveries, [])
    assert.equal(
      await refused(409, 'POST', `/dead/replays/${replay.id}`, { status: 'paused' }),
      'This replay has ended.',
    )
    const overview = await told<Overview>('GET', '/overview')
    assert.ok(overview.successRate !== null && overview.successRate < 1)
  })

  it('may wait under a pause', async () => {
    await told('POST', `${of()}/pause`, {})
    write({ rating: 1, body: 'held' })
    const held = await until('it is held', async () => {
      const page = await told<DeliveriesPage>('GET', '/deliveries?status=held')
      return page.deliveries.length === 1 && page.deliveries[0]
    })
    assert.equal(held.status, 'held')
    assert.equal((await told<Overview>('GET', '/overview')).held, 1)
    assert.equal(
      await refused(409, 'POST', `/deliveries/${held.eventId}/resend`, {}),
      'It is still on its way.',
    )
    await told('POST', `${of()}/resume`, {})
    await until('it was delivered', async () => {
      const page = await told<DeliveryPage>('GET', `/deliveries/${held.eventId}`)
      return page.status === 'delivered'
    })
  })
})

describe('the system page', () => {
  it('shows nodes, stores, queues, feeds and settings, secrets masked', async () => {
    const system = await told<SystemView>('GET', '/system')
    assert.equal(system.engine, 'sqlite')
    assert.equal(system.nodes.length, 1)
    assert.deepEqual(
      system.stores.map(({ store }) => store),
      ['apple', 'google'],
    )
    assert.ok(system.feeds.length >= 2)
    assert.ok(system.storageBytes > 0)
    assert.equal(system.settings.find(({ name }) => name === 'RADAR_PORT')?.fromDefault, false)
    await refused(404, 'GET', `/system/feeds/${system.feeds[0]?.id}/raw`)
    await refused(404, 'GET', '/system/feeds/x/raw')
  })

  it('hands out the last answer of a store that was not understood, as text', async () => {
    const over = running.world.setFault({ store: 'apple', appId: APP }, { kind: 'changed' })
    const feed = await until('a raw answer is kept', async () => {
      const { feeds } = await told<SystemView>('GET', '/system')
      return feeds.find(({ hasRawAnswer }) => hasRawAnswer)
    }).finally(over)
    const raw = await ann.ask('GET', `/system/feeds/${feed.id}/raw`)
    assert.match(raw.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(raw.headers.get('content-disposition') ?? '', /^attachment/)
    assert.ok(raw.text.length > 0)
  })
})
