import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routesFor } from '../../../src/contract/routes.ts'
import { createAppleKey } from '../../../src/simulate/official/connect.ts'
import { useBulkReplies } from '../../../test/support/bulk-replies.ts'
import { createAccountData } from '../../../test/support/console-data.ts'
import { tenant } from '../../../test/support/interfaces.ts'
import { publish } from '../../../test/support/publish.ts'
import { startTestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { type Client, createClient, RadarError, type WebhookEvent } from './index.ts'

/** Tests the client against the whole service. The last test checks that every operation of the API was called. */

const running = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000' })
after(() => running[Symbol.asyncDispose]())
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '406000001')
after(() => data[Symbol.asyncDispose]())
const { appId } = data
const where = { store: 'apple', appId, market: 'us' } as const

const called = new Set<string>()
const paths = Object.entries(routesFor()).map(([operation, { method, path }]) => {
  const pattern = new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return { operation, method, pattern, parts: path.match(/\{/g)?.length ?? 0 }
})

function client(token: string = alice.token, retries = 0): Client {
  return createClient({
    baseUrl: `${running.url}/`,
    token,
    retries,
    fetch: (url, init) => {
      const { pathname } = new URL(url)
      // `/apps/search` also matches the pattern `/apps/{…}`, which has more parameters.
      const [route] = paths
        .filter(({ method, pattern }) => method === init.method && pattern.test(pathname))
        .sort((a, b) => a.parts - b.parts)
      if (route !== undefined) called.add(route.operation)
      return fetch(url, init)
    },
  })
}

const radar = client()
const RULE = { store: 'apple', app_id: appId, event_type: 'review.created' } as const
const SUBSCRIPTION = { target_url: 'http://127.0.0.1:9/radar', ...RULE }
const collect = async <Row>(rows: AsyncIterable<Row>) => {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  return all
}

test('the client lists and resends deliveries; lists, exports, replays and discards dead letters', async () => {
  const query = { hook_id: data.destination.id } as const
  const delivered = await collect(radar.listDeliveries({ ...query, status: 'delivered' }))
  assert.deepEqual(
    delivered.map(({ event_id: id }) => id),
    [data.deliveredId],
  )
  const dead = await collect(radar.listDeadLetters({ ...query, limit: 1 }))
  assert.deepEqual(
    dead.map(({ event_id: id }) => id),
    [data.deadId],
  )
  const [record] = await collect(radar.exportDeadLetters(query))
  assert.deepEqual([record?.event_id, record?.payload.event_id], [data.deadId, data.deadId])
  assert.ok((await new Response(await radar.exportDeadLettersCsv(query)).text()).includes(data.deadId))

  const detail = await radar.getDelivery(data.deliveredId)
  assert.deepEqual([detail.history.length, detail.history[0]?.accepted], [1, true])
  await assert.rejects(radar.retryDelivery(data.deliveredId), { code: 'conflict', status: 409 })
  assert.deepEqual(await radar.replayDeadLetters([data.deliveredId]), { replayed: 0, skipped: 1 })
  assert.deepEqual(await radar.discardDeadLetters([data.deliveredId]), { discarded: 0, skipped: 1 })
  const single = await radar.retryDeliveries([data.deliveredId])
  assert.deepEqual([single.changed, single.failed[0]?.id], [0, data.deliveredId])
  const dead1 = { reason: 'attempts_exhausted', count: 1 }
  assert.deepEqual(await radar.countDeadLetters(query), { count: 1, by_reason: [dead1] })
  assert.equal((await radar.resendDelivery(data.deliveredId)).status, 'pending')
  const replay = await radar.startReplay({ filter: { reason: 'attempts_exhausted', since: new Date(0) } })
  assert.equal(replay.total, 1)
  assert.ok((await radar.listReplays()).some(({ id }) => id === replay.id))
  await until('the replay that matches nothing is done', async () =>
    (await radar.listReplays()).some(({ id, status }) => id === data.replayId && status === 'done'),
  )
  await assert.rejects(radar.changeReplay(data.replayId, { status: 'paused' }), { code: 'conflict' })
})

test('the client creates, shows, tests and deletes a hook', async () => {
  const created = await radar.subscribe({
    target_url: 'http://127.0.0.1:9/radar',
    store: 'apple',
    app_id: appId,
    event_type: 'review.created',
    max_stars: 3,
    external_ref: 'Größe',
  })
  assert.match(created.secret, /^whsec_/)
  const shown = await radar.getHook(created.id)
  assert.deepEqual([shown.external_ref, shown.max_stars, shown.status], ['Größe', 3, 'active'])
  assert.ok((await radar.listHooks()).some(({ id }) => id === created.id))
  const attempt = await radar.testHook(created.id)
  assert.deepEqual([attempt.accepted, attempt.reason], [false, 'connect_refused'])
  const changed = await radar.changeHook(created.id, { name: 'Support', rate_per_second: 2 })
  assert.deepEqual([changed.id, changed.name, changed.rate_per_second], [created.id, 'Support', 2])
  const [watch] = changed.watches
  assert.ok(watch)
  const added = await radar.addWatch(created.id, { ...RULE, max_stars: 1 })
  assert.equal((await radar.replaceWatch(created.id, added.id, { ...RULE, max_stars: 2 })).max_stars, 2)
  await radar.removeWatch(created.id, added.id)
  const set = await radar.watchToWatchSet(created.id, watch.id, { apps: 'all', event_type: 'review.created' })
  assert.equal((await radar.watchSetToWatch(created.id, set.id, RULE)).app_id, appId)
  const { secret } = await radar.rotateSecret(created.id)
  assert.notEqual(secret, created.secret)
  assert.equal(await radar.revokeOldSecrets(created.id), undefined)
  assert.equal(await radar.unsubscribe(created.id), undefined)
  await assert.rejects(radar.getHook(created.id), { code: 'not_found', status: 404, field: null })
})

test('the client pauses, resumes and retries hooks, and sends the events since an outage again', async () => {
  const { id } = await radar.subscribe(SUBSCRIPTION)
  assert.equal((await radar.setHookStatus(id, { status: 'paused' })).status, 'paused')
  await assert.rejects(radar.retryHook(id), { code: 'conflict' })
  assert.deepEqual(await radar.setHookStatuses([id, 'api-0'], 'active'), {
    changed: 1,
    failed: [{ id: 'api-0', reason: 'The account has no hook with this id.' }],
  })
  assert.deepEqual(await radar.retryHook(id), { retried: 0 })
  assert.deepEqual(await radar.retryHooks([id]), { changed: 0, failed: [] })
  const since = new Date(0)
  assert.deepEqual(await radar.previewRecovery(id, { since }), { pending: 0, dead: 0, delivered: 0 })
  await assert.rejects(radar.recoverHook(id, { since }), { code: 'conflict' })
  await radar.unsubscribe(id)
})

test('the client sets alerts, and reads the audit log', async () => {
  const settings = { enabled: false, emails: [], webhook_url: 'http://127.0.0.1:9/alerts' }
  assert.match((await radar.changeAlerts(settings)).secret ?? '', /^whsec_/)
  assert.match((await radar.createAlertSecret()).secret, /^whsec_/)
  assert.deepEqual((await radar.showAlerts()).settings, settings)
  assert.equal(await radar.testAlerts(), undefined)
  await assert.rejects(radar.askAlertRecipient('nobody@example.com'), { code: 'not_found' })
  const { data: entries } = await radar.listAuditLog({ action: 'alerts.changed' }).page()
  assert.deepEqual(
    entries.map(({ actor }) => actor.kind),
    ['token'],
  )
  assert.deepEqual(await collect(radar.exportAuditLog({ action: 'alerts.changed' })), entries)
  const csv = await new Response(await radar.exportAuditLogCsv({ action: 'alerts.changed' })).text()
  assert.match(csv, /alerts\.changed/)
})

test('the client creates, lists and revokes an Atom feed', async () => {
  const { url, ...feed } = await radar.createAtomFeed('apple', appId)
  assert.match(url, /\/atom\/rsf_/)
  assert.deepEqual(await radar.listAtomFeeds(), [feed])
  await radar.revokeAtomFeed(feed.id)
  assert.deepEqual(await radar.listAtomFeeds(), [])
})

test('the client subscribes a hook to several apps, and to all', async () => {
  const { id } = await radar.subscribe(SUBSCRIPTION)
  const apps = [
    { store: 'apple', app_id: '77' },
    { store: 'google', app_id: 'com.example.set' },
  ] as const
  const set = await radar.createWatchSet(id, { apps, event_type: 'review.created', max_stars: 2 })
  assert.deepEqual([set.apps.length, set.max_stars, set.country], [2, 2, null])
  assert.deepEqual(await radar.listWatchSets(id), [set])
  assert.equal((await radar.getHook(id)).watches.length, 3)
  const all = await radar.changeWatchSet(id, set.id, {
    apps: 'all',
    event_type: 'rating.dropped',
    delta: 0.1,
  })
  assert.deepEqual([all.id, all.apps, all.delta], [set.id, 'all', 0.1])
  const late = 'com.example.late'
  await radar.trackApp('google', late, { countries: ['us'] })
  assert.ok((await radar.getHook(id)).watches.some(({ app_id }) => app_id === late))
  await assert.rejects(radar.createWatchSet(id, { apps: [], event_type: 'review.created' }), {
    code: 'invalid',
    field: 'apps',
  })
  await radar.deleteWatchSet(id, set.id)
  assert.equal((await radar.getHook(id)).watches.length, 1)
  await assert.rejects(radar.deleteWatchSet(id, set.id), { code: 'not_found' })
  await radar.untrackApp('google', late)
  await radar.unsubscribe(id)
})

test('the same idempotency key returns the same hook', async () => {
  const body = {
    target_url: 'https://example.com/radar',
    store: 'google',
    app_id: 'org.example.app',
    event_type: 'rating.dropped',
    delta: 0.1,
  } as const
  const idempotencyKey = 'a key'
  const [one, other] = [
    await radar.subscribe(body, { idempotencyKey }),
    await radar.subscribe(body, { idempotencyKey }),
  ]
  assert.deepEqual(one, other)
  await assert.rejects(radar.subscribe({ ...body, delta: 0.2 }, { idempotencyKey }), { code: 'key_reused' })
  assert.notEqual((await radar.subscribe(body)).id, one.id)
})

test('the client lists reviews in pages and by filters, gets one, and exports them', async () => {
  for (const rating of [1, 2, 5]) publish(running, where, { rating, body: `Stars: ${rating}` })
  await until(
    'the reviews are listed',
    async () => (await radar.listReviews({ app_id: appId, text: 'stars' }).page()).data.length === 3,
  )
  const query = { app_id: appId, limit: 2 } as const
  const pages = await collect(radar.listReviews(query).pages())
  assert.ok(pages.length >= 3)
  assert.ok(pages.every(({ data: rows }) => rows.length <= 2))
  const all = await collect(radar.listReviews(query))
  assert.deepEqual(
    pages.flatMap((page) => page.data),
    all,
  )
  const exported = all.map(({ triage, ...review }) => review)
  assert.deepEqual(await collect(radar.exportReviews({ app_id: appId })), exported)
  const [first, second] = pages
  assert.deepEqual(await radar.listReviews({ ...query, cursor: first?.next_cursor ?? '' }).page(), second)

  assert.deepEqual(await radar.countReviews({ app_id: appId }), { count: all.length, more: false })
  const bad = await collect(
    radar.listReviews({ app_id: appId, stars: [1, 2], text: 'stars', since: new Date(0) }),
  )
  assert.deepEqual(bad.map(({ rating }) => rating).sort(), [1, 2])
  assert.deepEqual(await collect(radar.listReviews({ is_bug_report: true })), [])
  const detail = await radar.getReview(all[0]?.fingerprint ?? '')
  assert.deepEqual([detail.body, detail.enrichment], [all[0]?.body, null])
  await assert.rejects(radar.translateReview(detail.fingerprint), { status: 409 })
  assert.deepEqual((await radar.triageReview(detail.fingerprint, { add_tags: ['VIP'] })).tags, ['vip'])
  const note = await radar.addReviewNote(detail.fingerprint, 'Known')
  assert.deepEqual((await radar.getReview(detail.fingerprint)).triage.notes, [note])
  await radar.deleteReviewNote(detail.fingerprint, note.id)
  assert.equal((await radar.triageReviews([{ fingerprint: detail.fingerprint, tags: [] }])).changed, 1)
  const reply = await radar.getReply(detail.fingerprint)
  assert.deepEqual([reply.state, reply.obstacle !== null], ['none', true])
  await assert.rejects(radar.reply(detail.fingerprint, 'Thank you.'), { status: 409 })
  await assert.rejects(radar.saveReplyDraft(detail.fingerprint, 'Later'), { status: 409 })
  await assert.rejects(radar.draftReply(detail.fingerprint), { status: 409 })
  await assert.rejects(radar.deleteReply(detail.fingerprint), { status: 409 })
  const created = await radar.createReplyTemplate({ name: 'Thanks', text: 'Thank you!', language: 'en' })
  const body = { name: 'Thanks', text: 'Thanks, {{author}}!' }
  const template = await radar.replaceReplyTemplate(created.id, body)
  assert.deepEqual([template.id, template.language], [created.id, null])
  const [filled] = await radar.fillReplyTemplates(detail.fingerprint)
  assert.equal(filled?.filled, `Thanks, ${detail.author}!`)
  assert.deepEqual(await radar.listReplyTemplates(), [template])
  await useBulkReplies(radar, template.id, detail)
  await radar.deleteReplyTemplate(template.id)
  assert.deepEqual(await radar.listReplyTemplates(), [])
  const csv = await new Response(await radar.exportReviewsCsv({ app_id: appId })).text()
  assert.match(csv, /^store,app_id,/)
})

test('the client imports history as rows and as CSV', async () => {
  const app = { store: 'apple', app_id: appId, market: 'us' } as const
  const row = { ...app, review_id: '1', rating: 4, occurred_at: '2019-05-01T10:00:00Z' } as const
  const rows = [row, { ...row, review_id: '2', body: 'Größe 🎈' }]
  assert.deepEqual(await radar.importReviews(rows), { added: 2, replaced: 0, known: 0 })
  const csv =
    'store,app_id,market,review_id,rating,occurred_at\napple,406000001,us,1,4,2019-05-01T10:00:00Z\n'
  assert.deepEqual(await radar.importReviews({ csv }), { added: 0, replaced: 0, known: 1 })
  for (const { fingerprint } of await collect(radar.listReviews({ text: 'Größe' })))
    await radar.eraseReview(fingerprint)
  assert.deepEqual(await collect(radar.listReviews({ text: 'Größe' })), [])
})

test('the client lists, searches and tracks apps; gets ratings, statistics and the account', async () => {
  assert.ok((await radar.listApps()).some((app) => app.app_id === appId))
  assert.deepEqual(
    (await radar.searchApps({ q: appId, store: 'apple' })).data.map((app) => app.app_id),
    [appId],
  )
  await radar.trackApp('apple', appId, { countries: ['us', 'de'] })
  const tracked = (await radar.listTrackedApps()).find((app) => app.app_id === appId)
  assert.deepEqual(tracked?.countries, ['us', 'de'])
  const ratings = await collect(radar.listRatings({ store: 'apple', app_id: appId, country: 'us' }))
  assert.equal(ratings[0]?.rating, 4.5)
  // A review is dated up to a second ahead, and the statistics end now.
  await until('the statistics have all reviews', async () => {
    const { reviews, series } = await radar.getStatistics({ app_id: appId, interval: 'week' })
    return reviews >= 4 && series.length >= 1
  })
  assert.equal(await radar.untrackApp('google', 'org.example.other'), undefined)
  assert.equal((await radar.me()).account_id, alice.accountId)
  assert.ok((await radar.listTokens()).some(({ last_used_at: used }) => used !== null))
  assert.equal((await radar.sample('rating.dropped'))[0]?.event_type, 'rating.dropped')
})

test('the client streams new events, and reads them again from a stored cursor', async () => {
  const hook = await radar.subscribe(SUBSCRIPTION)
  const stored: string[] = []
  const controller = new AbortController()
  const stream = radar.events({
    after: 'latest',
    hook_id: hook.id,
    signal: controller.signal,
    onCursor: (cursor) => stored.push(cursor),
  })
  const seen: WebhookEvent[] = []
  const reading = (async () => {
    for await (const event of stream) seen.push(event)
  })()
  await until('the stream waits for new events', () => stored.length === 1)
  const first = publish(running, where)
  await until('the first event arrives', () => seen.length === 1)
  const second = publish(running, where)
  await until('the second event arrives', () => seen.length === 2)
  controller.abort()
  await reading
  const bodies = seen.map((event) => event.event_type === 'review.created' && event.body)
  assert.deepEqual(bodies, [first.body, second.body])

  const again = await collect(radar.events({ after: stored[0], hook_id: hook.id, follow: false, limit: 1 }))
  assert.deepEqual(again, seen)
  const rest = radar.events({ after: stored[1], hook_id: hook.id, follow: false })
  assert.deepEqual(await collect(rest), seen.slice(1))
  assert.ok(rest.cursor !== null && Number(rest.cursor) >= Number(stored[1]))
  await assert.rejects(collect(radar.events({ after: '999999999' })), { code: 'conflict', field: null })
  assert.equal((await radar.listEvents({ hook_id: hook.id, limit: 1 })).data.length, 1)
})

test('an error has a code, the field and its allowed values', async () => {
  const errorOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (each: unknown) => each,
    )
    assert.ok(error instanceof RadarError, String(error))
    return [error.code, error.status, error.field, error.allowed]
  }
  assert.deepEqual(await errorOf(radar.listReviews({ stars: 9 }).page()), [
    'invalid',
    400,
    'stars',
    'a list such as 1,2',
  ])
  assert.deepEqual(await errorOf(radar.searchApps({ q: '' })), [
    'invalid',
    400,
    'q',
    'text of 1 to 300 characters',
  ])
  const { country, ...without } = {
    country: 'us',
    target_url: 'https://example.com/',
    store: 'apple',
    app_id: '1',
  } as const
  assert.deepEqual(await errorOf(radar.subscribe({ ...without, country } as never)), [
    'invalid',
    400,
    'event_type',
    '"review.created", "rating.dropped", "reviews.spiked" or "rating.recovered"',
  ])
  const crossed = { ...without, event_type: 'review.created', min_stars: 5, max_stars: 1 } as const
  assert.deepEqual((await errorOf(radar.subscribe(crossed))).slice(0, 3), ['invalid', 400, 'min_stars'])
  assert.deepEqual(await errorOf(client('rsk_no').me()), ['unauthorized', 401, null, null])
  const { value } = await alice.owner.fetchJson<{ value: string }>('POST', '/tokens', {
    name: 'reader',
    scopes: ['read'],
  })
  assert.deepEqual(await errorOf(client(value).listTokens()), ['forbidden', 403, null, null])
})

