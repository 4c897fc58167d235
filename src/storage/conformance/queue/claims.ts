import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_HOOK_OPTIONS } from '../../../model/hook-options.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  CHANNEL,
  DAILY,
  HOUR,
  MINUTE,
  NOON,
  SECOND,
  subscribe,
  webhookTo,
} from '../samples.ts'
import { claim, DELIVERED, EXPIRE_AFTER_MS, enqueue, idsOf, retryAt, settle } from './queue-samples.ts'

export function claimsSuite({ open, openAgain }: Engine): void {
  describe('a claim', () => {
    it('a claim returns everything the sender needs, with the stored bytes', async () => {
      await using storage = await open()
      await addPeople(storage)
      const secrets = [
        { sealed: 'new', expiresAt: null },
        { sealed: 'old', expiresAt: after(HOUR) },
      ]
      const { hook } = await subscribe(storage, { source: 'zapier', secrets, ratePerSecond: 2.5 })
      const [eventId] = await enqueue(storage, [hook])
      assert.ok(eventId)
      const [claimed, ...more] = await claim(storage, { now: after(SECOND), lease: 'mine' })
      assert.deepEqual(more, [])
      assert.ok(claimed)
      assert.deepEqual(claimed, {
        seq: claimed.seq,
        lease: 'mine',
        eventId,
        hookId: hook.id,
        accountId: 'alice',
        source: 'zapier',
        targetType: 'webhook',
        targetUrl: 'https://example.com/hook',
        targetSettings: null,
        host: 'example.com:443',
        secrets,
        body: `body of ${eventId}`,
        attempts: 0,
        dueAt: NOON,
        createdAt: NOON,
        expiresAt: after(EXPIRE_AFTER_MS),
        replayId: null,
        ...DEFAULT_HOOK_OPTIONS,
        unsubscribed: [],
        acceptedBy: [],
        inOneMessage: false,
      })
    })

    it('a claim returns the type and the sealed settings of a target with messages', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, CHANNEL)
      await enqueue(storage, [hook])
      const [claimed] = await claim(storage, { now: after(SECOND) })
      assert.deepEqual(
        { ...CHANNEL, host: 'hooks.slack.com:443' },
        {
          targetType: claimed?.targetType,
          targetUrl: claimed?.targetUrl,
          targetSettings: claimed?.targetSettings,
          host: claimed?.host,
        },
      )
    })

    it('a claim reads the schedule of messages, and reads the lane again after another one', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, { ...CHANNEL, messageSchedule: DAILY })
      await enqueue(storage, [hook])
      const seen: unknown[] = []
      const wait = { take: 0, notBefore: after(HOUR) }
      await claim(storage, { now: after(SECOND) }, (lane) => {
        seen.push(lane.messageSchedule)
        return wait
      })
      assert.deepEqual(seen, [DAILY])
      assert.deepEqual(await claim(storage, { now: after(MINUTE) }), [])
      const hourly = { ...DAILY, dailyAt: null, everyMinutes: 60 }
      await storage.hooks.update('alice', hook.id, { messageSchedule: hourly })
      const [claimed] = await claim(storage, { now: after(MINUTE) })
      assert.equal(claimed?.inOneMessage, true)
    })

    it('a claim takes only due deliveries, the oldest due first', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [later] = await enqueue(storage, [hook], { at: after(SECOND) })
      const [sooner] = await enqueue(storage, [hook], { at: NOON })
      assert.deepEqual(await claim(storage, { now: after(-1) }), [])
      assert.deepEqual(idsOf(await claim(storage, { now: NOON })), [sooner])
      const [third] = await enqueue(storage, [hook], { at: NOON })
      assert.deepEqual(idsOf(await claim(storage, { now: after(SECOND) })), [third, later])
    })

    it('a claim orders retries and first attempts by their due time', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [retried] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(after(5 * SECOND)))
      const [first] = await enqueue(storage, [hook], { at: after(2 * SECOND) })
      const [last] = await enqueue(storage, [hook], { at: after(9 * SECOND) })
      const claimed = await claim(storage, { now: after(10 * SECOND) })
      assert.deepEqual(idsOf(claimed), [first, retried, last])
      assert.deepEqual(
        claimed.map(({ attempts }) => attempts),
        [0, 1, 0],
      )
    })

    it('a claim takes only deliveries without an attempt on request', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [retried] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(NOON))
      const [first] = await enqueue(storage, [hook])
      assert.deepEqual(idsOf(await claim(storage, { firstAttemptsOnly: true })), [first])
      assert.deepEqual(await claim(storage, { firstAttemptsOnly: true }), [])
      assert.deepEqual(idsOf(await claim(storage)), [retried])
    })

    it('a claim takes at most the limit, and at most the allocation of each lane', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage)
      await enqueue(storage, [one, two], { count: 10 })
      const allotted = await claim(storage, {}, () => ({ take: 3, notBefore: null }))
      assert.deepEqual(countByHook(allotted), new Map([one, two].map(({ id }) => [id, 3])))
      assert.equal((await claim(storage, { limit: 5 })).length, 5)
    })

    it('a claim skips busy hooks and busy hosts, which stay first', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage, { targetUrl: 'https://one.example/a' })
      const { hook: two } = await subscribe(storage, { targetUrl: 'https://two.example:8443/a' })
      const { hook: three } = await subscribe(storage, { targetUrl: 'http://three.example/a' })
      await enqueue(storage, [one, two, three])
      const busy = { busyHooks: [one.id], busyHosts: ['two.example:8443'] }
      assert.deepEqual(countByHook(await claim(storage, busy)), new Map([[three.id, 1]]))
      assert.deepEqual(countByHook(await claim(storage)), new Map([one, two].map(({ id }) => [id, 1])))
    })

    it('a claim returns the lanes that it reads with their rate and health', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, { source: 'make', ratePerSecond: 0.5 })
      await enqueue(storage, [hook])
      const lane = {
        hookId: hook.id,
        accountId: 'alice',
        host: 'example.com:443',
        source: 'make',
        ratePerSecond: 0.5,
        messageSchedule: null,
        targetType: 'webhook',
      }
      await claim(storage, {}, (seen) => {
        assert.deepEqual(seen, { ...lane, health: null })
        return { take: 0, notBefore: null, health: '{"a":1}' }
      })
      await claim(storage, {}, (seen) => {
        assert.deepEqual(seen, { ...lane, health: '{"a":1}' })
        return { take: 0, notBefore: null }
      })
      await claim(storage, {}, (seen) => {
        assert.equal(seen.health, '{"a":1}')
        return { take: 1, notBefore: null }
      })
    })

    it('a claim does not read a lane before its postponement ends', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [first] = await enqueue(storage, [hook])
      assert.deepEqual(await claim(storage, {}, () => ({ take: 0, notBefore: after(MINUTE) })), [])
      await enqueue(storage, [hook], { at: after(SECOND) })
      assert.deepEqual(await claim(storage, { now: after(MINUTE - 1) }), [])
      assert.equal((await storage.maintenance.dueWork(NOON)).sendAt?.getTime(), after(MINUTE).getTime())
      assert.equal((await claim(storage, { now: after(MINUTE) }))[0]?.eventId, first)
    })
  })

  describe('two senders', () => {
    it('two senders never get the same delivery', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const hooks = await Promise.all(Array.from({ length: 5 }, async () => (await subscribe(storage)).hook))
      const ids = await enqueue(storage, hooks, { count: 40 })
      const taken: string[] = []
      for (let round = 0; round < 100 && taken.length < ids.length; round += 1) {
        const claims = await Promise.all(
          [storage, other, storage, other].map((each) => claim(each, { limit: 7, now: after(round) })),
        )
        taken.push(...claims.flat().map(({ eventId }) => eventId))
      }
      assert.deepEqual([...taken].sort(), [...ids].sort())
    })

    it('another sender gets the deliveries of a crashed sender after its lease, with unchanged attempts', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(after(SECOND)))
      const [lost] = await claim(storage, { now: after(SECOND), leaseMs: MINUTE })
      assert.equal(lost?.eventId, eventId)
      assert.deepEqual(await claim(storage, { now: after(SECOND + MINUTE - 1) }), [])
      const [again] = await claim(storage, { now: after(SECOND + MINUTE) })
      assert.equal(again?.eventId, eventId)
      assert.equal(again?.attempts, 1)
      assert.equal(again?.body, lost?.body)
      assert.deepEqual(again?.dueAt, after(SECOND))
    })
  })

  describe('a released claim', () => {
    it('a released claim is due again at once, with no attempt counted', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 3 })
      const claimed = await claim(storage)
      await storage.deliveries.release(claimed)
      const again = await claim(storage)
      assert.deepEqual(idsOf(again), idsOf(claimed))
      assert.deepEqual(
        again.map(({ attempts, dueAt }) => [attempts, dueAt]),
        [0, 1, 2].map(() => [0, NOON]),
      )
    })

    it('a released claim stays with its current holder', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      const first = await claim(storage)
      const second = await claim(storage, { now: after(MINUTE) })
      assert.equal(second.length, 1)
      await storage.deliveries.release(first)
      assert.deepEqual(await claim(storage, { now: after(MINUTE) }), [])
      await settle(storage, second, DELIVERED)
      await storage.deliveries.release(second)
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
    })
  })

  describe('lanes', () => {
    it('lanes rotate, so that a backlog of ten thousand for one hook does not delay another', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: flooded } = await subscribe(storage)
      const { hook: quiet } = await subscribe(storage)
      await enqueue(storage, [flooded], { count: 10_000 })
      await claim(storage, { now: after(1), lanesMax: 1, limit: 8 })
      await enqueue(storage, [quiet], { at: after(2) })
      await claim(storage, { now: after(3), lanesMax: 1, limit: 8 })
      const next = await claim(storage, { now: after(4), lanesMax: 1, limit: 8 })
      assert.deepEqual(countByHook(next), new Map([[quiet.id, 1]]))
    })

    it('lanes stay first when the claim reached its limit before them', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage)
      await enqueue(storage, [one], { count: 100 })
      await enqueue(storage, [two], { at: after(1) })
      assert.deepEqual(countByHook(await claim(storage, { now: after(4), limit: 5 })), new Map([[one.id, 5]]))
      const { hook: three } = await subscribe(storage)
      await enqueue(storage, [three], { at: after(2) })
      const next = () => claim(storage, { now: after(5), limit: 5, lanesMax: 1 })
      assert.deepEqual(countByHook(await next()), new Map([[two.id, 1]]))
      assert.deepEqual(countByHook(await next()), new Map([[three.id, 1]]))
    })

    it('lanes without due deliveries do not delay the others', async () => {
      await using storage = await open()
      await addPeople(storage)
      const hooks = await Promise.all(Array.from({ length: 3 }, async () => (await subscribe(storage)).hook))
      const [last] = hooks.slice(-1)
      await enqueue(storage, hooks)
      const served = new Set<string>()
      for (let round = 1; round <= 3; round += 1) {
        const claimed = await claim(storage, { now: after(round), lanesMax: 1 }, ({ hookId }) => ({
          take: hookId === last?.id ? 1 : 0,
          notBefore: null,
        }))
        for (const { hookId } of claimed) served.add(hookId)
      }
      assert.deepEqual(served, new Set([last?.id]))
    })

    it('lanes keep their position while their slots are in use', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      const sendAt = async () => (await storage.maintenance.dueWork(NOON)).sendAt
      assert.equal((await claim(storage, { limit: 1 })).length, 1)
      await claim(storage, { now: after(1) }, () => ({ take: 0, notBefore: null }))
      assert.deepEqual(await sendAt(), after(1))
      assert.equal((await claim(storage, { now: after(2) })).length, 1)
      await claim(storage, { now: after(3) }, () => ({ take: 0, notBefore: null }))
      assert.deepEqual(await claim(storage, { now: after(4) }), [])
      assert.deepEqual(await sendAt(), after(MINUTE), 'when the first lease ends')
    })

    it('lanes without deliveries are not ready, even when the sender postpones them', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage, { limit: 1 }), DELIVERED)
      await claim(storage, { now: after(1) }, () => ({ take: 0, notBefore: after(MINUTE) }))
      assert.equal((await storage.maintenance.dueWork(NOON)).sendAt, null)
    })

    it('lanes change their host with the target', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await storage.hooks.update('alice', hook.id, { target: webhookTo('https://moved.example/b') })
      const [claimed] = await claim(storage)
      assert.equal(claimed?.host, 'moved.example:443')
      assert.equal(claimed?.targetUrl, 'https://moved.example/b')
    })
  })
}

function countByHook(deliveries: readonly { readonly hookId: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { hookId } of deliveries) counts.set(hookId, (counts.get(hookId) ?? 0) + 1)
  return counts
}
