import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fingerprintOf } from '../../../model/review.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, NOON, reviewOf, subscribe } from '../samples.ts'
import { bring, feedOf, tick, understand } from './samples.ts'

/** Reviews with these ids, a minute apart, newest first. */
const reviewsOf = (...ids: string[]) =>
  ids.map((reviewId, index) => reviewOf({ reviewId, occurredAt: after(-index * MINUTE) }))

export function reviewReportsSuite({ open }: Engine): void {
  describe('the review feed', () => {
    it('the review feed shows only the tracked and watched apps of an account, newest first', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await subscribe(storage, { accountId: 'bob' }, { appId: '2', storefronts: ['fr'] })
      await bring(storage, [
        ...reviewsOf('us new', 'us old'),
        reviewOf({ reviewId: 'de', market: 'de', occurredAt: after(-30_000) }),
        reviewOf({ reviewId: 'fr', market: 'fr', appId: '2' }),
      ])
      assert.deepEqual(await feedOf(storage, 'alice'), ['us new', 'de', 'us old'])
      assert.deepEqual(await feedOf(storage, 'bob'), ['fr'])
      assert.deepEqual(await feedOf(storage, 'carol'), [])
    })

    it("the review feed shows only the account's own markets of an app", async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'bob', ['de', 'fr'])
      const markets = ['us', 'de', 'fr'] as const
      const reviews = markets.map((market) => reviewOf({ reviewId: market, market }))
      await bring(storage, reviews)
      assert.deepEqual((await feedOf(storage, 'alice')).sort(), ['de', 'us'])
      assert.deepEqual((await feedOf(storage, 'bob')).sort(), ['de', 'fr'])
      assert.deepEqual(await feedOf(storage, 'bob', { storefronts: ['us'] }), [])
      const us = fingerprintOf('apple', '1', 'us')
      assert.equal((await storage.reports.review('alice', us))?.reviewId, 'us')
      assert.equal(await storage.reports.review('bob', us), null)
      const found = await storage.reports.reviewsOf(
        'bob',
        reviews.map(({ fingerprint }) => fingerprint),
      )
      assert.deepEqual(found.map(({ reviewId }) => reviewId).sort(), ['de', 'fr'])
      await tick(storage, 'alice', [])
      assert.deepEqual(await feedOf(storage, 'alice'), [])
      assert.equal(await storage.reports.review('alice', us), null)
    })

    it('the review feed does not show the reviews of an app when only its rating is watched', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await subscribe(storage, { accountId: 'bob' }, { eventType: 'rating.dropped', deltaMicros: 1 })
      await bring(storage, reviewsOf('one'))
      assert.deepEqual(await feedOf(storage, 'alice'), ['one'])
      assert.deepEqual(await feedOf(storage, 'bob'), [])
    })

    it('the review feed returns every review once, with pages of any size', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'alice', ['us'], { appId: '2' })
      // Several reviews have the same time, and a page may end between them.
      const reviews = Array.from({ length: 40 }, (_, n) =>
        reviewOf({
          reviewId: `r${n}`,
          appId: n % 3 === 0 ? '2' : '1',
          market: n % 3 === 1 ? 'de' : 'us',
          occurredAt: after(-Math.floor(n / 7) * MINUTE),
        }),
      )
      await bring(storage, reviews)
      const whole = await feedOf(storage, 'alice', {}, 100)
      assert.deepEqual([...whole].sort(), reviews.map(({ reviewId }) => reviewId).sort())
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 45 }), async (limit) => {
          assert.deepEqual(await feedOf(storage, 'alice', {}, limit), whole)
        }),
        { numRuns: 8 },
      )
    })

    it('the review feed filters by app, storefront, stars and time', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'alice', ['us', 'gb'], { store: 'google', appId: 'com.example' })
      await bring(storage, [
        reviewOf({ reviewId: 'a', rating: 1 }),
        reviewOf({ reviewId: 'b', rating: 5, market: 'de', occurredAt: after(-HOUR) }),
        reviewOf({
          reviewId: 'c',
          store: 'google',
          appId: 'com.example',
          market: 'en',
          rating: 2,
          occurredAt: after(-2 * HOUR),
        }),
      ])
      const filtered = (filter: Parameters<typeof feedOf>[2]) => feedOf(storage, 'alice', filter)
      assert.deepEqual(await filtered({}), ['a', 'b', 'c'])
      assert.deepEqual(await filtered({ store: 'google' }), ['c'])
      assert.deepEqual(await filtered({ store: 'apple', appId: 'com.example' }), [])
      assert.deepEqual(await filtered({ appId: '1' }), ['a', 'b'])
      assert.deepEqual(await filtered({ storefronts: ['de'] }), ['b'])
      // A Google review belongs to a language, which serves several storefronts.
      assert.deepEqual(await filtered({ storefronts: ['gb'] }), ['c'])
      assert.deepEqual((await filtered({ storefronts: ['de', 'gb'] })).toSorted(), ['b', 'c'])
      assert.deepEqual(await filtered({ stars: [1, 2] }), ['a', 'c'])
      assert.deepEqual(await filtered({ stars: [] }), [])
      assert.deepEqual(await filtered({ since: after(-HOUR) }), ['a', 'b'])
      assert.deepEqual(await filtered({ until: after(-HOUR) }), ['c'])
    })

    it('the review feed filters by the enrichment of a review', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await bring(storage, reviewsOf('bug', 'enrichment', 'other'))
      await understand(storage, ({ reviewId }) => ({
        language: reviewId === 'other' ? 'de' : 'en',
        sentiment: reviewId === 'bug' ? 'negative' : 'neutral',
        severity: reviewId === 'bug' ? 'high' : 'low',
        themes: reviewId === 'other' ? ['other'] : ['stability_crash', 'sync'],
        is_bug_report: reviewId === 'bug',
        is_feature_request: reviewId === 'enrichment',
        feature_slug: reviewId === 'enrichment' ? 'dark_mode' : null,
      }))
      await bring(storage, [reviewOf({ reviewId: 'not yet', appVersion: '2.0', occurredAt: after(1) })])
      const filtered = (filter: Parameters<typeof feedOf>[2]) => feedOf(storage, 'alice', filter)
      assert.deepEqual(await filtered({}), ['not yet', 'bug', 'enrichment', 'other'])
      assert.deepEqual(await filtered({ language: 'de' }), ['other'])
      assert.deepEqual(await filtered({ sentiment: 'negative' }), ['bug'])
      assert.deepEqual(await filtered({ severity: 'low' }), ['enrichment', 'other'])
      assert.deepEqual(await filtered({ theme: 'sync' }), ['bug', 'enrichment'])
      assert.deepEqual(await filtered({ theme: 'other' }), ['other'])
      assert.deepEqual(await filtered({ theme: 'ads' }), [])
      assert.deepEqual(await filtered({ bug: true }), ['bug'])
      assert.deepEqual(await filtered({ bug: false }), ['enrichment', 'other'])
      assert.deepEqual(await filtered({ request: true }), ['enrichment'])
      assert.deepEqual(await filtered({ feature: 'dark_mode' }), ['enrichment'])
      assert.deepEqual(await filtered({ feature: 'dark' }), [])
      assert.deepEqual(await filtered({ version: '2.0' }), ['not yet'])
      const one = await storage.reports.review('alice', fingerprintOf('apple', '1', 'bug'))
      assert.equal(one?.enrichment?.sentiment, 'negative')
      assert.equal(one?.enrichedBy, 'offline')
    })

    it('the review feed finds reviews that contain every word in title, text or author, ignoring case', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const texts: Record<string, Parameters<typeof reviewOf>[0]> = {
        a: { reviewId: 'a', title: 'Crashes always', body: 'since the update', author: 'Zoe' },
        b: { reviewId: 'b', title: null, body: 'Großer Ärger, 100% schlecht', author: null },
        c: { reviewId: 'c', title: null, body: 'アプリが落ちる under_score back\\slash', author: 'ada' },
      }
      await bring(storage, Object.values(texts).map(reviewOf))
      const found = async (text: string) => (await feedOf(storage, 'alice', { text })).sort()
      assert.deepEqual(await found('CRASH'), ['a'])
      assert.deepEqual(await found('update crashes'), ['a'])
      assert.deepEqual(await found('update ärger'), [])
      assert.deepEqual(await found('zoe'), ['a'])
      assert.deepEqual(await found('ÄRGER'), ['b'])
      assert.deepEqual(await found('ärger'), ['b'])
      assert.deepEqual(await found('落ち'), ['c'])
      assert.deepEqual(await found('a'), ['a', 'c'])
      assert.deepEqual(await found('  '), ['a', 'b', 'c'])
      // Characters with a meaning in SQL patterns match themselves.
      assert.deepEqual(await found('100%'), ['b'])
      assert.deepEqual(await found('%'), ['b'])
      assert.deepEqual(await found('r_s'), ['c'])
      assert.deepEqual(await found('k\\s'), ['c'])
      assert.deepEqual(await found("'"), [])
    })

    it('the review feed finds a review by its English summary and by the feature that it requests', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const bodies = { german: 'Stürzt immer ab', request: 'Meine Augen tun weh', other: 'Nett' }
      await bring(
        storage,
        Object.entries(bodies).map(([reviewId, body]) =>
          reviewOf({ reviewId, title: null, author: null, body }),
        ),
      )
      const request = { is_feature_request: true, feature_phrase: 'Night theme', feature_slug: 'dark_mode' }
      await understand(storage, ({ reviewId }) =>
        reviewId === 'german'
          ? { summary_en: 'Crashes at every start; "unusable"' }
          : reviewId === 'request'
            ? { summary_en: 'Asks for a darker screen', ...request }
            : { summary_en: 'Likes it' },
      )
      const found = async (text: string) => (await feedOf(storage, 'alice', { text })).sort()
      assert.deepEqual(await found('crashes START'), ['german'])
      assert.deepEqual(await found('stürzt crashes'), ['german'])
      assert.deepEqual(await found('"unusable"'), ['german'])
      assert.deepEqual(await found('dark mode'), ['request'])
      assert.deepEqual(await found('night theme'), ['request'])
      assert.deepEqual(await found('likes'), ['other'])
      // Names of fields and codes in the stored enrichment are no text.
      for (const word of ['summary_en', 'sentiment', 'false', 'stability_crash', '{']) {
        assert.deepEqual(await found(word), [], word)
      }
    })

    it('the review feed finds and counts old and new reviews among thousands', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const many = Array.from({ length: 4_500 }, (_, n) =>
        reviewOf({
          reviewId: `r${n}`,
          body: n % 1_000 === 7 ? 'a needle here' : 'hay',
          occurredAt: after(-n * MINUTE),
        }),
      )
      await bring(storage, many)
      const needles = ['r7', 'r1007', 'r2007', 'r3007', 'r4007']
      assert.deepEqual(await feedOf(storage, 'alice', { text: 'needle' }), needles)
      assert.deepEqual(await feedOf(storage, 'alice', { text: 'needle' }, 2), needles)
      const count = (accountId: string, filter: Parameters<typeof feedOf>[2], max = 10_000) =>
        storage.reports.countReviews(accountId, filter ?? {}, max)
      assert.equal(await count('alice', {}), 4_500)
      assert.equal(await count('alice', { text: 'needle' }), 5)
      assert.equal(await count('alice', { since: after(-10 * MINUTE) }), 11)
      assert.equal(await count('alice', {}, 100), 100)
      assert.equal(await count('bob', {}), 0)
    })

    it('the review feed has the stored name of the app', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await bring(storage, reviewsOf('one'))
      const names = async () =>
        (await storage.reports.reviews('alice', {}, { limit: 5, before: null })).reviews.map(
          ({ appName }) => appName,
        )
      assert.deepEqual(await names(), [null])
      const app = { store: 'apple' as const, appId: '1', name: 'Foo', developer: null, iconUrl: null }
      await storage.feeds.saveApps([app], NOON)
      assert.deepEqual(await names(), ['Foo'])
    })

    it('the review feed finds no review by an invalid fingerprint', async () => {
      await using storage = await open()
      for (const name of ['', 'x', "'", 'F'.repeat(64), '0'.repeat(64), '\0']) {
        assert.equal(await storage.reports.review('alice', name), null)
        assert.deepEqual(await storage.reports.reviewsOf('alice', [name]), [])
      }
    })
  })
}
