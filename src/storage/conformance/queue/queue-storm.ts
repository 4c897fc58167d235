import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Hook } from '../../../model/hook.ts'
import type { ClaimedDelivery } from '../../port/deliveries.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { addPeople, after, HOUR, MINUTE, subscribe, webhookTo } from '../samples.ts'
import {
  claim,
  DELIVERED,
  deadOf,
  EXPIRE_AFTER_MS,
  enqueue,
  NO_CHANGE,
  retryAt,
  settledOf,
} from './queue-samples.ts'

const HOOKS = 6
const SENDERS = 4
const ROUNDS = 40

/** Every operation advances the time, so that leases expire during the run. */
type Storm = {
  ms: number
  readonly hooks: readonly Hook[]
  readonly made: Set<string>
  /** The end of the lease of each delivery, by its newest claim. */
  readonly leasedUntil: Map<string, number>
}

export function queueStormSuite({ open, openAgain }: Engine): void {
  describe('several nodes on one queue', () => {
    it('several nodes on one queue neither fail nor claim twice nor lose a delivery', async () => {
      await using storage = await open()
      await using second = await openAgain()
      await using third = await openAgain()
      const nodes = [storage, second, third]
      await addPeople(storage)
      const hooks = await Promise.all(
        Array.from({ length: HOOKS }, async () => (await subscribe(storage)).hook),
      )
      const storm: Storm = { ms: 0, hooks, made: new Set(), leasedUntil: new Map() }
      const pick = (index: number) => nodes[index % nodes.length] ?? storage
      await Promise.all([
        fanOut(storage, storm),
        operate(pick(1), storm),
        sweep(pick(2), storm),
        ...Array.from({ length: SENDERS }, (_, index) => send(pick(index), storm, index)),
      ])
      await settleEverything(storage, storm)
      const statuses = await Promise.all(
        [...storm.made].map(async (id) => (await storage.deliveries.get('alice', id))?.status),
      )
      assert.deepEqual(new Set(statuses), new Set(['delivered']))
    })
  })
}

async function fanOut(storage: Storage, storm: Storm): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    storm.ms += 100
    for (const id of await enqueue(storage, storm.hooks, { count: 2, at: after(storm.ms) })) {
      storm.made.add(id)
    }
  }
}

/** Claims deliveries and settles or releases them; sometimes abandons a claim, like a killed process. */
async function send(storage: Storage, storm: Storm, index: number): Promise<void> {
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    storm.ms += 1_000
    const now = after(storm.ms)
    const claimed = await claim(storage, { now, limit: 9, lanesMax: 3 })
    note(storm, claimed, now)
    const fate = (round + index) % 6
    if (fate === 0) continue
    for (const { eventId } of claimed) storm.leasedUntil.delete(eventId)
    if (fate === 1) await storage.deliveries.release(claimed)
    else {
      const next =
        fate === 2 ? retryAt(after(storm.ms + MINUTE / 2)) : fate === 3 ? deadOf('expired') : DELIVERED
      await storage.deliveries.settle(
        claimed.map((delivery) => settledOf(delivery, next)),
        after(storm.ms),
        ({ hookId }) => ({
          ...NO_CHANGE,
          health: `{"by":${index}}`,
          notices: [{ kind: 'failing', detail: hookId }],
        }),
      )
    }
  }
}

function note(storm: Storm, claimed: readonly ClaimedDelivery[], now: Date): void {
  for (const { eventId } of claimed) {
    assert.ok((storm.leasedUntil.get(eventId) ?? 0) <= now.getTime(), 'claimed while another has it')
    storm.leasedUntil.set(eventId, now.getTime() + MINUTE)
  }
}

/** Pauses and resumes hooks, changes targets, and replays dead letters, one by one and in bulk. */
async function operate(storage: Storage, storm: Storm): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = after(storm.ms)
    const { id } = storm.hooks[round % HOOKS] ?? assert.fail()
    await storage.hooks.setStatus('alice', id, round % 3 === 0 ? 'paused' : 'active', now)
    await storage.hooks.update('alice', id, { target: webhookTo(`https://example.com/${round}`) })
    const letters = await storage.deadLetters.list('alice', {}, { limit: 5, before: null })
    await storage.deadLetters.replay(
      'alice',
      letters.map(({ eventId }) => eventId),
      now,
      HOUR,
    )
    if (round % 8 === 0) {
      const job = {
        id: `rpl_${round}`,
        accountId: 'alice',
        filter: {},
        ratePerSecond: 1_000,
        createdAt: now,
      }
      await storage.deadLetters.createReplays([job])
    }
  }
}

async function sweep(storage: Storage, storm: Storm): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = after(storm.ms)
    await storage.deadLetters.advanceReplays(now, HOUR)
    await storage.deliveries.sweepEnded(now, 10)
    await storage.deliveries.sweepExpired(now, EXPIRE_AFTER_MS, 10)
    await storage.maintenance.prune(after(-HOUR), 10)
    await storage.maintenance.dueWork(now)
  }
}

/** Delivers everything pending, including dead letters and abandoned claims. */
async function settleEverything(storage: Storage, storm: Storm): Promise<void> {
  for (const { id } of storm.hooks) await storage.hooks.setStatus('alice', id, 'active', after(storm.ms))
  const letters = await storage.deadLetters.list('alice', {}, { limit: 10_000, before: null })
  storm.ms += HOUR
  await storage.deadLetters.replay(
    'alice',
    letters.map(({ eventId }) => eventId),
    after(storm.ms),
    HOUR,
  )
  for (;;) {
    const claimed = await claim(storage, { now: after(storm.ms), limit: 64 })
    if (claimed.length === 0) return
    await storage.deliveries.settle(
      claimed.map((delivery) => settledOf(delivery, DELIVERED)),
      after(storm.ms),
      () => NO_CHANGE,
    )
  }
}
