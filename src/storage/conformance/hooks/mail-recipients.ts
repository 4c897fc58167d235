import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../../runtime/instant.ts'
import type { Engine } from '../harness.ts'
import { claim, DELIVERED, enqueue, retryAt, settle } from '../queue/queue-samples.ts'
import { addPeople, after, MINUTE, NOON, SECOND, subscribe } from '../samples.ts'

const R2 = { recipient: 'r2', at: NOON, unconfirmed: true } as const
const CHANNEL_OF_MAILS = { status: 'paused', unsubscribed: [{ ...R2, recipient: 'r1' }, R2] } as const

export function mailRecipientsSuite({ open }: Engine): void {
  describe('recipients of mails', () => {
    it('recipients of mails unsubscribe once; the last one pauses the hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const leave = (recipient: string, at: Instant) =>
        storage.hooks.unsubscribe('alice', hook.id, { recipient, recipients: ['r1', 'r2'], at })
      const first = await leave('r1', NOON)
      assert.deepEqual([first?.isNew, first?.pauses, first?.hook.status], [true, false, 'active'])
      const again = await leave('r1', after(SECOND))
      assert.deepEqual([again?.isNew, again?.pauses], [false, false])
      const last = await leave('r2', after(MINUTE))
      assert.deepEqual([last?.isNew, last?.pauses, last?.hook.status], [true, true, 'paused'])
      const stored = await storage.hooks.get('alice', hook.id)
      assert.deepEqual(stored, last?.hook)
      assert.deepEqual(stored?.unsubscribed, [
        { recipient: 'r1', at: NOON },
        { recipient: 'r2', at: after(MINUTE) },
      ])
      await enqueue(storage, [hook])
      assert.deepEqual(await claim(storage, { now: after(MINUTE) }), [], 'its deliveries are held')
    })

    it('recipients of mails subscribe again; the hook stays paused', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await storage.hooks.unsubscribe('alice', hook.id, { recipient: 'r1', recipients: ['r1'], at: NOON })
      const subscription = { recipient: 'r1', recipients: ['r1'], at: NOON }
      const changed = await storage.hooks.resubscribe('alice', hook.id, subscription)
      assert.deepEqual(
        [changed?.resumes, changed?.hook.status, changed?.hook.unsubscribed],
        [false, 'paused', []],
      )
      assert.deepEqual(await storage.hooks.get('alice', hook.id), changed?.hook)
    })

    it('recipients of mails who have not confirmed get none; the first one who does resumes the hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, CHANNEL_OF_MAILS)
      const [eventId = ''] = await enqueue(storage, [hook])
      assert.deepEqual(await claim(storage), [], 'its deliveries are held')
      const confirm = (recipient: string) =>
        storage.hooks.resubscribe('alice', hook.id, { recipient, recipients: ['r1', 'r2'], at: NOON })
      const first = await confirm('r1')
      assert.deepEqual([first?.resumes, first?.hook.status], [true, 'active'])
      const [claimed] = await claim(storage)
      assert.deepEqual([claimed?.eventId, claimed?.unsubscribed], [eventId, ['r2']])
      const second = await confirm('r2')
      assert.deepEqual([second?.resumes, second?.hook.unsubscribed], [false, []])
    })

    it('recipients of mails who have not confirmed pause a hook that has no others', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const change = (unconfirmed: readonly string[], recipients: readonly string[]) =>
        storage.hooks.update('alice', hook.id, { recipients: { unconfirmed, recipients, at: NOON } })
      const more = await change(['r2'], ['r1', 'r2'])
      assert.deepEqual(
        [more?.status, more?.unsubscribed.map(({ recipient }) => recipient)],
        ['active', ['r2']],
      )
      const others = await change(['r2', 'r3'], ['r2', 'r3'])
      assert.equal(others?.status, 'paused')
      assert.deepEqual(others?.unsubscribed, [R2, { ...R2, recipient: 'r3' }])
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.unsubscribed, others?.unsubscribed)
      await enqueue(storage, [hook])
      assert.deepEqual(await claim(storage), [])
    })

    it('the recipients of two concurrent unsubscriptions are both kept', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const recipients = ['r1', 'r2', 'r3']
      await Promise.all(
        recipients.map((recipient) =>
          storage.hooks.unsubscribe('alice', hook.id, { recipient, recipients, at: NOON }),
        ),
      )
      const stored = await storage.hooks.get('alice', hook.id)
      assert.deepEqual(stored?.unsubscribed.map(({ recipient }) => recipient).sort(), recipients)
      assert.equal(stored?.status, 'paused')
    })

    it('recipients of mails of another account are not changed', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const unsubscription = { recipient: 'r1', recipients: ['r1'], at: NOON }
      assert.equal(await storage.hooks.unsubscribe('bob', hook.id, unsubscription), null)
      assert.equal(await storage.hooks.resubscribe('bob', hook.id, unsubscription), null)
      assert.deepEqual((await storage.hooks.get('alice', hook.id))?.unsubscribed, [])
    })

    it('recipients of mails that unsubscribed or accepted a mail are part of the next claim, until the delivery succeeds', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await storage.hooks.unsubscribe('alice', hook.id, {
        recipient: 'r3',
        recipients: ['r1', 'r2', 'r3'],
        at: NOON,
      })
      const [eventId = ''] = await enqueue(storage, [hook])
      const [first] = await claim(storage)
      assert.deepEqual([first?.acceptedBy, first?.unsubscribed], [[], ['r3']])
      await settle(storage, first ? [first] : [], retryAt(after(SECOND)), { acceptedBy: ['r1'] })
      const [second] = await claim(storage, { now: after(SECOND) })
      assert.deepEqual(second?.acceptedBy, ['r1'])
      await settle(storage, second ? [second] : [], retryAt(after(MINUTE)))
      const [third] = await claim(storage, { now: after(MINUTE) })
      assert.deepEqual(third?.acceptedBy, ['r1'], 'an attempt without them keeps them')
      await settle(storage, third ? [third] : [], DELIVERED, { acceptedBy: ['r1', 'r2'] })
      await storage.deliveries.sendAgain('alice', eventId, after(2 * MINUTE), MINUTE)
      const [again] = await claim(storage, { now: after(2 * MINUTE) })
      assert.deepEqual(again?.acceptedBy, [], 'sending again mails everybody')
    })
  })
}
