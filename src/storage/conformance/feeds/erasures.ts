import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_SOURCES } from '../../../../test/support/no-sources.ts'
import { importFingerprintOf, type Review } from '../../../model/review.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { ErasureTarget, SearchedPart } from '../../port/erasures.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { connectionOf } from '../people/store-connections.ts'
import {
  claim,
  DELIVERED,
  EXPIRE_AFTER_MS,
  enrichmentOf,
  eventOf,
  idsOf,
  settle,
} from '../queue/queue-samples.ts'
import { bring, understand } from '../reports/samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  pollOf,
  reviewOf,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

const SECRET = reviewOf({ reviewId: 'secret', author: 'Mallory "M" Müller', body: 'My secret', rating: 1 })
const OTHER = reviewOf({ reviewId: 'other', author: 'Oscar', body: 'Nice', rating: 5 })

/** The review 1923021781 of the app 1 in App Store Connect. */
const OFFICIAL_ID = '00000000-0000-0100-729e-fbd500000000'

/** Alice and Bob have an event of each review, and Alice one of the spike. */
async function prepared(open: Engine['open']) {
  const storage = await open()
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  const { hook: bobs } = await subscribe(storage, { accountId: 'bob' })
  const spike = { minReviews: 2, factorTenths: 30, windowHours: 1 }
  await subscribe(storage, { accountId: 'alice' }, { eventType: 'reviews.spiked', spike } as never)
  await poll(storage, await claimFeed(storage), [], { nextPollAt: NOON })
  const at = { poll: { polledAt: after(MINUTE) }, nextPollAt: after(MINUTE) }
  await poll(storage, await claimFeed(storage, { now: after(MINUTE) }), [SECRET, OTHER], at)
  const request = { now: after(MINUTE), limit: 10, expireAfterMs: EXPIRE_AFTER_MS, reviewsKeptMs: HOUR }
  await storage.occurrences.fanOut(request, (occurrence) => {
    if (occurrence.eventType !== 'review.created')
      return [{ ...eventOf(hook, 'spike'), body: `{"reviews":[{"fingerprint":"${SECRET.fingerprint}"}]}` }]
    const { author, body } = occurrence.review
    return [hook, bobs].map((each) => ({
      ...eventOf(each, occurrence.occurrenceId),
      body: JSON.stringify({ fingerprint: occurrence.occurrenceId, body, author }),
    }))
  })
  return storage
}

/** A poll of Alice's connection that stores the review and reports it as new, also a second time, with an answer. */
async function storeOfficial(storage: Storage, review: Review, now: Instant): Promise<void> {
  const [source] = await storage.reviewSources.claim({ now, lease: 'lease', leaseMs: MINUTE, limit: 1 })
  assert.ok(source)
  const shown = { review, publicFingerprints: [], replyText: 'Thank you' }
  await storage.reviewSources.commit(
    { sourceId: source.id, lease: 'lease', polledAt: now, nextPollAt: now },
    ...([[shown], false, NO_ENRICHMENT] as const),
    () => ({ seen: [shown], toStore: [review], occurrences: [review] }),
  )
}

const bodiesOf = async (storage: Storage, accountId: string) =>
  (await storage.deliveries.eventsAfter(accountId, {}, { limit: 99, after: 0 })).events.map(
    ({ body }) => body,
  )
const stored = async (storage: Storage, accountId = 'alice') =>
  (await storage.reports.reviews(accountId, {}, { limit: 99, before: null })).reviews.map(
    ({ reviewId }) => reviewId,
  )

async function search(storage: Storage, target: ErasureTarget): Promise<string[]> {
  const found = new Set<string>()
  for (const part of [storage.erasures.reviewsOf, storage.erasures.eventsOf])
    for (let after: number | null = 0; after !== null; ) {
      const { fingerprints, next }: SearchedPart = await part(target, after)
      for (const each of fingerprints) found.add(each)
      after = next
    }
  return [...found].sort()
}

