import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FEW_DUE_MAX } from '../../../model/fair-picks.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { LeasedFeed } from '../../port/feeds.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, claimFeeds, HOUR, MINUTE, NOON, poll, SECOND, subscribe } from '../samples.ts'

/** Creates hooks of an account, each for another app. */
async function subscribeMany(storage: Storage, accountId: string, count: number, from = 0): Promise<void> {
  for (let app = from; app < from + count; app += 1) {
    await subscribe(storage, { accountId }, { appId: `${accountId} ${app}` })
  }
}

/** Polls every due feed, so that none is fresh; each is due again at `nextPollAt`. */
async function pollAll(storage: Storage, nextPollAt: Instant, now = NOON): Promise<void> {
  for (const feed of await claimFeeds(storage, { now, limit: 1_000 }))
    await poll(storage, feed, [], { nextPollAt })
}

const ownerOf = ({ appId }: LeasedFeed) => appId.split(' ', 1)[0]

/** The owners of the next feeds, claimed `limit` at a time. */
async function owners(storage: Storage, claims: number, now: Instant, limit = 1) {
  const found: (string | undefined)[] = []
  for (let claim = 0; claim < claims; claim += 1) {
    found.push(...(await claimFeeds(storage, { now, limit })).map(ownerOf))
  }
  return found
}

export function fairPollsSuite({ open, openAgain }: Engine): void {
  describe('claiming feeds of several accounts', () => {
    it('claiming feeds of several accounts does not make one account wait for the new feeds of another', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribeMany(storage, 'bob', 1)
      await pollAll(storage, after(SECOND))
      await subscribeMany(storage, 'alice', 40)
      const found = await owners(storage, 4, after(MINUTE))
      assert.ok(found.includes('bob'), `${found}`)
    })

    for (const [words, backlog] of [
      ['the backlog', 40],
      ['a backlog that is not read whole', FEW_DUE_MAX + 1],
    ] as const) {
      it(`claiming feeds of several accounts does not make one account wait for ${words} of another`, async () => {
        await using storage = await open()
        await addPeople(storage)
        await subscribeMany(storage, 'alice', backlog)
        await pollAll(storage, after(SECOND))
        await subscribeMany(storage, 'bob', 3)
        await pollAll(storage, after(2 * SECOND), after(2))
        const found = await owners(storage, 6, after(HOUR))
        assert.equal(found.filter((owner) => owner === 'bob').length, 3, `${found}`)
        assert.deepEqual(new Set(await owners(storage, 6, after(HOUR))), new Set(['alice']))
      })
    }

    it('claiming feeds of several accounts gives new feeds every second place while others are due', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribeMany(storage, 'alice', 6)
      await pollAll(storage, after(SECOND))
      await subscribeMany(storage, 'alice', 6, 100)
      const fresh: boolean[] = []
      for (let claim = 0; claim < 8; claim += 1) {
        for (const feed of await claimFeeds(storage, { now: after(MINUTE), limit: 1 })) {
          fresh.push(feed.dueAt.getTime() === 0)
        }
      }
      assert.equal(fresh.filter(Boolean).length, 4, `${fresh}`)
      assert.ok(
        fresh.every((each, at) => at === 0 || each !== fresh[at - 1]),
        `${fresh}`,
      )
    })

    it('claiming feeds of several accounts stores the next account between claims of any node', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      await subscribeMany(storage, 'alice', 20)
      await subscribeMany(storage, 'bob', 20)
      const found: (string | undefined)[] = []
      for (let claim = 0; claim < 10; claim += 1) {
        found.push(...(await owners(claim % 2 === 0 ? storage : other, 1, NOON)))
      }
      assert.deepEqual(
        found.map((owner, at) => owner !== found[at - 1]),
        found.map(() => true),
        `${found}`,
      )
    })

    it('claiming feeds of several accounts takes a feed of two accounts in the place of either', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribeMany(storage, 'alice', 10)
      await pollAll(storage, after(SECOND))
      // The last due feed of Alice, and the only one of Bob.
      await subscribe(storage, {}, { appId: 'shared' })
      await subscribe(storage, { accountId: 'bob' }, { appId: 'shared' })
      await pollAll(storage, after(MINUTE))
      const found = await owners(storage, 2, after(HOUR))
      assert.deepEqual(new Set(found), new Set(['alice', 'shared']))
    })

    it('claiming feeds of several accounts skips an account for feeds that it no longer watches', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribeMany(storage, 'alice', 10)
      const shared = await subscribe(storage, { accountId: 'bob' }, { appId: 'alice 9' })
      await pollAll(storage, after(SECOND))
      await storage.hooks.remove('bob', shared.hook.id, after(2))
      const claimed: string[] = []
      for (let claim = 0; claim < 3; claim += 1) {
        claimed.push(...(await claimFeeds(storage, { now: after(HOUR), limit: 1 })).map(({ appId }) => appId))
      }
      assert.ok(!claimed.includes('alice 9'), `${claimed}`)
      // It is still in Alice's queue.
      const rest = await claimFeeds(storage, { now: after(HOUR), limit: 100 })
      assert.ok(rest.some(({ appId }) => appId === 'alice 9'))
    })

    it('claiming feeds of several accounts restores the place of a released feed', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribeMany(storage, 'alice', 2)
      const [feed] = await claimFeeds(storage, { limit: 1 })
      if (feed === undefined) assert.fail()
      await storage.feeds.release([feed])
      const again = await claimFeeds(storage)
      assert.deepEqual(
        again.map(({ appId }) => appId),
        ['alice 0', 'alice 1'],
      )
    })

    it('claiming feeds of several accounts takes the market of the next account when feeds share a request', async () => {
      await using storage = await open()
      await addPeople(storage)
      const trackStorefronts = (accountId: string, appId: string, storefront: 'us' | 'jp') =>
        storage.hooks.trackStorefronts(accountId, { store: 'apple', appId }, [storefront], NOON)
      for (let app = 0; app < 9; app += 1) await trackStorefronts('alice', `alice ${app}`, 'us')
      await trackStorefronts('bob', 'bob 0', 'jp')
      const markets: string[][] = []
      for (let claim = 0; claim < 2; claim += 1) {
        const feeds = await claimFeeds(storage, { kind: 'rating', limit: 3, sameMarket: true })
        markets.push([...new Set(feeds.map(({ market }) => market))])
      }
      assert.deepEqual(markets.flat().sort(), ['jp', 'us'])
    })
  })
}
