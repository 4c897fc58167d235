import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_SOURCES } from '../../../../test/support/no-sources.ts'
import type { Storefront } from '../../../model/vocabulary.ts'
import type { Instant } from '../../../runtime/instant.ts'
import { instantOf } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  HOUR,
  hookOf,
  MINUTE,
  NOON,
  poll,
  pollOf,
  SECOND,
  subscribe,
} from '../samples.ts'

const APP = { store: 'apple', appId: '1' } as const

/** Feeds of reviews and rating of one app, in each storefront. */
async function trackStorefronts(
  storage: Storage,
  storefronts: readonly Storefront[],
  appId = '1',
): Promise<void> {
  await storage.hooks.trackStorefronts('alice', { store: 'apple', appId }, storefronts, NOON)
}

export function feedsSuite({ open, openAgain }: Engine): void {
  describe('claiming feeds', () => {
    it('claiming feeds takes the due feeds of one store and kind, most overdue first, up to the limit', async () => {
      await using storage = await open()
      await addPeople(storage)
      await trackStorefronts(storage, ['us', 'gb', 'jp', 'de'])
      await storage.hooks.trackStorefronts('alice', { store: 'google', appId: 'com.a' }, ['us'], NOON)
      const dueAt: Record<string, Instant> = { us: after(1), jp: after(2), gb: after(3), de: after(HOUR) }
      for (const feed of await claimFeeds(storage)) {
        await poll(storage, feed, [], { nextPollAt: dueAt[feed.market] ?? NOON })
      }
      const first = await claimFeeds(storage, { now: after(3), limit: 2 })
      assert.deepEqual(
        first.map(({ market, kind, store }) => [store, kind, market]),
        [
          ['apple', 'reviews', 'us'],
          ['apple', 'reviews', 'jp'],
        ],
      )
      assert.deepEqual(
        first.map((feed) => feed.dueAt),
        [after(1), after(2)],
      )
      assert.deepEqual(
        (await claimFeeds(storage, { now: after(3) })).map(({ market }) => market),
        ['gb'],
      )
      assert.deepEqual(await claimFeeds(storage, { now: after(3) }), [])
    })

    it('claiming feeds takes feeds of one market when they share a request', async () => {
      await using storage = await open()
      await addPeople(storage)
      for (const appId of ['1', '2', '3']) await trackStorefronts(storage, ['us', 'gb'], appId)
      for (const feed of await claimFeeds(storage, { kind: 'rating' })) {
        const nextPollAt = after(feed.appId === '2' && feed.market === 'gb' ? 1 : 2)
        await storage.feeds.commitFailures([{ ...pollOf(feed), nextPollAt }])
      }
      const claim = () => claimFeeds(storage, { kind: 'rating', now: after(SECOND), sameMarket: true })
      assert.deepEqual(
        (await claim()).map(({ appId, market }) => [appId, market]),
        [
          ['2', 'gb'],
          ['1', 'gb'],
          ['3', 'gb'],
        ],
      )
      assert.deepEqual(new Set((await claim()).map(({ market }) => market)), new Set(['us']))
      assert.deepEqual(await claim(), [])
    })

    it('claiming feeds gives no feed to two concurrent claims', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      for (let app = 0; app < 60; app += 1) await trackStorefronts(storage, ['us', 'gb'], `app ${app}`)
      const claimed = await Promise.all(
        [storage, other, storage, other].map(async (each) => {
          const ids: number[] = []
          for (;;) {
            const feeds = await claimFeeds(each, { limit: 7 })
            if (feeds.length === 0) return ids
            ids.push(...feeds.map(({ id }) => id))
          }
        }),
      )
      const ids = claimed.flat()
      assert.equal(ids.length, 120)
      assert.equal(new Set(ids).size, 120)
    })

    it('claiming feeds gives a feed again after the end of its lease, which then becomes invalid', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const dead = await claimFeed(storage, { leaseMs: MINUTE })
      assert.deepEqual(await claimFeeds(storage, { now: after(MINUTE - 1) }), [])
      const taken = await claimFeed(storage, { now: after(MINUTE) })
      assert.equal(taken.id, dead.id)
      assert.equal(await poll(storage, dead, []), false)
      assert.deepEqual(
        await storage.feeds.commitRatings([{ ...pollOf(dead), rating: null }], notCalled),
        new Set(),
      )
      await storage.feeds.commitFailures([{ ...pollOf(dead, { outcome: 'blocked' }), nextPollAt: NOON }])
      await storage.feeds.release([dead])
      const [view] = await storage.feeds.list({ failingOnly: false, limit: 1 })
      assert.equal(view?.failures, 0)
      assert.deepEqual(await claimFeeds(storage, { now: after(MINUTE) }), [])
      assert.equal(await poll(storage, taken, []), true)
      assert.equal(await poll(storage, taken, []), false)
    })

    it('a poll is accepted after the end of its lease until the feed is claimed again', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const slow = await claimFeed(storage, { leaseMs: SECOND })
      assert.equal(await poll(storage, slow, [], { poll: { polledAt: after(MINUTE) } }), true)
    })
  })

  describe('releasing feeds', () => {
    it('released feeds are due at their previous time', async () => {
      await using storage = await open()
      await addPeople(storage)
      await trackStorefronts(storage, ['us', 'gb'])
      const first = await claimFeeds(storage)
      await poll(storage, first[0] ?? assert.fail(), [], { nextPollAt: after(SECOND) })
      await storage.feeds.release(first)
      const again = await claimFeeds(storage, { now: after(SECOND) })
      assert.deepEqual(
        again.map(({ dueAt }) => dueAt),
        [new Date(0), after(SECOND)],
      )
    })
  })

  describe('the feeds for the operator', () => {
    it('the feeds for the operator are the active ones with the result of the last poll, failing ones first', async () => {
      await using storage = await open()
      await addPeople(storage)
      await trackStorefronts(storage, ['us', 'gb', 'jp'])
      const reviews = await claimFeeds(storage)
      const [us, gb] = [
        reviews.find(({ market }) => market === 'us'),
        reviews.find(({ market }) => market === 'gb'),
      ]
      if (us === undefined || gb === undefined) assert.fail()
      await poll(storage, us, [], { poll: { outcome: 'empty', source: 'web', polledAt: after(1) } })
      await storage.feeds.commitFailures([
        {
          ...pollOf(gb, { outcome: 'changed', detail: 'no feed key', raw: '<html>', polledAt: after(2) }),
          nextPollAt: after(HOUR),
        },
      ])
      const views = await storage.feeds.list({ failingOnly: false, limit: 10 })
      assert.equal(views.length, 6)
      assert.deepEqual(views[0], {
        id: gb.id,
        store: 'apple',
        appId: '1',
        kind: 'reviews',
        market: 'gb',
        intervalMs: 15 * MINUTE,
        failures: 1,
        lastOkAt: null,
        pagingIncomplete: false,
        active: true,
        nextPollAt: after(HOUR),
        lastPolledAt: after(2),
        lastOutcome: 'changed',
        lastSource: 'rss',
        sources: NO_SOURCES,
        lastDetail: 'no feed key',
        failingSince: after(2),
        hasRawAnswer: true,
        baseline: null,
      })
      assert.deepEqual(
        views.slice(1).map(({ id }) => id),
        views
          .slice(1)
          .map(({ id }) => id)
          .sort((a, b) => a - b),
      )
      const well = views.find(({ id }) => id === us.id)
      assert.deepEqual(
        [well?.lastOutcome, well?.lastSource, well?.lastOkAt, well?.failingSince, well?.hasRawAnswer],
        ['empty', 'web', after(1), null, false],
      )
      assert.deepEqual(
        (await storage.feeds.list({ failingOnly: true, limit: 10 })).map(({ id }) => id),
        [gb.id],
      )
      assert.equal((await storage.feeds.list({ failingOnly: false, limit: 2 })).length, 2)
    })

    it('the feeds for the operator are counted as active, failing and due, by store and kind', async () => {
      await using storage = await open()
      await addPeople(storage)
      await trackStorefronts(storage, ['us', 'gb', 'jp'])
      await storage.hooks.trackStorefronts('alice', { store: 'google', appId: 'com.a' }, ['us', 'gb'], NOON)
      const [feed] = await claimFeeds(storage, { limit: 1 })
      if (feed === undefined) assert.fail()
      const farAway = instantOf(Date.parse('2999-01-01T00:00:00Z'))
      await storage.feeds.commitFailures([{ ...pollOf(feed, { outcome: 'blocked' }), nextPollAt: farAway }])
      const none = { fallback: 0, frozen: 0, quarantined: 0 }
      assert.deepEqual(await storage.feeds.counts(), [
        { store: 'apple', kind: 'rating', active: 3, failing: 0, due: 3, ...none },
        { store: 'apple', kind: 'reviews', active: 3, failing: 1, due: 2, ...none },
        { store: 'google', kind: 'rating', active: 2, failing: 0, due: 2, ...none },
        { store: 'google', kind: 'reviews', active: 1, failing: 0, due: 1, ...none },
      ])
      await trackStorefronts(storage, [])
      assert.deepEqual(
        (await storage.feeds.counts()).map(({ store }) => store),
        ['google', 'google'],
      )
    })
  })

  describe('the data of an app', () => {
    it('the data of an app is that of the newest answer, for any order of writes', async () => {
      await using storage = await open()
      await addPeople(storage)
      await trackStorefronts(storage, ['us'])
      const name = async () => (await storage.hooks.watchedApps('alice'))[0]?.name
      const details = { ...APP, developer: 'Dev', iconUrl: 'https://example.com/icon.png' }
      assert.equal(await name(), null)
      await storage.feeds.saveApps([{ ...details, name: 'Second' }], after(2))
      await storage.feeds.saveApps([{ ...details, name: 'First' }], after(1))
      assert.equal(await name(), 'Second')
      await storage.feeds.saveApps([{ ...details, name: 'Third', developer: null, iconUrl: null }], after(3))
      assert.equal(await name(), 'Third')
      await storage.feeds.saveApps([], after(4))
    })

    it('the data of an app is missing before the first answer, unless the app has a rating feed', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const app = { store: 'google', appId: 'org.example.app' } as const
      await subscribe(storage, hookOf({ id: 'api-2' }), app)
      const nameless = () => Promise.all([APP, app].map(storage.feeds.isNameless))
      assert.deepEqual(await nameless(), [true, true])
      await storage.feeds.saveApps([{ ...APP, name: 'App', developer: null, iconUrl: null }], NOON)
      assert.deepEqual(await nameless(), [false, true])
      await storage.hooks.trackStorefronts('alice', app, ['us'], NOON)
      assert.deepEqual(await nameless(), [false, false])
      await storage.hooks.trackStorefronts('alice', app, [], NOON)
      assert.deepEqual(await nameless(), [false, true])
    })

    it('the names of several apps are read without apps that have no name', async () => {
      await using storage = await open()
      const other = { store: 'google', appId: 'org.example.app' } as const
      const saved = { developer: null, iconUrl: null }
      await storage.feeds.saveApps([{ ...APP, ...saved, name: 'App' }], NOON)
      assert.deepEqual(
        await storage.feeds.appNames([APP, other, APP]),
        new Map([[`${APP.store}/${APP.appId}`, 'App']]),
      )
      assert.deepEqual(await storage.feeds.appNames([]), new Map())
    })

    it('the data of an app may occur twice in one answer', async () => {
      await using storage = await open()
      await addPeople(storage)
      await trackStorefronts(storage, ['us'])
      const details = { ...APP, developer: null, iconUrl: null }
      await storage.feeds.saveApps(
        [
          { ...details, name: 'One' },
          { ...details, name: 'Two' },
        ],
        NOON,
      )
      assert.equal((await storage.hooks.watchedApps('alice'))[0]?.name, 'Two')
    })
  })
}

function notCalled(): never {
  assert.fail('a lease that is not ours must not be decided on')
}
