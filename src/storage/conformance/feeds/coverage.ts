import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
  pollSet,
  reviewOf,
  SECOND,
  stars,
  subscribe,
  watchOf,
} from '../samples.ts'

const APP = { store: 'apple', appId: '1' } as const

export function coverageSuite({ open, openAgain }: Engine): void {
  describe('the poll set', () => {
    it('the poll set contains the feeds of a new hook, due before all others', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, { appId: 'waits long' })
      await poll(storage, await claimFeed(storage), [], { nextPollAt: after(1) })
      await subscribe(storage)
      const feeds = await claimFeeds(storage, { now: after(HOUR) })
      assert.deepEqual(
        feeds.map(({ appId, market, dueAt }) => [appId, market, dueAt.getTime()]),
        [
          ['1', 'us', 0],
          ['waits long', 'us', after(1).getTime()],
        ],
      )
    })

    it('the poll set starts a feed with no failures, no baseline and the shortest interval', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      assert.deepEqual(
        [feed.intervalMs, feed.failures, feed.baseline, feed.lastOkAt, feed.pagingIncomplete],
        [15 * MINUTE, 0, null, null, false],
      )
      assert.deepEqual(feed.forwardFrom, NOON)
    })

    it('the poll set contains the storefronts that its account tracks, and those of its other watches', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const drops = { eventType: 'rating.dropped', storefronts: ['fr', 'it'] } as const
      const { watch } = await subscribe(storage, { accountId: 'bob' }, drops)
      assert.deepEqual(await pollSet(storage), [
        'apple 1 rating fr',
        'apple 1 rating it',
        'apple 1 reviews us',
      ])
      await storage.hooks.updateWatch('bob', { ...watch, storefronts: ['fr'] })
      assert.deepEqual(await pollSet(storage), ['apple 1 rating fr', 'apple 1 reviews us'])
      await storage.hooks.trackStorefronts('alice', APP, ['jp'], NOON)
      assert.deepEqual(await pollSet(storage), [
        'apple 1 rating fr',
        'apple 1 rating jp',
        'apple 1 reviews jp',
        'apple 1 reviews us',
      ])
      await storage.hooks.trackStorefronts('alice', APP, [], NOON)
      assert.deepEqual(await pollSet(storage), ['apple 1 rating fr', 'apple 1 reviews us'])
    })

    it('the poll set contains a feed until the last hook that needs it is removed, including hooks of other accounts', async () => {
      await using storage = await open()
      await addPeople(storage)
      const alices = await subscribe(storage)
      const bobs = await subscribe(storage, { accountId: 'bob' }, { storefronts: ['us'] })
      await storage.hooks.remove('alice', alices.hook.id, NOON)
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us'])
      await storage.hooks.remove('bob', bobs.hook.id, NOON)
      assert.deepEqual(await pollSet(storage), [])
      assert.deepEqual(await claimFeeds(storage, { now: after(HOUR) }), [])
    })

    it('the poll set changes with added, changed and removed watches', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook, watch } = await subscribe(storage, {}, { storefronts: ['us'] })
      const google = watchOf(hook, { store: 'google', appId: 'com.a', storefronts: ['gb'] })
      await storage.hooks.addWatch('alice', google)
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us', 'google com.a reviews en'])
      await storage.hooks.updateWatch('alice', { ...google, appId: 'com.b', storefronts: ['jp'] })
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us', 'google com.b reviews ja'])
      await storage.hooks.removeWatch('alice', hook.id, watch.id, NOON)
      assert.deepEqual(await pollSet(storage), ['google com.b reviews ja'])
    })

    it('the poll set keeps the feeds of a paused hook, and drops those of a gone hook until it is resumed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const paused = await subscribe(storage)
      const gone = await subscribe(storage, { status: 'gone' }, { appId: '2' })
      await storage.hooks.setStatus('alice', paused.hook.id, 'paused', NOON)
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us'])
      assert.deepEqual(
        (await storage.hooks.watchedApps('alice')).map(({ appId }) => appId),
        ['1'],
      )
      await storage.hooks.setStatus('alice', gone.hook.id, 'active', NOON)
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us', 'apple 2 reviews us'])
    })

    it('the poll set deletes the baseline of a removed rating feed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const first = await subscribe(storage, {}, { eventType: 'rating.dropped' })
      const feed = await claimFeed(storage, { kind: 'rating' })
      await storage.feeds.commitRatings([{ ...pollOf(feed), rating: stars(4.5) }], ({ rating }) => ({
        baseline: rating,
        drop: null,
        nextPollAt: after(HOUR),
        intervalMs: HOUR,
      }))
      await storage.hooks.remove('alice', first.hook.id, after(MINUTE))
      await subscribe(storage, { createdAt: after(HOUR) }, { eventType: 'rating.dropped' })
      const again = await claimFeed(storage, { kind: 'rating', now: after(HOUR) })
      assert.equal(again.id, feed.id)
      assert.equal(again.baseline, null)
      assert.deepEqual(again.dueAt, new Date(0))
    })

    it('the poll set keeps the seen reviews of a feed that is removed and added again', async () => {
      await using storage = await open()
      await addPeople(storage)
      const first = await subscribe(storage)
      const review = reviewOf({ reviewId: 'r1' })
      const feed = await claimFeed(storage)
      await poll(storage, feed, [review])
      await storage.hooks.remove('alice', first.hook.id, after(MINUTE))
      await subscribe(storage, { createdAt: after(HOUR) })
      const again = await claimFeed(storage, { now: after(HOUR) })
      assert.deepEqual(
        await storage.feeds.known(again.id, [review.fingerprint]),
        new Set([review.fingerprint]),
      )
    })

    it('the poll set revokes the lease of a poll when its feed is removed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const feed = await claimFeed(storage)
      await storage.hooks.remove('alice', hook.id, NOON)
      assert.equal(await poll(storage, feed, [reviewOf({ reviewId: 'r1' })]), false)
      await storage.feeds.release([feed])
      assert.deepEqual(await pollSet(storage), [])
    })

    it('the poll set loses no feed when two accounts subscribe and unsubscribe concurrently', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      for (let round = 0; round < 10; round += 1) {
        const leaving = await subscribe(storage, { createdAt: NOON })
        await Promise.all([
          storage.hooks.remove('alice', leaving.hook.id, NOON),
          subscribe(other, { accountId: 'bob' }, { storefronts: ['us'] }),
          subscribe(storage, { accountId: 'bob' }, { storefronts: ['de'] }),
        ])
        assert.deepEqual(await pollSet(storage), ['apple 1 reviews de', 'apple 1 reviews us'])
        for (const { id } of await storage.hooks.list('bob')) await storage.hooks.remove('bob', id, NOON)
        assert.deepEqual(await pollSet(storage), [])
      }
    })
  })

  describe('subscribing to an app that is already polled', () => {
    it('subscribing to an app that is already polled makes its feeds due at once unless they were polled in the last minute', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [], { nextPollAt: after(6 * HOUR) })
      const { hook } = await subscribe(storage, { createdAt: after(MINUTE) })
      assert.deepEqual(await claimFeeds(storage, { now: after(MINUTE) }), [])
      await storage.hooks.addWatch('alice', watchOf(hook, { createdAt: after(MINUTE + 1) }))
      const feed = await claimFeed(storage, { now: after(MINUTE + 1) })
      assert.deepEqual(feed.dueAt, new Date(0))
      assert.deepEqual(feed.forwardFrom, NOON)
    })

    it('subscribing to an app that is already polled does not change feeds of other storefronts and kinds', async () => {
      await using storage = await open()
      await addPeople(storage)
      await storage.hooks.trackStorefronts('bob', APP, ['us', 'jp'], NOON)
      for (const feed of await claimFeeds(storage))
        await poll(storage, feed, [], { nextPollAt: after(6 * HOUR) })
      for (const feed of await claimFeeds(storage, { kind: 'rating' })) {
        await storage.feeds.commitFailures([{ ...pollOf(feed), nextPollAt: after(6 * HOUR) }])
      }
      await subscribe(storage, { createdAt: after(HOUR) }, { storefronts: ['jp'] })
      assert.deepEqual(
        (await claimFeeds(storage, { now: after(HOUR) })).map(({ market }) => market),
        ['jp'],
      )
      assert.deepEqual(await claimFeeds(storage, { kind: 'rating', now: after(HOUR) }), [])
    })

    it('subscribing to an app that is already polled does not affect a poll under way', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage, { leaseMs: HOUR })
      const late = hookOf({ createdAt: after(10 * MINUTE) })
      await storage.hooks.create(late, [watchOf(late)])
      assert.deepEqual(await claimFeeds(storage, { now: after(10 * MINUTE) }), [])
      assert.equal(await poll(storage, feed, []), true)
    })

    it('subscribing to an app that is already polled does not wait for a poll of a crashed node', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await claimFeed(storage, { leaseMs: SECOND })
      await subscribe(storage, { createdAt: after(MINUTE) })
      assert.deepEqual((await claimFeed(storage, { now: after(MINUTE) })).dueAt, new Date(0))
    })
  })
}
