import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Hook } from '../../../model/hook.ts'
import type { ClaimedDelivery, NextStep } from '../../port/deliveries.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, SECOND, subscribe } from '../samples.ts'
import { claim, DELIVERED, deadOf, enqueue, NO_CHANGE, retryAt, settle } from './queue-samples.ts'

const HOOKS = 3
const hook = fc.nat(HOOKS - 1)
const seconds = fc.nat(90)

/** Commands on a queue, in any order. */
const operation = fc.oneof(
  fc.record({ do: fc.constant('enqueue' as const), hook, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('claim' as const), limit: fc.nat(6), firstAttemptsOnly: fc.boolean() }),
  fc.record({ do: fc.constant('defer' as const), hook, seconds }),
  fc.record({ do: fc.constant('retry' as const), seconds, notBefore: fc.option(seconds) }),
  fc.record({ do: fc.constant('deliver' as const) }),
  fc.record({ do: fc.constant('bury' as const) }),
  fc.record({ do: fc.constant('replay' as const) }),
  fc.record({ do: fc.constant('release' as const) }),
  fc.record({ do: fc.constant('pause' as const), hook }),
  fc.record({ do: fc.constant('resume' as const), hook }),
  fc.record({ do: fc.constant('wait' as const), seconds }),
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

type Held = { readonly delivery: ClaimedDelivery; readonly untilMs: number }

/** The model: the expected state of the queue. */
type Model = {
  nowMs: number
  /** Neither delivered nor dead. */
  readonly open: Set<string>
  readonly dead: Set<string>
  /** Unsettled claims, including those with an expired lease, whose sender may be late. */
  held: Held[]
}

export function queueModelSuite({ open }: Engine): void {
  describe('a queue under random operations', () => {
    it('a queue under random operations loses no delivery and gives none to two senders', async () => {
      await using storage = await open()
      await addPeople(storage)
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
          const hooks = await Promise.all(
            Array.from({ length: HOOKS }, async () => (await subscribe(storage)).hook),
          )
          const model: Model = { nowMs: 0, open: new Set(), dead: new Set(), held: [] }
          try {
            for (const each of operations) await apply(storage, hooks, model, each)
            for (const { id } of hooks)
              await storage.hooks.setStatus('alice', id, 'active', after(model.nowMs))
            model.nowMs += HOUR
            assert.deepEqual(await drain(storage, model), model.open)
          } finally {
            // The next run starts with an empty database.
            for (const { id } of hooks) await storage.hooks.remove('alice', id, after(model.nowMs))
          }
        }),
        { numRuns: 60 },
      )
    })
  })
}

async function apply(storage: Storage, hooks: readonly Hook[], model: Model, each: Operation): Promise<void> {
  const now = after(model.nowMs)
  const hookAt = (index: number) => hooks[index] ?? assert.fail()
  switch (each.do) {
    case 'enqueue':
      for (const id of await enqueue(storage, [hookAt(each.hook)], { count: each.count, at: now })) {
        model.open.add(id)
      }
      return
    case 'claim':
      take(model, await claim(storage, { ...each, now, lanesMax: 2 }))
      return
    case 'defer':
      take(
        model,
        await claim(storage, { now, limit: 2 }, ({ hookId }) =>
          hookId === hookAt(each.hook).id
            ? { take: 0, notBefore: after(model.nowMs + each.seconds * SECOND) }
            : { take: 1, notBefore: null },
        ),
      )
      return
    case 'retry':
      await finish(storage, model, retryAt(after(model.nowMs + each.seconds * SECOND)), each.notBefore)
      return
    case 'deliver':
      await finish(storage, model, DELIVERED, null)
      return
    case 'bury':
      await finish(storage, model, deadOf(), null)
      return
    case 'replay':
      await storage.deadLetters.replay('alice', [...model.dead], now, HOUR)
      for (const id of model.dead) model.open.add(id)
      model.dead.clear()
      return
    case 'release':
      await storage.deliveries.release(model.held.splice(0, 2).map(({ delivery }) => delivery))
      return
    case 'pause':
      await storage.hooks.setStatus('alice', hookAt(each.hook).id, 'paused', now)
      return
    case 'resume':
      await storage.hooks.setStatus('alice', hookAt(each.hook).id, 'active', now)
      return
    case 'wait':
      model.nowMs += each.seconds * SECOND
  }
}

function take(model: Model, claimed: readonly ClaimedDelivery[]): void {
  for (const delivery of claimed) {
    assert.ok(model.open.has(delivery.eventId), 'claimed though it is delivered or dead')
    assert.ok(!model.held.some((held) => isOurs(model, held, delivery)), 'claimed while another has it')
    model.held.push({ delivery, untilMs: model.nowMs + MINUTE })
  }
}

function isOurs({ nowMs }: Model, { delivery, untilMs }: Held, { eventId }: ClaimedDelivery): boolean {
  return delivery.eventId === eventId && untilMs > nowMs
}

/** Settles the oldest claim. Only the newest claim of a delivery counts. */
async function finish(
  storage: Storage,
  model: Model,
  next: NextStep,
  notBeforeSeconds: number | null,
): Promise<void> {
  const [first] = model.held.splice(0, 1)
  if (first === undefined) return
  const { delivery } = first
  const newest = !model.held.some((held) => held.delivery.eventId === delivery.eventId)
  const notBefore = notBeforeSeconds === null ? null : after(model.nowMs + notBeforeSeconds * SECOND)
  await settle(storage, [delivery], next, {
    now: after(model.nowMs),
    change: { ...NO_CHANGE, notBefore },
  })
  if (!newest || next.status === 'pending') return
  model.open.delete(delivery.eventId)
  if (next.status === 'dead') model.dead.add(delivery.eventId)
}

/** Claims all due deliveries. */
async function drain(storage: Storage, model: Model): Promise<Set<string>> {
  const drained = new Set<string>()
  for (;;) {
    const claimed = await claim(storage, { now: after(model.nowMs), limit: 7, lanesMax: 2 })
    if (claimed.length === 0) return drained
    for (const { eventId } of claimed) {
      assert.ok(!drained.has(eventId), 'claimed twice')
      drained.add(eventId)
    }
  }
}