export function erasuresSuite({ open }: Engine): void {
  describe('erased reviews', () => {
    it('erased reviews leave no text, no event of any account, and no event of a spike', async () => {
      await using storage = await prepared(open)
      assert.equal((await bodiesOf(storage, 'alice')).length, 3)
      const erased = await storage.erasures.erase(SECRET.fingerprint, null)
      assert.deepEqual(erased, { reviews: 1, events: 3, accounts: ['alice', 'bob'] })
      assert.deepEqual(await stored(storage), ['other'])
      for (const account of ['alice', 'bob']) {
        assert.deepEqual(
          (await bodiesOf(storage, account)).map((body) => JSON.parse(body).fingerprint),
          [OTHER.fingerprint],
          account,
        )
      }
      const again = await storage.erasures.erase(SECRET.fingerprint, null)
      assert.deepEqual(again, { reviews: 0, events: 0, accounts: [] })
    })

    it('erased reviews are neither stored nor reported again, also when their text changes', async () => {
      await using storage = await prepared(open)
      await storage.erasures.erase(SECRET.fingerprint, null)
      await storage.hooks.trackStorefronts('bob', { store: 'apple', appId: '1' }, ['us', 'de'], NOON)
      const shown = [SECRET, { ...SECRET, body: 'Edited', contentHash: OTHER.contentHash }]
      for (const review of shown) {
        const now = after(HOUR)
        await bring(storage, [review, { ...review, market: 'de' }], now)
        assert.deepEqual(await takeOccurrences(storage, now), [])
        assert.deepEqual(await stored(storage, 'bob'), ['other'])
      }
    })

    it('erased reviews take the copies of accounts with them; the copy of one account goes alone', async () => {
      await using storage = await prepared(open)
      await storage.hooks.trackStorefronts('bob', { store: 'apple', appId: '1' }, ['us', 'de'], NOON)
      const old = reviewOf({ reviewId: 'old', market: 'de', body: 'Imported' })
      for (const accountId of ['alice', 'bob']) await storage.imports.add(accountId, [old], NOON, false)
      const ofBob = importFingerprintOf('bob', 'apple', '1', 'old')
      assert.deepEqual(await storage.erasures.erase(ofBob, 'bob'), {
        reviews: 1,
        events: 0,
        accounts: ['bob'],
      })
      assert.ok((await stored(storage)).includes('old'))
      await storage.imports.add('bob', [old], NOON, false)
      assert.ok(!(await stored(storage, 'bob')).includes('old'))
      const ofAlice = importFingerprintOf('alice', 'apple', '1', 'old')
      assert.equal((await storage.erasures.erase(ofAlice, null)).reviews, 1)
      assert.ok(!(await stored(storage)).includes('old'))
    })

    it('erased reviews are not imported again by any account', async () => {
      await using storage = await prepared(open)
      await storage.erasures.erase(SECRET.fingerprint, null)
      const counts = await storage.imports.add('bob', [{ ...SECRET, market: 'de' }, OTHER], NOON, false)
      assert.deepEqual(counts, { added: 0, replaced: 0, known: 2 })
      await storage.hooks.trackStorefronts('bob', { store: 'apple', appId: '1' }, ['us', 'de'], NOON)
      assert.deepEqual(await stored(storage, 'bob'), ['other'])
    })

    it('erased reviews of the public pages take those of store connections with them, and do not come back by one', async () => {
      await using storage = await prepared(open)
      const shown = reviewOf({ reviewId: '1923021781', body: 'Numbered' })
      await bring(storage, [SECRET, OTHER, shown], after(2 * MINUTE))
      await storage.storeConnections.create(connectionOf(), 9)
      await storage.reviewSources.use('alice', { store: 'apple', appId: '1' }, 'con_1', NOON)
      const fingerprint = officialFingerprintOf('alice', 'apple', '1', OFFICIAL_ID)
      const official = { ...shown, reviewId: OFFICIAL_ID, market: 'us~alice', fingerprint }
      await storeOfficial(storage, official, NOON)
      assert.ok((await stored(storage)).includes(OFFICIAL_ID))
      assert.deepEqual(await storage.erasures.erase(shown.fingerprint, null), {
        ...{ reviews: 2, events: 0, accounts: ['alice'] },
      })
      await storeOfficial(storage, { ...official, contentHash: OTHER.contentHash }, after(HOUR))
      assert.ok(!(await stored(storage)).includes(OFFICIAL_ID))
      assert.equal(await storage.replies.get('alice', fingerprint), null)
      await storage.imports.add('bob', [{ ...shown, reviewId: OFFICIAL_ID }], NOON, false)
      assert.ok(!(await stored(storage, 'bob')).includes(OFFICIAL_ID))
    })

    it('erased reviews of one account leave the public one, and the raw answers and malformed rows of its feeds', async () => {
      await using storage = await prepared(open)
      const now = after(2 * MINUTE)
      const row = { rowKey: 'mine', reason: 'no stars', raw: '{}', rawHash: SECRET.contentHash }
      const feed = await claimFeed(storage, { now })
      await storage.feeds.commitReviews(
        { ...pollOf(feed), polledAt: now, raw: 'the last page' },
        ...([[SECRET, OTHER], false, NO_ENRICHMENT, decideAll([SECRET, OTHER], now)] as const),
        { sources: NO_SOURCES, malformed: [row], searchedAll: false },
      )
      const mine = reviewOf({ reviewId: 'mine', market: 'de' })
      await storage.imports.add('bob', [mine], NOON, false)
      await storage.erasures.erase(importFingerprintOf('bob', 'apple', '1', 'mine'), 'bob')
      assert.equal((await storage.feeds.quarantined({ limit: 9 })).length, 1)
      assert.equal(await storage.feeds.rawAnswer(feed.id), 'the last page')
      await bring(storage, [SECRET, OTHER, { ...mine, market: 'us' }], after(3 * MINUTE))
      assert.ok((await stored(storage)).includes('mine'))
    })

    it('erased reviews that cannot be parsed later are counted without their text', async () => {
      await using storage = await prepared(open)
      await storage.erasures.erase(SECRET.fingerprint, null)
      const now = after(2 * MINUTE)
      const rows = [SECRET, OTHER].map(({ reviewId, body, contentHash }) => ({
        ...{ rowKey: reviewId, reason: 'no stars', raw: body, rawHash: contentHash },
      }))
      await storage.feeds.commitReviews(
        { ...pollOf(await claimFeed(storage, { now })), polledAt: now },
        ...([[], false, NO_ENRICHMENT, decideAll([], now)] as const),
        { sources: NO_SOURCES, malformed: rows, searchedAll: false },
      )
      const quarantined = await storage.feeds.quarantined({ limit: 9 })
      assert.deepEqual(Object.fromEntries(quarantined.map(({ rowKey, raw }) => [rowKey, raw])), {
        secret: '',
        other: OTHER.body,
      })
    })

    it('erased reviews in flight are settled without a result', async () => {
      await using storage = await prepared(open)
      const claimed = await claim(storage, { now: after(MINUTE) })
      assert.equal(idsOf(claimed).length, 5)
      await storage.erasures.erase(SECRET.fingerprint, null)
      await settle(storage, claimed, DELIVERED, { now: after(MINUTE) })
      const all = await storage.deliveries.list('alice', {}, { limit: 9, before: null })
      assert.deepEqual(
        all.map(({ status }) => status),
        ['delivered'],
      )
    })

    it('erased reviews take the cached answer with their summary, and no other', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await bring(storage, [SECRET, OTHER])
      const summary_en = 'Says "my secret".'
      await understand(storage, ({ reviewId }) => (reviewId === 'secret' ? { summary_en } : {}))
      const { cacheEnrichment, cachedEnrichments } = storage.occurrences
      await cacheEnrichment('of the review', enrichmentOf({ summary_en }), NOON)
      await cacheEnrichment('of another', enrichmentOf({ summary_en: 'Says nothing.' }), NOON)
      await storage.erasures.erase(SECRET.fingerprint, null)
      assert.deepEqual([...(await cachedEnrichments(['of the review', 'of another'])).keys()], ['of another'])
    })

    it('erased reviews are found by their author or their app, also when only an event is left', async () => {
      await using storage = await prepared(open)
      const author = SECRET.author ?? ''
      const both = [SECRET.fingerprint, OTHER.fingerprint].sort()
      assert.deepEqual(await search(storage, { store: 'apple', author }), [SECRET.fingerprint])
      assert.deepEqual(await search(storage, { store: 'google', author }), [])
      assert.deepEqual(await search(storage, { store: 'apple', author: 'Mallory' }), [])
      assert.deepEqual(await search(storage, { store: 'apple', appId: '1' }), both)
      assert.deepEqual(await search(storage, { store: 'apple', appId: '2' }), [])
      await storage.maintenance.prune(after(2 * MINUTE), 100)
      assert.deepEqual(await stored(storage), [])
      assert.deepEqual(await search(storage, { store: 'apple', author }), [SECRET.fingerprint])
      assert.equal((await storage.erasures.erase(SECRET.fingerprint, null)).events, 2)
    })
  })
}
