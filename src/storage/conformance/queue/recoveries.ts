import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Instant, instantOf, later } from '../../../runtime/instant.ts'
import type { RecoveryFilter, Replay } from '../../port/dead-letters.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, NOON, SECOND, subscribe } from '../samples.ts'
import { claim, DELIVERED, deadOf, enqueue, idsOf, retryAt, settle } from './queue-samples.ts'

const LATER = after(HOUR)

/** Deliveries of a hook of Alice before and after the outage at noon, and one delivery of another hook of Alice. */
async function addOutage(storage: Storage) {
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  const { hook: other } = await subscribe(storage)
  const endAs = async (next: typeof DELIVERED, at: Instant, of = hook) => {
    const [id = ''] = await enqueue(storage, [of], { at })
    await settle(storage, await claim(storage, { now: at }), next, { now: at })
    return id
  }
  const before = later(NOON, -MINUTE)
  await endAs(deadOf(), before)
  await endAs(DELIVERED, before)
  const dead = await endAs(deadOf(), after(MINUTE))
  const delivered = await endAs(DELIVERED, after(2 * MINUTE))
  const pending = await endAs(retryAt(after(9 * HOUR)), after(3 * MINUTE))
  await endAs(deadOf(), after(4 * MINUTE), other)
  return { hook, dead, delivered, pending }
}

async function recover(storage: Storage, filter: RecoveryFilter, accountId = 'alice'): Promise<Replay> {
  const replay = { id: 'rpl_1', accountId, filter, ratePerSecond: 1, createdAt: LATER }
  return (await storage.deadLetters.createReplays([replay]))[0] ?? assert.fail()
}

export function recoveriesSuite({ open }: Engine): void {
  describe('a recovery', () => {
    it('a recovery replays the dead letters of one hook since a time, at the given rate', async () => {
      await using storage = await open()
      const { hook, dead } = await addOutage(storage)
      const filter = { hookId: hook.id, recoverSince: NOON, delivered: false }
      const created = await recover(storage, filter)
      assert.deepEqual([created.total, created.filter], [1, filter])
      assert.deepEqual(await storage.deadLetters.getReplay('alice', 'rpl_1'), created)
      assert.equal(await storage.deadLetters.advanceReplays(LATER, HOUR), 1)
      assert.deepEqual(idsOf(await claim(storage, { now: LATER })), [dead])
    })

    it('a recovery also sends delivered events again on request, with the same id and bytes', async () => {
      await using storage = await open()
      const { hook, dead, delivered } = await addOutage(storage)
      const { total } = await recover(storage, { hookId: hook.id, recoverSince: NOON, delivered: true })
      assert.equal(total, 2)
      const sent: string[] = []
      for (const at of [LATER, after(HOUR + SECOND), after(HOUR + 2 * SECOND)]) {
        await storage.deadLetters.advanceReplays(at, HOUR)
        const claimed = await claim(storage, { now: at })
        for (const { eventId, body, attempts } of claimed) {
          assert.deepEqual([body, attempts], [`body of ${eventId}`, 0])
        }
        await settle(storage, claimed, DELIVERED, { now: at })
        sent.push(...idsOf(claimed))
      }
      assert.deepEqual(sent, [dead, delivered])
      const replay = await storage.deadLetters.getReplay('alice', 'rpl_1')
      assert.deepEqual([replay?.status, replay?.queued, replay?.delivered], ['done', 2, 2])
    })

    it('a recovery shows the number of its events only for an active hook of the account', async () => {
      await using storage = await open()
      const { hook } = await addOutage(storage)
      const count = (accountId = 'alice', since = NOON) =>
        storage.deadLetters.countRecoverable(accountId, hook.id, since)
      assert.deepEqual(await count(), { pending: 1, dead: 1, delivered: 1 })
      assert.deepEqual(await count('alice', instantOf(0)), { pending: 1, dead: 2, delivered: 2 })
      assert.deepEqual(await count('alice', LATER), { pending: 1, dead: 0, delivered: 0 })
      const none = { pending: 0, dead: 0, delivered: 0 }
      assert.deepEqual(await count('bob'), none)
      const filter = { hookId: hook.id, recoverSince: NOON, delivered: true }
      assert.equal((await recover(storage, filter, 'bob')).total, 0)
      await storage.hooks.remove('alice', hook.id, LATER)
      assert.deepEqual(await count(), none)
    })
  })
}
