import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hourStarts } from '../../../model/days.ts'
import { feedHealth } from '../../../model/feed-health.ts'
import type { Hook } from '../../../model/hook.ts'
import { STOREFRONTS } from '../../../model/vocabulary.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { NoticeKind } from '../../port/deliveries.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { claim, enqueue, NO_CHANGE, retryAt, settle } from '../queue/queue-samples.ts'
import { addPeople, after, claimFeeds, HOUR, MINUTE, NOON, pollOf, subscribe } from '../samples.ts'

const NEVER = after(1_000 * HOUR)

/** Settles a new delivery of the hook, which stays pending, with a notice. */
async function notify(storage: Storage, hook: Hook, kind: NoticeKind, at: Instant): Promise<void> {
  await enqueue(storage, [hook], { at })
  await settle(storage, await claim(storage, { now: at }), retryAt(NEVER), {
    now: at,
    change: { ...NO_CHANGE, notices: [{ kind, detail: '' }] },
  })
}

async function failing(storage: Storage, accountId = 'alice') {
  return (await storage.reports.failures(accountId)).hooks
}

export function failingHooksSuite({ open }: Engine): void {
  describe('the failing hooks of an account', () => {
    it('the failing hooks of an account are counted, and the ten that fail longest are listed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hooks: Hook[] = []
      for (let number = 0; number < 12; number += 1) {
        const { hook } = await subscribe(storage, { targetUrl: `https://example.com/${number}` })
        hooks.push(hook)
      }
      // The newest hook fails longest.
      for (const [index, hook] of hooks.toReversed().entries()) {
        await notify(storage, hook, 'failing', after(index * MINUTE))
      }
      const { total, longest } = await failing(storage)
      assert.equal(total, 12)
      assert.deepEqual(
        longest.map(({ targetUrl }) => targetUrl),
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((number) => `https://example.com/${number}`),
      )
    })

    it('the failing hooks of an account have their name, the time of the first failure and their pending deliveries', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, { name: 'Support' })
      assert.deepEqual(await failing(storage), { total: 0, longest: [] })
      await notify(storage, hook, 'failing', after(MINUTE))
      await notify(storage, hook, 'exhausted', after(2 * MINUTE))
      const line = { id: hook.id, name: 'Support', targetUrl: hook.targetUrl }
      assert.deepEqual(await failing(storage), {
        total: 1,
        longest: [{ ...line, failingSince: after(MINUTE), pending: 2 }],
      })
    })

    it('the failing hooks of an account have all pending deliveries late, also those without an attempt, until they are paused', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: failed } = await subscribe(storage)
      const { hook: working } = await subscribe(storage)
      await notify(storage, failed, 'failing', after(MINUTE))
      await enqueue(storage, [failed, working], { count: 2 })
      const health = await storage.reports.hookHealth('alice', after(HOUR))
      assert.deepEqual(
        [failed, working].map(({ id }) => health.get(id)?.late),
        [3, 0],
      )
      const overview = await storage.reports.overview('alice', hourStarts(after(HOUR), 24), after(HOUR))
      assert.deepEqual([overview.pending, overview.late], [5, 3])
      await storage.hooks.setStatus('alice', failed.id, 'paused', after(HOUR))
      const paused = await storage.reports.hookHealth('alice', after(HOUR))
      assert.deepEqual([paused.get(failed.id)?.late, paused.get(failed.id)?.pending], [0, 3])
    })

    it('the failing hooks of an account are active, have not recovered, and belong to the account', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: recovered } = await subscribe(storage)
      const { hook: paused } = await subscribe(storage)
      const { hook: deleted } = await subscribe(storage)
      const { hook: foreign } = await subscribe(storage, { accountId: 'bob' })
      await subscribe(storage)
      for (const each of [hook, recovered, paused, deleted, foreign]) {
        await notify(storage, each, 'failing', after(MINUTE))
      }
      await notify(storage, recovered, 'recovered', after(2 * MINUTE))
      await storage.hooks.setStatus('alice', paused.id, 'paused', after(3 * MINUTE))
      await storage.hooks.remove('alice', deleted.id, after(3 * MINUTE))
      const idsOf = async (accountId: string) => {
        const { total, longest } = await failing(storage, accountId)
        assert.equal(total, longest.length)
        return longest.map(({ id }) => id)
      }
      assert.deepEqual(await idsOf('alice'), [hook.id])
      assert.deepEqual(await idsOf('bob'), [foreign.id])
      await storage.hooks.setStatus('alice', paused.id, 'active', after(4 * MINUTE))
      assert.deepEqual((await idsOf('alice')).sort(), [hook.id, paused.id].sort())
    })

    it('the failing hooks of an account include its oldest hundred paused mails', async () => {
      await using storage = await open()
      await addPeople(storage)
      const paused = { status: 'paused', unsubscribed: [{ recipient: 'r1', at: NOON }] } as const
      const ids: string[] = []
      for (let number = 0; number < 102; number += 1)
        ids.push((await subscribe(storage, { ...paused, createdAt: after(number * MINUTE) })).hook.id)
      const { pausedMails } = await storage.reports.failures('alice')
      assert.deepEqual(
        pausedMails.map(({ id }) => id),
        ids.slice(0, 100),
      )
    })

    it('the failing hooks of an account come with the longest failing feeds of each store and health, and count all their apps', async () => {
      await using storage = await open()
      await addPeople(storage)
      const apps = ['1', '2', '3', '4'].map((appId) => ({ store: 'apple', appId }) as const)
      for (const app of apps) await storage.hooks.trackStorefronts('alice', app, STOREFRONTS, NOON)
      await storage.hooks.trackStorefronts('alice', { store: 'google', appId: '5' }, ['us'], NOON)
      let failed = 0
      for (const store of ['google', 'apple'] as const)
        for (const kind of ['rating', 'reviews'] as const)
          for (const feed of await claimFeeds(storage, { store, kind })) {
            failed += 1
            const outcome = store === 'apple' && feed.market === 'it' ? 'gone' : 'unknown'
            await storage.feeds.commitFailures([
              { ...pollOf(feed, { outcome, polledAt: after((200 - failed) * MINUTE) }), nextPollAt: NOON },
            ])
          }
      const { feeds, failingApps } = await storage.reports.failures('alice')
      assert.deepEqual(failingApps, [
        { store: 'apple', health: 'gone', apps: 4 },
        { store: 'apple', health: 'stale', apps: 4 },
        { store: 'google', health: 'stale', apps: 1 },
      ])
      assert.deepEqual(
        failingApps.map(
          ({ store, health }) =>
            feeds.filter((feed) => feed.store === store && feedHealth(feed) === health).length,
        ),
        [8, 100, 2],
      )
      assert.deepEqual(feeds[0]?.failingSince, after((200 - failed) * MINUTE), 'the one that fails longest')
    })
  })
}
