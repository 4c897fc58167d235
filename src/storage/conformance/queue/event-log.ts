import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EventFilter } from '../../port/deliveries.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, subscribe } from '../samples.ts'
import { enqueue, kill } from './queue-samples.ts'

/** The bodies after `after`, read `limit` at a time, and the end of the reading. */
async function readAll(
  storage: Storage,
  filter: EventFilter = {},
  { accountId = 'alice', after = 0, limit = 100 } = {},
): Promise<{ bodies: string[]; end: number }> {
  const bodies: string[] = []
  let end = after
  for (;;) {
    const page = await storage.deliveries.eventsAfter(accountId, filter, { limit, after: end })
    bodies.push(...page.events.map(({ body }) => body))
    end = page.end
    if (page.events.length === 0) return { bodies, end }
  }
}

export function eventLogSuite({ open }: Engine): void {
  describe('the events of an account', () => {
    it('the events of an account are read in order, each once, in pages of any size, without events of other accounts', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: foreign } = await subscribe(storage, { accountId: 'bob' })
      const ids = await enqueue(storage, [hook], { count: 5 })
      const others = await enqueue(storage, [foreign], { count: 2 })
      const bodies = ids.map((id) => `body of ${id}`)
      for (const limit of [1, 2, 5, 100]) {
        assert.deepEqual((await readAll(storage, {}, { limit })).bodies, bodies)
      }
      const of = await readAll(storage, {}, { accountId: 'bob' })
      assert.deepEqual(
        of.bodies,
        others.map((id) => `body of ${id}`),
      )
      assert.deepEqual((await readAll(storage, {}, { accountId: 'carol' })).bodies, [])
    })

    it('the events of an account continue after the last page, also after events of others', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: foreign } = await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [hook, foreign])
      const first = await readAll(storage)
      assert.deepEqual(await readAll(storage, {}, { after: first.end }), { bodies: [], end: first.end })
      const [next] = await enqueue(storage, [foreign, hook]).then((ids) => ids.slice(1))
      assert.deepEqual((await readAll(storage, {}, { after: first.end })).bodies, [`body of ${next}`])
    })

    it('the events of an account include every state of deliveries', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await kill(storage, [hook], { count: 2 })
      assert.deepEqual(
        (await readAll(storage)).bodies,
        ids.map((id) => `body of ${id}`),
      )
    })

    it('the events of an account are filtered by hook, app, store and type', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { hook: other } = await subscribe(storage)
      await enqueue(storage, [hook, other])
      assert.equal((await readAll(storage, { hookId: other.id })).bodies.length, 1)
      assert.equal((await readAll(storage, { eventType: 'review.created', store: 'apple' })).bodies.length, 2)
      assert.equal((await readAll(storage, { eventType: 'rating.dropped' })).bodies.length, 0)
      assert.equal((await readAll(storage, { appId: '2' })).bodies.length, 0)
    })

    it('the events of an account end at the highest used number', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      const { end } = await readAll(storage)
      const ahead = await storage.deliveries.eventsAfter('alice', {}, { limit: 1, after: end + 1_000 })
      assert.deepEqual(ahead, { events: [], end })
      assert.equal((await storage.deliveries.eventsAfter('alice', {}, { limit: 0, after: 0 })).end, end)
    })
  })
}
