import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contentHashOf, fingerprintOf, importFingerprintOf, type Review } from '../../../model/review.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, claimTexts, HOUR, MINUTE, NOON, reviewOf, takeOccurrences } from '../samples.ts'
import { bring, feedOf, tick, understand } from './samples.ts'

const DAY = 24 * HOUR
const old = (reviewId: string, given: Partial<Review> = {}) =>
  reviewOf({ reviewId, occurredAt: after(-300 * DAY), observedAt: NOON, ...given })

async function setUp(storage: Storage): Promise<void> {
  await addPeople(storage)
  await tick(storage, 'alice', ['us', 'de'])
  await tick(storage, 'bob', ['us', 'de'])
}

export function importsSuite({ open }: Engine): void {
  describe('imported reviews', () => {
    it('imported reviews are seen only by their account, with the market of the store', async () => {
      await using storage = await open()
      await setUp(storage)
      await bring(storage, [reviewOf({ reviewId: 'public' })])
      const counts = await storage.imports.add('alice', [old('a'), old('b', { market: 'de' })], NOON, false)
      assert.deepEqual(counts, { added: 2, replaced: 0, known: 0 })
      assert.deepEqual((await feedOf(storage, 'alice')).toSorted(), ['a', 'b', 'public'])
      assert.deepEqual(await feedOf(storage, 'alice', { storefronts: ['de'] }), ['b'])
      assert.deepEqual(await feedOf(storage, 'bob'), ['public'])
      const fingerprint = importFingerprintOf('alice', 'apple', '1', 'b')
      const own = await storage.reports.review('alice', fingerprint)
      assert.deepEqual([own?.market, own?.isImported], ['de', true])
      assert.equal(await storage.reports.review('bob', fingerprint), null)
      const [shown] = (await storage.reports.reviews('bob', {}, { limit: 1, before: null })).reviews
      assert.equal(shown?.isImported, false)
    })

    it('imported reviews change no figure of another account', async () => {
      await using storage = await open()
      await setUp(storage)
      await storage.imports.add(
        'alice',
        [reviewOf({ reviewId: 'a', occurredAt: after(-MINUTE) })],
        NOON,
        false,
      )
      const reviews7d = async (accountId: string) =>
        (await storage.reports.apps(accountId, NOON)).map((app) => app.reviews7d)
      assert.deepEqual(await reviews7d('alice'), [1])
      assert.deepEqual(await reviews7d('bob'), [0])
      const period = { since: after(-DAY), until: NOON }
      assert.equal((await storage.statistics.reviewCounts('alice', period)).length, 1)
      assert.equal((await storage.statistics.reviewCounts('bob', period)).length, 0)
    })

    it('imported reviews create no occurrence, and wait for enrichment if it is on', async () => {
      await using storage = await open()
      await setUp(storage)
      await storage.imports.add('alice', [old('quiet')], NOON, false)
      assert.deepEqual(await claimTexts(storage, NOON), [])
      await storage.imports.add('alice', [old('a')], NOON, true)
      assert.deepEqual(
        (await claimTexts(storage, NOON)).map(({ review }) => review.reviewId),
        ['a'],
      )
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })

    it('imported reviews are counted as known, replaced or added on a second import', async () => {
      await using storage = await open()
      await setUp(storage)
      await bring(storage, [reviewOf({ reviewId: 'public' })])
      await storage.imports.add('alice', [old('a'), old('b')], NOON, false)
      const changed = { body: 'new words', contentHash: contentHashOf(null, 'new words') }
      const again = [old('a'), old('b', changed), old('c'), old('public')]
      assert.deepEqual(await storage.imports.add('alice', again, NOON, false), {
        added: 1,
        replaced: 1,
        known: 2,
      })
      assert.equal((await feedOf(storage, 'alice')).length, 4)
    })

    it('imported reviews are replaced by the review of the store, which creates its event', async () => {
      await using storage = await open()
      await setUp(storage)
      await storage.imports.add('alice', [old('a'), old('b')], NOON, false)
      await storage.imports.add('bob', [old('a')], NOON, false)
      await bring(storage, [old('a')])
      const fingerprint = fingerprintOf('apple', '1', 'a')
      for (const account of ['alice', 'bob']) {
        const ids = await feedOf(storage, account)
        assert.deepEqual(ids.toSorted(), account === 'alice' ? ['a', 'b'] : ['a'])
        assert.equal((await storage.reports.review(account, fingerprint))?.isImported, false)
      }
      const taken = await takeOccurrences(storage, after(HOUR))
      assert.deepEqual(
        taken.map(({ occurrenceId }) => occurrenceId),
        [fingerprint],
      )
    })

    it('imported reviews do not contribute known features to reviews of the store', async () => {
      await using storage = await open()
      await setUp(storage)
      await storage.imports.add('alice', [old('a')], NOON, true)
      await understand(storage, () => ({ is_feature_request: true, feature_slug: 'secret-plan' }))
      assert.deepEqual(await storage.occurrences.knownSlugs('apple', '1', 10), [])
    })
  })
}
