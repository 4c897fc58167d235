import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayStarts } from '../../../model/days.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, claimFeed, HOUR, NOON, pollOf, reviewOf, stars, subscribe } from '../samples.ts'
import { bring, rate, tick, understand } from './samples.ts'

const DAY = 24 * HOUR
const APP = { store: 'apple', appId: '1' } as const

export function appReportsSuite({ open }: Engine): void {
  describe('the apps of an account', () => {
    it('are the tracked ones and those its watches need, each with its scope', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['de', 'us'])
      await subscribe(storage, {}, { storefront: 'fr' })
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
      assert.equal(await storage.reports.app('bob', APP, [NOON], after(1)), null)
    })

    it('have the reviews of the last week and their latest', async () => {
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

    it('have the ratings of their storefronts with their history', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us', 'de'])
      await tick(storage, 'bob', ['de'])
      await rate(storage, stars(4.5, 10), after(-9 * DAY))
      await rate(storage, stars(4.6, 20), after(-3 * DAY))
      await rate(storage, stars(4.4, 30), after(-2 * DAY), { market: 'us' })
      const app = await storage.reports.app('alice', APP, [after(-7 * DAY)], NOON)
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
      const later = await storage.reports.app('bob', APP, [after(-2 * DAY)], NOON)
      assert.deepEqual(
        later?.history.map(({ storefront, points }) => [storefront, points.length]),
        [['de', 1]],
      )
    })

    it('have stars, sentiments and themes by the day of a time zone', async () => {
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
      const app = await storage.reports.app('alice', APP, dayStarts(NOON, 35, 'Pacific/Auckland'), NOON)
      assert.deepEqual(app?.volume.slice(-3), [
        { at: new Date('2026-02-27T11:00:00Z'), stars: [0, 0, 0, 0, 1] },
        { at: new Date('2026-02-28T11:00:00Z'), stars: [1, 0, 0, 0, 0] },
        { at: new Date('2026-03-01T11:00:00Z'), stars: [1, 0, 0, 0, 0] },
      ])
      assert.deepEqual(app?.sentiments, { negative: 2, positive: 1 })
      assert.deepEqual(
        app?.themes.map(({ perDay, ...theme }) => ({ ...theme, perDay: perDay.slice(-3) })),
        [
          { theme: 'sync', count: 3, negative: 2, perDay: [1, 1, 1] },
          { theme: 'ads', count: 2, negative: 2, perDay: [0, 1, 1] },
        ],
      )
      assert.equal(app?.themes[0]?.perDay.length, 35)
    })

    it('have the state of each of their feeds', async () => {
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
