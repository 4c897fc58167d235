import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hourStarts } from '../../../model/days.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  attemptOf,
  claim,
  DELIVERED,
  deadOf,
  EXPIRE_AFTER_MS,
  enqueue,
  hash,
  kill,
  NO_CHANGE,
  retryAt,
  settle,
  settledOf,
  testOf,
} from '../queue/queue-samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  HOUR,
  MINUTE,
  NOON,
  pollOf,
  reviewOf,
  SECOND,
  stars,
  subscribe,
} from '../samples.ts'
import { bring, rate, tick, understand } from './samples.ts'

const DAY = 24 * HOUR
/** By the hour, from 23 hours before noon on. */
const figures = (storage: Storage, accountId: string, now = after(MINUTE)) => {
  const hours = 24 + Math.floor((now.getTime() - NOON.getTime()) / HOUR)
  return storage.reports.overview(accountId, hourStarts(now, hours), now)
}

export function figuresSuite({ open }: Engine): void {
  describe('the figures of an account', () => {
    it('the figures of an account count the deliveries of its own hooks, by the hour', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: other } = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [hook], { count: 3 })
      await settle(storage, await claim(storage), DELIVERED, { now: after(-3 * HOUR) })
      await enqueue(storage, [hook, other])
      const retried = await claim(storage)
      await settle(storage, retried, retryAt(NOON), { now: NOON })
      await kill(storage, [hook])
      const alice = await figures(storage, 'alice')
      assert.deepEqual(
        [alice.delivered, alice.failedAttempts, alice.died, alice.pending, alice.held, alice.dead],
        [3, 3, 2, 0, 0, 2],
      )
      assert.equal(alice.hooks, 1)
      assert.equal(alice.series.length, 24)
      assert.deepEqual(alice.series[20], { at: after(-3 * HOUR), reviews: 0, delivered: 3, failed: 0 })
      assert.deepEqual(alice.series[23]?.failed, 3)
      assert.ok((alice.p95Ms ?? 0) >= 11 && (alice.p95Ms ?? 0) <= 14)
      const bob = await figures(storage, 'bob')
      assert.deepEqual([bob.delivered, bob.died, bob.dead], [0, 1, 1])
      assert.equal(bob.p95Ms, null)
      assert.equal((await figures(storage, 'carol')).hooks, 0)
    })

    it('the figures of an account count dead letters without an attempt: expired behind a breaker, or of a gone hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: expired } = await subscribe(storage)
      const { hook: gone } = await subscribe(storage)
      const { hook: deleted } = await subscribe(storage)
      const far = after(1_000 * HOUR)
      await enqueue(storage, [expired], { count: 4 })
      const [tried] = await claim(storage, { limit: 1 })
      assert.ok(tried)
      await settle(storage, [tried], retryAt(after(HOUR)), { change: { ...NO_CHANGE, notBefore: far } })
      const end = after(EXPIRE_AFTER_MS)
      assert.equal(await storage.deliveries.sweepExpired(end, EXPIRE_AFTER_MS, 10), 4)

      await enqueue(storage, [gone], { count: 3, at: end })
      const [ended, ours] = await claim(storage, { now: end })
      assert.ok(ended && ours)
      await storage.deliveries.settle([settledOf(ended, retryAt(far))], end, () => ({
        ...NO_CHANGE,
        gone: true,
      }))
      await settle(storage, [ours], retryAt(far), { now: end })
      const later = after(EXPIRE_AFTER_MS + MINUTE)
      assert.deepEqual(await storage.deliveries.sweepEnded(later, 10), { dead: 1, dropped: 0 })
      await enqueue(storage, [deleted], { count: 2, at: later })
      await storage.hooks.remove('alice', deleted.id, later)
      assert.deepEqual(await storage.deliveries.sweepEnded(later, 10), { dead: 0, dropped: 2 })

      const { died, dead, failedAttempts } = await figures(storage, 'alice', after(EXPIRE_AFTER_MS + HOUR))
      assert.deepEqual([died, dead, failedAttempts], [7, 7, 3])
    })

    it('the figures of an account count pending and held deliveries, and include the time of the oldest due one', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: paused } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2, at: after(-MINUTE) })
      await enqueue(storage, [paused], { count: 3, at: after(-HOUR) })
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      const { pending, held, oldestDueAt } = await figures(storage, 'alice')
      assert.deepEqual([pending, held, oldestDueAt], [2, 3, after(-MINUTE)])
      assert.equal((await figures(storage, 'bob')).pending, 0)
      await storage.hooks.setStatus('alice', paused.id, 'active', NOON)
      assert.deepEqual((await figures(storage, 'alice')).oldestDueAt, after(-HOUR))
    })

    it('the figures of an account count the reviews and drops of its apps', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await tick(storage, 'bob', ['de'])
      await bring(storage, [
        reviewOf({ reviewId: 'a', occurredAt: after(-2 * HOUR) }),
        reviewOf({ reviewId: 'b', occurredAt: after(-2 * HOUR + 1) }),
        reviewOf({ reviewId: 'c', occurredAt: after(-2 * DAY) }),
        reviewOf({ reviewId: 'd', market: 'de' }),
      ])
      await rate(storage, stars(4.5), after(-2 * DAY))
      await rate(storage, stars(4.2), after(-HOUR), { market: 'us', drops: hash('drop') })
      const alice = await figures(storage, 'alice')
      assert.deepEqual([alice.apps, alice.reviews], [1, 2])
      const drop = { storefront: 'us', at: after(-HOUR), before: stars(4.5), now: stars(4.2) }
      assert.deepEqual(alice.drops, {
        total: 1,
        newest: [{ store: 'apple', appId: '1', appName: null, ...drop }],
      })
      assert.equal(alice.series[21]?.reviews, 2)
      assert.deepEqual(alice.movements, [
        { store: 'apple', appId: '1', appName: null, storefront: 'us', before: stars(4.5), now: stars(4.2) },
      ])
      const bob = await figures(storage, 'bob')
      assert.deepEqual([bob.reviews, bob.drops.total, bob.movements], [1, 0, []])
    })

    it('the figures of an account count small drops only if a watch of the account matches them', async () => {
      await using storage = await open()
      await addPeople(storage)
      for (const accountId of ['alice', 'bob']) await tick(storage, accountId, ['us', 'de'])
      await subscribe(
        storage,
        { createdAt: after(-3 * HOUR) },
        {
          eventType: 'rating.dropped',
          deltaMicros: 20_000,
          storefronts: ['us', 'fr'],
          thresholdMicros: 4_400_000,
        },
      )
      const falls = [4.5, 4.47, 4.46, 4.41, 4.4, 4.399, 4.398]
      for (const [index, rating] of falls.entries()) {
        await rate(storage, stars(rating), after((index - 5) * HOUR), { drops: hash(`fall ${index}`) })
      }
      const dropsOf = async (accountId: string) =>
        (await figures(storage, accountId, after(2 * HOUR))).drops.newest.map(
          ({ storefront, now }) => `${storefront} ${now.micros / 1e6}`,
        )
      // Notable in both storefronts: by 0.05 to 4.41. Not notable: by 0.03 to 4.47 before the watch, and by less than
      // its delta to 4.46 and 4.398.
      assert.deepEqual((await dropsOf('bob')).sort(), ['de 4.41', 'us 4.41'])
      const ofWatch = ['fr 4.399', 'fr 4.41', 'us 4.399', 'us 4.41']
      assert.deepEqual((await dropsOf('alice')).sort(), ['de 4.41', ...ofWatch])
      const app = await storage.reports.app(
        'alice',
        { store: 'apple', appId: '1' },
        { days: [after(-DAY)], before: after(-2 * DAY) },
        after(2 * HOUR),
      )
      assert.deepEqual(app?.drops.total, 5)
      assert.deepEqual(app?.drops.newest[0]?.at, NOON)
    })

    it('the failures of an account list the failing feeds', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const feed = await claimFeed(storage)
      await storage.feeds.commitFailures([
        { ...pollOf(feed, { outcome: 'gone', detail: 'No such app.' }), nextPollAt: after(HOUR) },
      ])
      const app = { store: 'apple' as const, appId: '1', name: 'Foo', developer: null, iconUrl: null }
      await storage.feeds.saveApps([app], NOON)
      const [failing] = (await storage.reports.failures('alice')).feeds
      assert.deepEqual([failing?.appName, failing?.lastOutcome], ['Foo', 'gone'])
      assert.deepEqual((await storage.reports.failures('bob')).feeds, [])
    })

    it('the figures of an account include whether any event or test was ever delivered', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ever = async () => (await figures(storage, 'alice')).everDelivered
      assert.equal(await ever(), false)
      await storage.deliveries.recordTest(
        'alice',
        hook.id,
        testOf('{}', { attempt: attemptOf({ reason: 'timeout_total' }) }),
      )
      assert.equal(await ever(), false)
      await storage.deliveries.recordTest('alice', hook.id, testOf('{}'))
      assert.equal(await ever(), true)
      assert.equal((await figures(storage, 'bob')).everDelivered, false)
      const { hook: other } = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [other])
      await settle(storage, await claim(storage), DELIVERED)
      assert.equal((await figures(storage, 'bob')).everDelivered, true)
    })

    it('the figures of an account are deleted by retention', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED)
      while ((await storage.maintenance.prune(after(30 * MINUTE), 100)) > 0);
      assert.equal((await figures(storage, 'alice')).delivered, 1)
      while ((await storage.maintenance.prune(after(2 * HOUR), 100)) > 0);
      assert.equal((await figures(storage, 'alice')).delivered, 0)
    })
  })

  describe('the health of a hook', () => {
    it('the health of a hook has the deliveries of the last day and their latency', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: idle } = await subscribe(storage)
      const { hook: foreign } = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [hook], { count: 4 })
      const [slow, ...quick] = await claim(storage)
      if (slow === undefined) throw new Error('nothing was claimed')
      await settle(storage, quick, DELIVERED, { now: after(-HOUR) })
      await storage.deliveries.settle(
        [
          {
            delivery: slow,
            next: DELIVERED,
            attempt: attemptOf({ timings: { ...attemptOf().timings, totalMs: 900 } }),
          },
        ],
        after(SECOND),
        () => NO_CHANGE,
      )
      await kill(storage, [hook, foreign], { count: 2 })
      await enqueue(storage, [hook], { count: 1 })
      const health = await storage.reports.hookHealth('alice', after(MINUTE))
      assert.deepEqual([...health.keys()].sort(), [hook.id, idle.id].sort())
      const own = health.get(hook.id)
      assert.deepEqual([own?.delivered, own?.failedAttempts, own?.pending, own?.dead], [4, 2, 1, 2])
      assert.equal(own?.died, 2)
      assert.ok((own?.p50Ms ?? 0) >= 11 && (own?.p50Ms ?? 0) <= 14)
      assert.ok((own?.p95Ms ?? 0) >= 810 && (own?.p95Ms ?? 0) <= 990)
      assert.deepEqual(own?.lastDeliveredAt, after(SECOND))
      assert.equal(own?.perHour.length, 24)
      assert.deepEqual(own?.perHour.at(-2), { delivered: 3, failed: 0 })
      assert.deepEqual(own?.perHour.at(-1), { delivered: 1, failed: 2 })
      const none = health.get(idle.id)
      assert.deepEqual([none?.delivered, none?.p50Ms, none?.lastDeliveredAt], [0, null, null])
      const later = await storage.reports.hookHealth('alice', after(25 * HOUR))
      assert.equal(later.get(hook.id)?.delivered, 0)
    })

    it('the health of a hook knows the last accepted delivery when many newer ones are pending', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 1 })
      await settle(storage, await claim(storage), DELIVERED, { now: after(MINUTE) })
      await enqueue(storage, [hook], { count: 30 })
      const health = await storage.reports.hookHealth('alice', after(2 * MINUTE))
      assert.deepEqual(health.get(hook.id)?.lastDeliveredAt, after(MINUTE))
    })

    it('the health of a hook is failing from the notice until the recovery', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const failingSince = async () =>
        (await storage.reports.hookHealth('alice', NOON)).get(hook.id)?.failingSince
      await enqueue(storage, [hook])
      assert.equal(await failingSince(), null)
      const settleWith = async (now: Instant, kind: 'failing' | 'recovered' | 'exhausted') => {
        const [claimed] = await claim(storage, { now })
        if (claimed === undefined) throw new Error('nothing was claimed')
        const change = { ...NO_CHANGE, notices: [{ kind, detail: '' }] }
        await settle(storage, [claimed], retryAt(after(SECOND)), { now, change })
      }
      await settleWith(after(HOUR), 'failing')
      await settleWith(after(2 * HOUR), 'exhausted')
      assert.deepEqual(await failingSince(), after(HOUR))
      await settleWith(after(3 * HOUR), 'recovered')
      assert.equal(await failingSince(), null)
    })

    it('the health of a hook includes the end of an open breaker', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const openUntil = async () =>
        (await storage.reports.hookHealth('alice', NOON)).get(hook.id)?.breakerOpenUntil
      await enqueue(storage, [hook])
      const [first] = await claim(storage)
      if (first === undefined) throw new Error('nothing was claimed')
      await settle(storage, [first], retryAt(after(SECOND)), {
        change: { ...NO_CHANGE, notBefore: after(HOUR) },
      })
      assert.equal(await openUntil(), null)
      const [again] = await claim(storage, { now: after(2 * HOUR) })
      if (again === undefined) throw new Error('nothing was claimed again')
      await settle(storage, [again], retryAt(after(SECOND)), {
        change: { ...NO_CHANGE, notBefore: after(HOUR), notices: [{ kind: 'breaker_opened', detail: '' }] },
      })
      assert.deepEqual(await openUntil(), after(HOUR))
    })
  })

  describe('marks', () => {
    /** The names of the marks that changed since the last call. */
    async function watching(storage: Storage): Promise<() => Promise<string[]>> {
      let before = await storage.reports.marks('alice', NOON)
      return async () => {
        const now = await storage.reports.marks('alice', NOON)
        const names = (Object.keys(now) as (keyof typeof now)[]).filter((name) => now[name] !== before[name])
        before = now
        return names.sort()
      }
    }

    it('marks change only with reviews, ratings and feeds of the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await tick(storage, 'alice', ['us'])
      await tick(storage, 'bob', ['de'])
      const changed = await watching(storage)
      assert.deepEqual(await changed(), [])
      await bring(storage, [reviewOf({ reviewId: 'a' }), reviewOf({ reviewId: 'foreign', market: 'de' })])
      assert.deepEqual(await changed(), ['apps', 'reviews'])
      await bring(storage, [reviewOf({ reviewId: 'another', market: 'de' })])
      assert.deepEqual(await changed(), [])
      await bring(storage, [reviewOf({ reviewId: 'b', occurredAt: after(1) })])
      assert.deepEqual(await changed(), ['reviews'])
      await understand(storage, () => ({}))
      assert.deepEqual(await changed(), ['reviews'])
      await rate(storage, stars(4.5), NOON, { market: 'de' })
      assert.deepEqual(await changed(), [])
      await rate(storage, stars(4.5), NOON, { market: 'us' })
      assert.deepEqual(await changed(), ['apps'])
    })

    it('marks change only with hooks and deliveries of the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const changed = await watching(storage)
      const { hook } = await subscribe(storage)
      assert.ok((await changed()).includes('destinations'))
      const { hook: foreign } = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [foreign])
      await settle(storage, await claim(storage), DELIVERED)
      await changed()
      await enqueue(storage, [foreign])
      await settle(storage, await claim(storage), deadOf())
      assert.deepEqual(
        (await changed()).filter((name) => name !== 'reviews'),
        [],
      )
      await enqueue(storage, [hook])
      assert.ok((await changed()).includes('deliveries'))
      await settle(storage, await claim(storage), deadOf())
      assert.deepEqual(await changed(), ['dead', 'deliveries'])
      const replay = { id: 'rpl_1', accountId: 'alice', filter: {}, ratePerSecond: 1, createdAt: NOON }
      await storage.deadLetters.createReplays([replay])
      assert.deepEqual(await changed(), ['replays'])
      await storage.hooks.setStatus('alice', hook.id, 'paused', NOON)
      assert.deepEqual(await changed(), ['destinations'])
    })
  })
}
