import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReviewCreated, reviewCreated, webhookEvent } from '../../src/contract/webhook.ts'
import { eventIdOf } from '../../src/model/occurrence.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { addApp } from '../support/service.ts'
import { serviceAndConsumer } from '../support/service-and-consumer.ts'

/** Payloads as received over HTTP, with the default offline enrichment. */

const { radar, consumer } = await serviceAndConsumer({ RADAR_ENRICHMENT: 'offline' })
const { world } = radar
const alice = await radar.person('Alice')

async function oneEvent(
  place: { store: 'apple' | 'google'; appId: string; market: string },
  change: Parameters<typeof publish>[2] = {},
) {
  addApp(world, place)
  const hook = `events-${place.appId}`
  const id = await subscribe(alice, consumer, hook, {
    store: place.store,
    app_id: place.appId,
    event_type: 'review.created',
  })
  await baseline(radar, place.appId)
  const review = publish(radar, place, change)
  const [event] = (await consumer.eventsOnce(hook, 1)) as readonly ReviewCreated[]
  assert.ok(event)
  return { id, event, review }
}

test('a review.created has every key with the values of either store', async () => {
  for (const [place, title] of [
    [{ store: 'apple', appId: '6001', market: 'us' }, 'Crashes'],
    [{ store: 'google', appId: 'com.example.events', market: 'en' }, null],
  ] as const) {
    const before = new Date()
    const { id, event, review } = await oneEvent(place, {
      title,
      body: 'It crashes every time I open it since the update 😡\r\n<b>"Fix" it</b> \\ & thanks',
      rating: 1,
      author: 'Å. Ünïcode 🎈',
      version: '4.2.0-β',
    })
    assert.deepEqual(Object.keys(event), Object.keys(reviewCreated.shape))
    assert.equal(event.event_type, 'review.created')
    assert.equal(event.store, place.store)
    assert.equal(event.app_id, place.appId)
    assert.equal(event.subscriber_id, id)
    assert.equal(event.schema_version, 2)
    assert.equal(event.review_id, review.id)
    assert.equal(event.fingerprint, event.occurrence_id)
    assert.equal(event.event_id, eventIdOf(id, event.occurrence_id))
    assert.match(event.content_hash, /^[0-9a-f]{64}$/)
    assert.equal(event.rating, 1)
    assert.equal(event.title, title)
    assert.equal(event.body.replaceAll('\r\n', '\n'), review.body.replaceAll('\r\n', '\n'))
    assert.equal(event.author, review.author)
    assert.equal(event.app_version, review.version)
    assert.equal(event.country, 'us')
    assert.equal(event.occurred_at, review.publishedAt.toISOString())
    assert.ok(new Date(event.observed_at) >= before)
    assert.equal(event.enrichment?.language, 'en')
    assert.equal(event.enrichment?.is_bug_report, true)
    assert.ok(event.enrichment?.themes.includes('stability_crash'))
  }
})

test('a value that a store does not provide is null, never absent', async () => {
  const { event } = await oneEvent(
    { store: 'google', appId: 'com.example.bare', market: 'en' },
    { title: null, author: null, version: null, body: '' },
  )
  assert.deepEqual([event.title, event.author, event.app_version, event.body], [null, null, null, ''])
})

test('an oversized review is delivered with shortened text and the hash of the whole text', async () => {
  const body = '🎉 endless '.repeat(60_000)
  const { event } = await oneEvent({ store: 'apple', appId: '6002', market: 'us' }, { title: 'T', body })
  const [request] = consumer.requests('events-6002')
  assert.ok(request && request.body.length <= 256 * 1024)
  assert.ok(event.body.length > 10_000 && body.startsWith(event.body))
  assert.ok(event.body.isWellFormed())
})

test('ids are deterministic and depend on store, app, review and hook', async () => {
  const place = { store: 'apple', appId: '6003', market: 'us' } as const
  const other = { store: 'apple', appId: '6004', market: 'us' } as const
  const { event: first } = await oneEvent(place, { id: '7777777777' })
  const { event: second } = await oneEvent(other, { id: '7777777777' })
  assert.notEqual(first.fingerprint, second.fingerprint)
  assert.notEqual(first.event_id, second.event_id)
})

test('every live payload and every sample matches the schema of its type', async () => {
  for (const type of ['review.created', 'rating.dropped'] as const) {
    const [sample] = await alice.client.sample(type)
    assert.ok(sample)
    assert.deepEqual(webhookEvent.parse(sample), sample)
  }
})

test('a review in any language of the storefronts arrives with its language', async () => {
  const texts: Readonly<Record<string, readonly [storefront: string, text: string]>> = {
    fr: ['fr', "L'application plante à chaque ouverture depuis la mise à jour, je suis très déçu."],
    de: ['de', 'Seit dem Update stürzt die App ständig ab, bitte behebt das schnell.'],
    es: ['es', 'La aplicación se cierra sola cada vez que la abro, no funciona nada bien.'],
    pt: ['br', 'O aplicativo fecha sozinho toda vez que eu abro, não funciona desde a atualização.'],
    sv: ['se', 'Appen kraschar varje gång jag öppnar den sedan uppdateringen, mycket tråkigt.'],
    it: ['it', "L'app si chiude da sola ogni volta che la apro dopo l'aggiornamento, pessima."],
    nl: ['nl', 'De app loopt steeds vast sinds de laatste update, heel erg vervelend is dat.'],
    ja: ['jp', 'アップデートしてからアプリが毎回落ちます。早く直してください。'],
    ko: ['kr', '업데이트 이후로 앱이 계속 꺼집니다. 빨리 고쳐 주세요.'],
  }
  const appId = '6100'
  addApp(world, { store: 'apple', appId })
  for (const [language, [storefront]] of Object.entries(texts)) {
    await subscribe(alice, consumer, `language-${language}`, {
      store: 'apple',
      app_id: appId,
      event_type: 'review.created',
      country: storefront as 'fr',
    })
  }
  await baseline(radar, appId)
  for (const [market, body] of Object.values(texts))
    publish(radar, { store: 'apple', appId, market }, { body })
  for (const [language, [storefront, body]] of Object.entries(texts)) {
    const [event] = (await consumer.eventsOnce(`language-${language}`, 1)) as readonly ReviewCreated[]
    assert.deepEqual([event?.country, event?.body, event?.enrichment?.language], [storefront, body, language])
  }
})

test('the stored bytes are the sent bytes', async () => {
  const { event } = await oneEvent({ store: 'google', appId: 'com.example.bytes', market: 'en' })
  const [request] = consumer.requests('events-com.example.bytes')
  const view = await radar.service.storage.deliveries.get(alice.accountId, event.event_id)
  assert.ok(request && view?.body)
  assert.ok(Buffer.from(view.body).equals(request.body))
})
