import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayStarts } from '../../../model/days.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, claimFeed, HOUR, NOON, pollOf, reviewOf, stars, subscribe } from '../samples.ts'
import { bring, rate, tick, understand } from './samples.ts'

const DAY = 24 * HOUR
/** The last days in UTC, compared with the same number of previous days. */
const lastDays = (count: number) => ({
  days: dayStarts(NOON, count, 'UTC'),
  before: dayStarts(NOON, 2 * count, 'UTC')[0],
})
const APP = { store: 'apple', appId: '1' } as const

export function appReportsSuite({ open }: Engine): void {
  describe('the apps of an account', () => {
    it('the apps of an account are the tracked and watched ones, each with its scope', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['de', 'us'])
      await subscribe(storage, {}, { storefronts: ['fr'] })
      await subscribe(storage, {}, { store: 'google', appId: 'com.example' })
      await tick(storage, 'bob', ['jp'], { appId: '2' })
      await storage.feeds.saveApps([{ ...APP, name: 'Foo', developer: 'Bar', iconUrl: 'https://i/1' }], NOON)
      const apps = await storage.reports.apps('alice', NOON)
      assert.deepEqual(
        apps.map(({ store, appId, name, developer, iconUrl, ticked, needed, hooks }) => [
          store,
          appId,
          name,
          developer,
          iconUrl,
          ticked,
          needed,
          hooks,
        ]),
        [
          ['apple', '1', 'Foo', 'Bar', 'https://i/1', ['us', 'de'], ['fr'], 1],
          ['google', 'com.example', null, null, null, [], ['us'], 1],
        ],
      )
      assert.deepEqual(
        apps[0]?.feeds.map(({ kind, market }) => `${kind} ${market}`),
        ['rating de', 'rating us', 'reviews de', 'reviews fr', 'reviews us'],
      )
      assert.deepEqual(
        (await storage.reports.apps('bob', NOON)).map(({ appId }) => appId),
        ['2'],
      )
      assert.deepEqual(await storage.reports.apps('carol', NOON), [])
      assert.equal(await storage.reports.app('bob', APP, lastDays(1), after(1)), null)
    })

    it('the apps of an account have the reviews of the last week and their latest', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await tick(storage, 'bob', ['de'])
      await bring(storage, [
        reviewOf({ reviewId: 'a', occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'b', occurredAt: after(-6 * DAY) }),
        reviewOf({ reviewId: 'c', occurredAt: after(-8 * DAY) }),
        reviewOf({ reviewId: 'd', market: 'de', occurredAt: NOON }),
      ])
      const [app] = await storage.reports.apps('alice', NOON)
      assert.equal(app?.reviews7d, 2)
      assert.deepEqual(app?.lastReviewAt, after(-HOUR))
      assert.equal((await storage.reports.apps('bob', NOON))[0]?.reviews7d, 1)
    })

    it('the apps of an account have the ratings of their storefronts with their history', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'bob', ['de'])
      await rate(storage, stars(4.5, 10), after(-9 * DAY))
      await rate(storage, stars(4.6, 20), after(-3 * DAY))
      await rate(storage, stars(4.4, 30), after(-2 * DAY), { market: 'us' })
      const app = await storage.reports.app(
        'alice',
        APP,
        { days: [after(-7 * DAY)], before: after(-8 * DAY) },
        NOON,
      )
      assert.deepEqual(app?.ratings, [
        { storefront: 'us', rating: stars(4.4, 30) },
        { storefront: 'de', rating: stars(4.6, 20) },
      ])
      // Includes the last point before the range, as its start.
      assert.deepEqual(app?.history, [
        {
          storefront: 'us',
          points: [
            { at: after(-9 * DAY), rating: stars(4.5, 10) },
            { at: after(-3 * DAY), rating: stars(4.6, 20) },
            { at: after(-2 * DAY), rating: stars(4.4, 30) },
          ],
        },
        {
          storefront: 'de',
          points: [
            { at: after(-9 * DAY), rating: stars(4.5, 10) },
            { at: after(-3 * DAY), rating: stars(4.6, 20) },
          ],
        },
      ])
      const unknown = { store: 'google', appId: 'com.unknown' } as const
      const [none, later] = await storage.reports.ratingHistories('bob', [unknown, APP], after(-2 * DAY))
      assert.deepEqual(none, [])
      assert.deepEqual(
        later?.map(({ storefront, points }) => [storefront, points.length]),
        [['de', 1]],
      )
      assert.deepEqual(await storage.reports.ratingHistories('carol', [APP], after(-2 * DAY)), [[]])
    })

    it('the apps of an account have their rating histories, each with its own feeds', async () => {
      await using storage = await open()
      await addPeople(storage)
      const other = { store: 'apple', appId: '2' } as const
      await tick(storage, 'alice', ['us'])
      await rate(storage, stars(4.5, 10), after(-DAY))
      await tick(storage, 'alice', ['us'], { appId: other.appId })
      await rate(storage, stars(4.4, 30), after(-HOUR))
      const histories = await storage.reports.ratingHistories('alice', [other, APP, other], after(-2 * DAY))
      assert.deepEqual(
        histories.map((history) =>
          history.map(({ storefront, points }) => [storefront, ...points.map(({ rating }) => rating.count)]),
        ),
        [[['us', 30]], [['us', 10, 30]], [['us', 30]]],
      )
    })

    it('the apps of an account have their negative reviews in the markets of the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await tick(storage, 'bob', ['de'])
      await bring(storage, [
        reviewOf({ reviewId: 'bad', rating: 1, occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'good', rating: 5, occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'too old', rating: 1, occurredAt: after(-3 * DAY) }),
      ])
      const unknown = { store: 'google', appId: 'com.unknown' } as const
      const period = { at: NOON, recentMs: 2 * DAY }
      const idsOf = async (account: string) =>
        (await storage.reports.negativeReviews(account, [unknown, APP], period)).map(({ recent }) =>
          recent.map(({ reviewId }) => reviewId),
        )
      assert.deepEqual(await idsOf('alice'), [[], ['bad']])
      assert.deepEqual(await idsOf('bob'), [[], []])
    })

    it('the apps of an account have stars, sentiments and themes by the day of a time zone', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await tick(storage, 'bob', ['de'])
      await bring(storage, [
        reviewOf({ reviewId: 'a', rating: 1, occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'b', rating: 1, occurredAt: after(-HOUR - 1) }),
        reviewOf({ reviewId: 'c', rating: 5, occurredAt: after(-2 * DAY) }),
        reviewOf({ reviewId: 'too old', rating: 3, occurredAt: after(-40 * DAY) }),
        reviewOf({ reviewId: 'other', rating: 3, market: 'de' }),
      ])
      await understand(storage, ({ rating }) => ({
        sentiment: rating === 1 ? 'negative' : 'positive',
        themes: rating === 1 ? ['sync', 'ads'] : ['sync'],
      }))
      const app = await storage.reports.app(
        'alice',
        APP,
        { days: dayStarts(NOON, 35, 'Pacific/Auckland'), before: after(-70 * DAY) },
        NOON,
      )
      assert.deepEqual(app?.days.slice(-3), [
        { at: new Date('2026-02-27T11:00:00Z'), stars: [0, 0, 0, 0, 1], sentiments: { positive: 1 } },
        { at: new Date('2026-02-28T11:00:00Z'), stars: [1, 0, 0, 0, 0], sentiments: { negative: 1 } },
        { at: new Date('2026-03-01T11:00:00Z'), stars: [1, 0, 0, 0, 0], sentiments: { negative: 1 } },
      ])
      assert.deepEqual(
        app?.themes.map(({ trend, ...theme }) => ({ ...theme, trend: trend.slice(-2) })),
        [
          { theme: 'sync', count: 3, negative: 2, trend: [2, 1], before: 1 },
          { theme: 'ads', count: 2, negative: 2, trend: [1, 1], before: 0 },
        ],
      )
      // More than a month has parts of two days.
      assert.equal(app?.themes[0]?.trend.length, 18)
    })

    it('the apps of an account are compared with the previous period of the same length, until the same time of day', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      // Two days: from midnight of yesterday. The previous period: from midnight two days earlier until noon of the
      // next day.
      await bring(storage, [
        reviewOf({ reviewId: 'a', rating: 5, occurredAt: NOON }),
        reviewOf({ reviewId: 'b', rating: 4, occurredAt: after(-36 * HOUR) }),
        reviewOf({ reviewId: 'neither', rating: 3, occurredAt: after(-48 * HOUR) }),
        reviewOf({ reviewId: 'c', rating: 2, occurredAt: after(-48 * HOUR - 1) }),
        reviewOf({ reviewId: 'd', rating: 1, occurredAt: after(-84 * HOUR) }),
        reviewOf({ reviewId: 'older', rating: 3, occurredAt: after(-84 * HOUR - 1) }),
      ])
      await understand(storage, ({ reviewId }) => ({
        themes: reviewId === 'a' || reviewId === 'd' ? ['sync'] : ['ads'],
      }))
      const app = await storage.reports.app('alice', APP, lastDays(2), after(1))
      assert.deepEqual(app?.before, {
        from: after(-84 * HOUR),
        until: after(-48 * HOUR + 1),
        stars: [1, 1, 1, 0, 0],
      })
      assert.deepEqual(
        app?.days.map(({ stars }) => stars),
        [
          [0, 0, 0, 1, 0],
          [0, 0, 0, 0, 1],
        ],
      )
      assert.deepEqual(
        app?.themes.map(({ theme, count, before }) => [theme, count, before]),
        [
          ['sync', 1, 1],
          ['ads', 1, 2],
        ],
      )
    })

    it('the apps of an account have the releases of the range, each with its earliest date', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      const save = (version: string | null, releasedAt: Date, appId: string = APP.appId) =>
        storage.feeds.saveApps(
          [{ ...APP, appId, name: 'Foo', developer: null, iconUrl: null, release: { version, releasedAt } }],
          NOON,
        )
      await save('1.0', after(-3 * DAY))
      await save('2.0', after(-HOUR))
      await save('2.0', after(-2 * HOUR))
      await save('2.0', after(-HOUR))
      await save(null, after(-3 * HOUR))
      await save(null, after(-4 * HOUR))
      await save('3.0', after(HOUR))
      await save('7.0', after(-HOUR), '2')
      await storage.feeds.saveApps([{ ...APP, name: 'Foo', developer: null, iconUrl: null }], NOON)
      const app = await storage.reports.app('alice', APP, lastDays(2), NOON)
      assert.deepEqual(app?.releases, [
        { version: null, releasedAt: after(-4 * HOUR) },
        { version: '2.0', releasedAt: after(-2 * HOUR) },
      ])
    })

    it('the apps of an account have reviews by version and by market, with the first appearance of a version', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'bob', ['us', 'fr'])
      await bring(storage, [
        reviewOf({ reviewId: 'a', rating: 1, appVersion: '2.0', occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'b', rating: 4, appVersion: '2.0', market: 'de', occurredAt: after(-2 * HOUR) }),
        reviewOf({ reviewId: 'c', rating: 5, appVersion: '1.0', occurredAt: after(-3 * HOUR) }),
        reviewOf({ reviewId: 'd', rating: 2, appVersion: '1.0', occurredAt: after(-2 * DAY - 1) }),
        reviewOf({ reviewId: 'e', rating: 3, appVersion: '0.9', occurredAt: after(-2 * DAY - 1) }),
        reviewOf({ reviewId: 'f', rating: 3, appVersion: null, occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'foreign', rating: 1, appVersion: '3.0', market: 'fr' }),
      ])
      const app = await storage.reports.app('alice', APP, lastDays(2), NOON)
      const byVersion = app?.versions.map(({ version, ...rest }) => [version, rest] as const)
      assert.deepEqual(
        new Map(byVersion),
        new Map([
          ['2.0', { count: 2, starsSum: 5, low: 1, firstAt: after(-2 * HOUR) }],
          ['1.0', { count: 1, starsSum: 5, low: 0, firstAt: after(-2 * DAY - 1) }],
          [null, { count: 1, starsSum: 3, low: 0, firstAt: after(-HOUR) }],
        ]),
      )
      assert.equal(app?.versions[0]?.version, '2.0')
      assert.deepEqual(app?.markets, [
        { market: 'us', count: 3, starsSum: 9, low: 1 },
        { market: 'de', count: 1, starsSum: 4, low: 0 },
      ])
    })

    it('the apps of an account have the most frequent feature requests of their own markets', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await tick(storage, 'bob', ['de'])
      await bring(storage, [
        ...['a', 'b'].map((id) => reviewOf({ reviewId: `dark ${id}`, occurredAt: after(-HOUR) })),
        reviewOf({ reviewId: 'widgets', occurredAt: after(-HOUR) }),
        reviewOf({ reviewId: 'dark before', occurredAt: after(-3 * DAY) }),
        reviewOf({ reviewId: 'export before', occurredAt: after(-3 * DAY) }),
        reviewOf({ reviewId: 'dark long ago', occurredAt: after(-9 * DAY) }),
        reviewOf({ reviewId: 'dark foreign', market: 'de', occurredAt: after(-HOUR) }),
      ])
      await understand(storage, ({ reviewId }) => ({
        is_feature_request: true,
        feature_slug: reviewId.split(' ')[0] ?? null,
      }))
      const app = await storage.reports.app('alice', APP, lastDays(2), NOON)
      assert.deepEqual(app?.requests, [
        { slug: 'dark', count: 2, before: 1 },
        { slug: 'widgets', count: 1, before: 0 },
      ])
    })

    it('the apps of an account have the state of each of their feeds', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      await storage.feeds.commitFailures([
        { ...pollOf(feed, { outcome: 'blocked', detail: 'A captcha.' }), nextPollAt: after(HOUR) },
      ])
      const [app] = await storage.reports.apps('alice', NOON)
      assert.equal(app?.feeds[0]?.lastOutcome, 'blocked')
      assert.equal(app?.feeds[0]?.lastDetail, 'A captcha.')
      assert.deepEqual(app?.feeds[0]?.failingSince, NOON)
    })
  })
}