test('the client connects a store, gets an app from it with its history, and removes the connection', async () => {
  const [first, second] = [createAppleKey(running.world), createAppleKey(running.world)]
  const bodyOf = ({ issuerId, keyId, privateKey }: typeof first) =>
    ({ kind: 'appstoreconnect', issuer_id: issuerId, key_id: keyId, private_key: privateKey }) as const
  const { id } = await radar.connectStore(bodyOf(first))
  assert.deepEqual(
    (await radar.listStoreConnections()).map((connection) => connection.id),
    [id],
  )
  assert.equal((await radar.testStoreConnection(id)).problem, null)
  assert.equal((await radar.rotateStoreCredentials(id, bodyOf(second))).subject, second.keyId)
  assert.equal((await radar.changeStoreConnection(id, { name: 'Team key' })).name, 'Team key')
  await radar.useStoreConnection(id, appId)
  const app = async () => (await radar.getStoreConnection(id)).apps.find((each) => each.app_id === appId)
  await until('the app has the official source', async () => (await app())?.source?.state === 'official')
  await radar.importStoreHistory(id, appId)
  await until('the history is read', async () => (await app())?.history?.state === 'done')
  assert.equal((await radar.stopStoreHistory(id, appId)).id, id)
  assert.equal((await radar.leaveStoreConnection(id, appId)).id, id)
  await radar.removeStoreConnection(id)
  assert.deepEqual(await radar.listStoreConnections(), [])
})

test('every operation of the API has a method', () => {
  assert.deepEqual([...called].sort(), Object.keys(routesFor()).sort())
})
