import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Hook } from '../../../model/hook.ts'
import { INBOX_EVENTS_MAX, INBOX_TARGET } from '../../../model/inbox.ts'
import type { WithInstants } from '../../../runtime/instant.ts'
import { LimitReached } from '../../port/errors.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { claim, DELIVERED, enqueue, settle } from '../queue/queue-samples.ts'
import { addPeople, after, HOUR, hookOf, pollSet, SECOND, subscribe, watchOf } from '../samples.ts'

const inboxOf = (given: Partial<WithInstants<Hook>> = {}) =>
  hookOf({ source: 'console', targetUrl: INBOX_TARGET, ...given })

async function addInbox(storage: Storage, accountId = 'alice'): Promise<Hook> {
  const hook = inboxOf({ accountId })
  await storage.hooks.addToInbox(hook, [watchOf(hook)])
  return hook
}

async function seqsOf(storage: Storage, hook: Hook): Promise<number[]> {
  const page = { limit: 10_000, before: null }
  return (await storage.deliveries.list(hook.accountId, { hookId: hook.id }, page)).map(({ seq }) => seq)
}

export function inboxesSuite({ open, openAgain }: Engine): void {
  describe('inboxes', () => {
    it('inboxes are created once per account and get the watches of later calls', async () => {
      await using storage = await open()
      await addPeople(storage)
      const [first, second, bobs] = [inboxOf(), inboxOf(), inboxOf({ accountId: 'bob' })]
      const reviews = watchOf(first)
      const drops = watchOf(second, { eventType: 'rating.dropped', deltaMicros: 50_000, createdAt: after(1) })
      assert.equal(await storage.hooks.addToInbox(first, [reviews]), first.id)
      assert.equal(await storage.hooks.addToInbox(second, [watchOf(second), drops]), first.id)
      assert.equal(await storage.hooks.addToInbox(bobs, []), bobs.id)
      const watches = [reviews, { ...drops, hookId: first.id }]
      assert.deepEqual(await storage.hooks.list('alice'), [{ ...first, watches, watchSets: [] }])
      assert.deepEqual(await storage.hooks.list('bob'), [{ ...bobs, watches: [], watchSets: [] }])
      assert.deepEqual(await pollSet(storage), ['apple 1 rating us', 'apple 1 reviews us'])
    })

    it('inboxes are created once by several concurrent processes, and again after a removal', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const ids = await Promise.all(
        [storage, other, storage, other].map((at) => at.hooks.addToInbox(inboxOf(), [])),
      )
      assert.equal(new Set(ids).size, 1)
      assert.equal(await storage.hooks.remove('alice', ids[0] ?? '', after(SECOND)), true)
      const next = inboxOf()
      assert.equal(await storage.hooks.addToInbox(next, []), next.id)
    })

    it('inboxes count towards the limits of their account', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const limits = { hooksMax: 1, storefrontsMax: 9, watchesMax: 1 }
      const hook = inboxOf()
      await assert.rejects(storage.hooks.addToInbox(hook, [], limits), LimitReached)
      const enough = { ...limits, hooksMax: 2 }
      await storage.hooks.addToInbox(hook, [watchOf(hook)], enough)
      const another = watchOf(hook, { appId: '2' })
      await assert.rejects(storage.hooks.addToInbox(hook, [another], enough), LimitReached)
      await storage.hooks.addToInbox(hook, [watchOf(hook)], enough)
      assert.equal((await storage.hooks.get('alice', hook.id))?.watches.length, 1)
    })

    it('inboxes keep only the newest events, delivered or not, while other hooks keep all', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const alices = await addInbox(storage)
      const bobs = await addInbox(storage, 'bob')
      await enqueue(storage, [hook, alices, bobs], { count: INBOX_EVENTS_MAX })
      const before = await seqsOf(storage, alices)
      assert.equal(before.length, INBOX_EVENTS_MAX)
      const claimed = await claim(storage, { limit: 10_000 })
      await settle(storage, claimed.filter(({ hookId }) => hookId !== bobs.id).slice(100), DELIVERED)

      await enqueue(storage, [hook, alices], { count: 3, at: after(HOUR) })
      const kept = await seqsOf(storage, alices)
      assert.equal(kept.length, INBOX_EVENTS_MAX)
      assert.deepEqual(kept.slice(3), before.slice(0, -3))
      assert.equal((await seqsOf(storage, bobs)).length, INBOX_EVENTS_MAX)
      assert.equal((await seqsOf(storage, hook)).length, INBOX_EVENTS_MAX + 3)

      await enqueue(storage, [bobs], { count: 1, at: after(HOUR) })
      assert.equal((await seqsOf(storage, bobs)).length, INBOX_EVENTS_MAX)
    })

    it('inboxes may lose a claimed event without an error', async () => {
      await using storage = await open()
      await addPeople(storage)
      const inbox = await addInbox(storage)
      const [first = ''] = await enqueue(storage, [inbox])
      const claimed = await claim(storage)
      await enqueue(storage, [inbox], { count: INBOX_EVENTS_MAX, at: after(SECOND) })
      await settle(storage, claimed, DELIVERED)
      assert.equal(await storage.deliveries.get('alice', first), null)
      assert.deepEqual(await storage.deliveries.attempts('alice', first), [])
    })
  })
}
