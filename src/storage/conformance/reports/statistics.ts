import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CountFilter, RatingCursor } from '../../port/statistics.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, NOON, reviewOf, stars, subscribe } from '../samples.ts'
import { bring, rate, tick, understand } from './samples.ts'

const DAY = 24 * HOUR
const APP = { store: 'apple', appId: '1' } as const

/** Every row of an app's ratings, `limit` at a time. */
async function ratingsOf(
  storage: Storage,
  accountId: string,
  filter: Parameters<Storage['statistics']['ratings']>[2] = {},
  limit = 100,
): Promise<string[]> {
  const rows: string[] = []
  let before: RatingCursor | null = null
  do {
    const page = await storage.statistics.ratings(accountId, APP, filter, { limit, before })
    assert.ok(page)
    for (const { storefront, observedAt, rating } of page.ratings) {
      rows.push(`${storefront} ${(observedAt.getTime() - NOON.getTime()) / HOUR} h ${rating.micros / 1e6}`)
    }
    before = page.next
  } while (before !== null)
  return rows
}

export function statisticsSuite({ open }: Engine): void {
  describe('the ratings of an app', () => {
    it('the ratings of an app are those of the storefronts of the account, newest first, in pages of any size', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'bob', ['us'])
      await rate(storage, stars(4.5), NOON)
      await rate(storage, stars(4.4), after(HOUR))
      await rate(storage, stars(4.3), after(2 * HOUR), { market: 'de' })
      const whole = await ratingsOf(storage, 'alice')
      assert.deepEqual(whole.slice(0, 1), ['de 2 h 4.3'])
      assert.deepEqual(whole.slice(1).toSorted(), ['de 0 h 4.5', 'de 1 h 4.4', 'us 0 h 4.5', 'us 1 h 4.4'])
      for (const limit of [1, 2, 3]) assert.deepEqual(await ratingsOf(storage, 'alice', {}, limit), whole)
      assert.deepEqual(await ratingsOf(storage, 'bob'), ['us 1 h 4.4', 'us 0 h 4.5'])
      assert.deepEqual(await ratingsOf(storage, 'alice', { storefront: 'us', until: after(HOUR) }), [
        'us 0 h 4.5',
      ])
      assert.deepEqual(await ratingsOf(storage, 'alice', { since: after(HOUR + 1) }), ['de 2 h 4.3'])
    })

    it('the ratings of an app are null for an account that does not track or watch the app', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const page = { limit: 1, before: null }
      assert.equal(await storage.statistics.ratings('bob', APP, {}, page), null)
    })
  })

  describe('the counts of reviews', () => {
    const filter: CountFilter = { since: after(-40 * DAY), until: after(DAY) }

    it('the counts of reviews are by day, stars and enrichment, of the markets of the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await subscribe(storage, { accountId: 'bob' }, { storefronts: ['de'] })
      await bring(storage, [
        reviewOf({ reviewId: 'a', rating: 1 }),
        reviewOf({ reviewId: 'b', rating: 1, occurredAt: after(-MINUTE) }),
        reviewOf({ reviewId: 'c', rating: 5, market: 'de', occurredAt: after(-35 * DAY) }),
        reviewOf({ reviewId: 'too old', occurredAt: after(-41 * DAY) }),
      ])
      await understand(storage, ({ rating }) => ({
        sentiment: rating === 1 ? 'negative' : 'positive',
        themes: rating === 1 ? ['sync', 'ads'] : ['praise_general'],
        is_bug_report: rating === 1,
        is_feature_request: false,
      }))
      const counts = async (accountId: string, more: Partial<CountFilter> = {}) =>
        (await storage.statistics.reviewCounts(accountId, { ...filter, ...more })).sort(
          (a, b) => a.day.getTime() - b.day.getTime(),
        )
      const german = {
        day: new Date('2026-01-25T00:00:00Z'),
        stars: 5,
        sentiment: 'positive',
        themes: ['praise_general'],
        isBugReport: false,
        isFeatureRequest: false,
        count: 1,
      }
      assert.deepEqual(await counts('alice'), [
        german,
        {
          day: new Date('2026-03-01T00:00:00Z'),
          stars: 1,
          sentiment: 'negative',
          themes: ['sync', 'ads'],
          isBugReport: true,
          isFeatureRequest: false,
          count: 2,
        },
      ])
      assert.deepEqual(await counts('bob'), [german])
      assert.deepEqual(await counts('alice', { storefront: 'de' }), [german])
      assert.deepEqual(await counts('alice', { appId: '2' }), [])
      assert.deepEqual(await counts('alice', { until: after(-DAY) }), [german])
    })

    it('the counts are those of one version, and the versions are listed with the newest review first', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const of = (reviewId: string, appVersion: string | null, days: number) =>
        reviewOf({ reviewId, appVersion, occurredAt: after(-days * DAY) })
      await bring(storage, [of('a', '2.0', 1), of('b', '2.0', 9), of('c', '1.9', 3), of('d', null, 0)])
      await understand(storage, () => ({ is_feature_request: true, feature_slug: 'dark_mode' }))
      const { reviewCounts, requestedFeatures, reviewedVersions } = storage.statistics
      const ofVersion = { ...filter, version: '2.0' }
      const total = (await reviewCounts('alice', ofVersion)).reduce((sum, { count }) => sum + count, 0)
      assert.equal(total, 2)
      assert.deepEqual(
        (await requestedFeatures('alice', ofVersion, 5)).map(({ slug, count }) => [slug, count]),
        [['dark_mode', 2]],
      )
      assert.deepEqual(await reviewedVersions('alice', filter, 5), [
        { version: '2.0', count: 2, firstAt: after(-9 * DAY), lastAt: after(-DAY) },
        { version: '1.9', count: 1, firstAt: after(-3 * DAY), lastAt: after(-3 * DAY) },
      ])
      assert.equal((await reviewedVersions('alice', filter, 1)).length, 1)
      assert.deepEqual(await reviewedVersions('bob', filter, 5), [])
    })

    it('the counts of requested features are by slug, most frequent first, with the phrase of the newest', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const request = (reviewId: string, days: number) =>
        reviewOf({ reviewId, occurredAt: after(-days * DAY) })
      await bring(storage, [
        request('dark 2', 2),
        request('dark 1', 1),
        request('dark 1b', 1),
        request('widget 3', 3),
      ])
      await understand(storage, ({ reviewId }) => {
        const slug = reviewId.startsWith('dark') ? 'dark-mode' : 'widget'
        return { is_feature_request: true, feature_slug: slug, feature_phrase: `phrase of ${slug}` }
      })
      const features = (accountId: string, limit: number) =>
        storage.statistics.requestedFeatures(accountId, filter, limit)
      assert.deepEqual(await features('alice', 5), [
        {
          slug: 'dark-mode',
          phrase: 'phrase of dark-mode',
          count: 3,
          lastAt: after(-DAY),
          days: [
            { day: new Date('2026-02-27T00:00:00Z'), count: 1 },
            { day: new Date('2026-02-28T00:00:00Z'), count: 2 },
          ],
        },
        {
          slug: 'widget',
          phrase: 'phrase of widget',
          count: 1,
          lastAt: after(-3 * DAY),
          days: [{ day: new Date('2026-02-26T00:00:00Z'), count: 1 }],
        },
      ])
      assert.equal((await features('alice', 1)).length, 1)
      assert.deepEqual(await features('bob', 5), [])
    })
  })
}
