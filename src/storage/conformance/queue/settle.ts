import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Lane, LaneChange, Settled } from '../../port/deliveries.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, NOON, pollSet, SECOND, subscribe } from '../samples.ts'
import {
  attemptOf,
  claim,
  DELIVERED,
  deadOf,
  enqueue,
  idsOf,
  kill,
  NO_CHANGE,
  retryAt,
  settle,
  settledOf,
} from './queue-samples.ts'

/** Alice's only delivery. */
async function stateOf(storage: Storage, eventId: string | undefined) {
  const view = await storage.deliveries.get('alice', eventId ?? '')
  assert.ok(view)
  const { status, attempts, dueAt, deliveredAt, deadAt, deadReason, resolvedAt } = view
  return { status, attempts, dueAt, deliveredAt, deadAt, deadReason, resolvedAt }
}

const NEVER = { dueAt: null, deliveredAt: null, deadAt: null, deadReason: null, resolvedAt: null }

export function settleSuite({ open }: Engine): void {
  describe('a settled delivery', () => {
    it('a settled delivery that was accepted is delivered and not claimed again', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), DELIVERED, { now: after(SECOND) })
      assert.deepEqual(await stateOf(storage, eventId), {
        ...NEVER,
        status: 'delivered',
        attempts: 1,
        deliveredAt: after(SECOND),
      })
      assert.deepEqual(await claim(storage, { now: after(1_000 * HOUR) }), [])
    })

    it('a settled delivery that failed is due again at the time of its next step', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(after(5 * SECOND)))
      assert.deepEqual(await stateOf(storage, eventId), {
        ...NEVER,
        status: 'pending',
        attempts: 1,
        dueAt: after(5 * SECOND),
      })
      assert.deepEqual(await claim(storage, { now: after(5 * SECOND - 1) }), [])
      assert.deepEqual(idsOf(await claim(storage, { now: after(5 * SECOND) })), [eventId])
    })

    it('a settled delivery after its last attempt is a dead letter with its reason', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId] = await enqueue(storage, [hook])
      await settle(storage, await claim(storage), deadOf('blocked_address'), { now: after(SECOND) })
      assert.deepEqual(await stateOf(storage, eventId), {
        ...NEVER,
        status: 'dead',
        attempts: 1,
        deadAt: after(SECOND),
        deadReason: 'blocked_address',
      })
      assert.deepEqual(await claim(storage, { now: after(1_000 * HOUR) }), [])
    })

    it('a settled delivery that was a dead letter is resolved when a replay delivers it', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await kill(storage, [hook])
      await storage.deadLetters.replay('alice', ids, after(SECOND), HOUR)
      await settle(storage, await claim(storage, { now: after(SECOND) }), DELIVERED, { now: after(MINUTE) })
      assert.deepEqual(await stateOf(storage, ids[0]), {
        status: 'delivered',
        attempts: 1,
        dueAt: null,
        deliveredAt: after(MINUTE),
        deadAt: NOON,
        deadReason: 'attempts_exhausted',
        resolvedAt: after(MINUTE),
      })
    })

    it('a settled delivery with an expired lease keeps its state, but its attempt is recorded', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId] = await enqueue(storage, [hook])
      const late = await claim(storage)
      const current = await claim(storage, { now: after(MINUTE) })
      assert.deepEqual(idsOf(current), idsOf(late))
      await settle(storage, late, deadOf())
      assert.equal((await stateOf(storage, eventId)).status, 'pending')
      assert.equal((await stateOf(storage, eventId)).attempts, 0)
      await settle(storage, current, DELIVERED)
      await settle(storage, current, retryAt(NOON))
      assert.equal((await stateOf(storage, eventId)).status, 'delivered')
      assert.equal((await stateOf(storage, eventId)).attempts, 1)
      assert.equal((await storage.deliveries.attempts('alice', eventId ?? '')).length, 3)
    })

    it('a settled delivery with an unconfirmed commit is settled again without a second attempt record', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await enqueue(storage, [hook], { count: 3 })
      const [accepted, failed, fresh] = await claim(storage)
      assert.ok(accepted && failed && fresh)
      const first = [
        settledOf(accepted, DELIVERED),
        settledOf(failed, retryAt(after(MINUTE)), { startedAt: after(1) }),
      ]
      await storage.deliveries.settle(first, NOON, () => NO_CHANGE)
      const before = await storage.reports.hookHealth('alice', NOON)
      const settledSeqs: number[] = []
      const again = (settled: readonly Settled[]) =>
        storage.deliveries.settle(
          settled,
          NOON,
          (_lane, ofLane) => {
            settledSeqs.push(...ofLane.map(({ delivery }) => delivery.seq))
            return NO_CHANGE
          },
          true,
        )
      await again(first)
      assert.deepEqual(settledSeqs, [], 'a breaker does not count them twice')
      assert.deepEqual(await storage.reports.hookHealth('alice', NOON), before)
      await again([...first, settledOf(fresh, DELIVERED)])
      assert.deepEqual(settledSeqs, [fresh.seq])
      for (const eventId of ids) {
        assert.equal((await storage.deliveries.attempts('alice', eventId)).length, 1)
        assert.equal((await stateOf(storage, eventId)).attempts, 1)
      }
      assert.equal((await stateOf(storage, failed.eventId)).status, 'pending')
      assert.equal((await stateOf(storage, fresh.eventId)).status, 'delivered')
    })

    it('a result of an earlier attempt under the same lease changes no state of the present one', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId] = await enqueue(storage, [hook])
      const first = await claim(storage, { lease: 'a' })
      const [other] = await claim(storage, { lease: 'b', now: after(2 * MINUTE) })
      assert.ok(other)
      await settle(storage, [other], retryAt(after(2 * MINUTE)), { now: after(2 * MINUTE) })
      const second = await claim(storage, { lease: 'a', now: after(3 * MINUTE) })
      await settle(storage, first, deadOf('gone'), { now: after(3 * MINUTE) })
      assert.equal((await stateOf(storage, eventId)).status, 'pending')
      await settle(storage, second, DELIVERED, { now: after(3 * MINUTE) })
      const { status, attempts } = await stateOf(storage, eventId)
      assert.deepEqual([status, attempts], ['delivered', 2])
    })

    it('a delivery settled with an expired and a current lease in one batch keeps the current result, and both attempts in order', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      const [late] = await claim(storage)
      const [current] = await claim(storage, { now: after(MINUTE) })
      assert.ok(late && current)
      await storage.deliveries.settle(
        [settledOf(late, deadOf(), { detail: 'late' }), settledOf(current, DELIVERED, { detail: 'in time' })],
        NOON,
        () => NO_CHANGE,
      )
      assert.equal((await stateOf(storage, eventId)).status, 'delivered')
      assert.deepEqual(
        (await storage.deliveries.attempts('alice', eventId)).map(({ detail }) => detail),
        ['late', 'in time'],
      )
    })

    it('a settled delivery keeps the complete record of each attempt, oldest first', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const [eventId = ''] = await enqueue(storage, [hook])
      const attempts = [
        attemptOf({
          number: 1,
          httpStatus: null,
          reason: 'timeout_total',
          detail: 'no answer within 15 s',
          remoteAddress: null,
          timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 15_000.25 },
          responseHeaders: {},
          responseBody: '',
        }),
        attemptOf({
          number: 2,
          startedAt: after(SECOND),
          responseBody: 'snow ☃ 👍🏽 \u0001',
          responseTruncated: true,
          responseHeaders: { server: 'x', 'x-é': 'ü' },
        }),
      ]
      for (const attempt of attempts) {
        const [delivery] = await claim(storage)
        assert.ok(delivery)
        const next = attempt.reason === null ? DELIVERED : retryAt(NOON)
        await storage.deliveries.settle([{ delivery, attempt, next }], NOON, () => NO_CHANGE)
      }
      assert.deepEqual(await storage.deliveries.attempts('alice', eventId), attempts)
      const view = await storage.deliveries.get('alice', eventId)
      assert.deepEqual([view?.lastHttpStatus, view?.lastReason], [200, null])
    })

    it('a settled delivery of a deleted hook leaves no due delivery', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      const claimed = await claim(storage)
      await storage.hooks.remove('alice', hook.id, NOON)
      await settle(storage, claimed, retryAt(NOON))
      assert.deepEqual(await claim(storage, { now: after(HOUR) }), [])
      assert.deepEqual(await storage.deliveries.sweepEnded(after(HOUR), 10), { dead: 0, dropped: 1 })
      await settle(storage, claimed, DELIVERED)
      assert.deepEqual(await storage.deliveries.list('alice', {}, { limit: 10, before: null }), [])
    })
  })

  describe('a settled lane', () => {
    it('a settled lane is updated once, with its attempts in order', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage)
      const ids = await enqueue(storage, [one, two], { count: 2 })
      const claimed = await claim(storage)
      const [a, b, c, d] = ids.map((id) => claimed.find(({ eventId }) => eventId === id))
      assert.ok(a && b && c && d)
      const lanes: [string, string[]][] = []
      await storage.deliveries.settle(
        [b, c, a, d].map((delivery) => settledOf(delivery, DELIVERED)),
        NOON,
        (lane, settled) => {
          lanes.push([lane.hookId, settled.map(({ delivery }) => delivery.eventId)])
          return NO_CHANGE
        },
      )
      assert.deepEqual(
        new Map(lanes),
        new Map([
          [one.id, [b.eventId, a.eventId]],
          [two.id, [c.eventId, d.eventId]],
        ]),
      )
      assert.equal(lanes.length, 2)
    })

    it('a settled lane stores the health that the sender writes, and does not change otherwise', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 3 })
      const seen: (string | null)[] = []
      const settleOne = async (change: LaneChange) => {
        const claimed = await claim(storage, { limit: 1 })
        // An engine may call it more than once.
        const index = seen.length
        await storage.deliveries.settle(
          claimed.map((delivery) => settledOf(delivery, DELIVERED)),
          NOON,
          (lane: Lane) => {
            seen[index] = lane.health
            return change
          },
        )
      }
      await settleOne({ ...NO_CHANGE, health: '{"failures":1}' })
      await settleOne(NO_CHANGE)
      await settleOne(NO_CHANGE)
      assert.deepEqual(seen, [null, '{"failures":1}', '{"failures":1}'])
    })

    it('a settled lane is postponed as set by the sender, for retries and new deliveries', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook], { count: 2 })
      await settle(storage, await claim(storage, { limit: 1 }), retryAt(after(SECOND)), {
        change: { ...NO_CHANGE, notBefore: after(MINUTE) },
      })
      await enqueue(storage, [hook], { at: after(2) })
      assert.deepEqual(await claim(storage, { now: after(MINUTE - 1) }), [])
      assert.equal((await claim(storage, { now: after(MINUTE) })).length, 3)
    })

    it('a settled lane stores notices', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(NOON), {
        now: after(SECOND),
        change: {
          ...NO_CHANGE,
          notices: [
            { kind: 'failing', detail: 'HTTP 500' },
            { kind: 'breaker_opened', detail: '10 failures' },
          ],
        },
      })
      const notices = await storage.maintenance.notices('alice', { limit: 10 })
      const shared = {
        accountId: 'alice',
        hookId: hook.id,
        at: after(SECOND),
        hook: { name: hook.name, targetUrl: hook.targetUrl },
      }
      assert.deepEqual(
        notices.map(({ seq: _, ...notice }) => notice),
        [
          { ...shared, kind: 'breaker_opened', detail: '10 failures' },
          { ...shared, kind: 'failing', detail: 'HTTP 500' },
        ],
      )
    })

    it('a settled lane that is gone turns failed deliveries into dead letters, and stops its hook and its polls', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const ids = await enqueue(storage, [hook], { count: 3 })
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us'])
      const claimed = await claim(storage)
      const [first, second, third] = claimed
      assert.ok(first && second && third)
      await storage.deliveries.settle(
        [settledOf(first, DELIVERED), settledOf(second, retryAt(NOON)), settledOf(third, deadOf('expired'))],
        NOON,
        () => ({ ...NO_CHANGE, gone: true }),
      )
      assert.equal((await storage.hooks.get('alice', hook.id))?.status, 'gone')
      assert.deepEqual(await pollSet(storage), [])
      const states = await Promise.all(ids.map((id) => stateOf(storage, id)))
      assert.deepEqual(
        states.map(({ status, deadReason }) => [status, deadReason]),
        [
          ['delivered', null],
          ['dead', 'gone'],
          ['dead', 'expired'],
        ],
      )
    })

    it('a settled lane that is gone keeps the feeds that other hooks watch', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await subscribe(storage, { accountId: 'bob' })
      await enqueue(storage, [hook])
      await settle(storage, await claim(storage), retryAt(NOON), { change: { ...NO_CHANGE, gone: true } })
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us'])
    })
  })
}
