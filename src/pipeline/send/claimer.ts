import type { Clock } from '../../runtime/clock.ts'
import type { Meter } from '../../runtime/meter.ts'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port.ts'
import { type Allotted, allot } from './allot.ts'
import { createSlots, type SlotLimits } from './slots.ts'

export type ClaimerDeps = {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly clock: Clock
  readonly meter: Meter
  readonly newLease: () => string
}

export type Claimer = {
  /** Leases what may be sent now; every delivery is in a slot until `done`. Empty when nothing may. */
  readonly claim: () => Promise<ClaimedDelivery[]>
  readonly done: (delivery: ClaimedDelivery) => void
  readonly hasRoom: () => boolean
}

const BATCH_MAX = 64
/** Four times the deadline of an attempt: a lease never ends while its request runs. */
const LEASE_MS = 60_000
const LANES_MAX = 64

/** Takes deliveries in turn by hook, as many as there are slots for. */
export function createClaimer(deps: ClaimerDeps, limits: SlotLimits): Claimer {
  const { storage, clock, meter } = deps
  const slots = createSlots(limits)
  const unused = new Map<string, number>()

  async function claim(): Promise<ClaimedDelivery[]> {
    const firstAttemptsOnly = slots.freeForRetries() <= 0
    const room = firstAttemptsOnly ? slots.free() : slots.freeForRetries()
    if (room <= 0) return []
    const now = clock.now()
    const limit = Math.min(BATCH_MAX, room)
    let allotted: Allotted = { allotments: new Map(), charged: new Map() }
    const claimed = await storage.deliveries.claim(
      {
        now,
        lease: deps.newLease(),
        leaseMs: LEASE_MS,
        limit,
        lanesMax: LANES_MAX,
        busyHooks: slots.busyHooks(),
        busyHosts: slots.busyHosts(),
        firstAttemptsOnly,
      },
      (lanes) => {
        allotted = allot(lanes, {
          now,
          limit,
          freeOfHook: slots.freeOfHook,
          freeOfHost: slots.freeOfHost,
          unusedOf: (hookId) => unused.get(hookId) ?? 0,
          firstAttemptsOnly,
        })
        return allotted.allotments
      },
    )
    for (const delivery of claimed) slots.take(delivery)
    noteUnused(allotted, claimed)
    if (claimed.length > 0) meter.observe('claim_batch_size', {}, claimed.length)
    return claimed
  }

  /** A limited hook may have less due than its limit gave: the rest is given back at its next turn. */
  function noteUnused({ charged }: Allotted, claimed: readonly ClaimedDelivery[]): void {
    for (const [hookId, slotsCharged] of charged) {
      const taken = claimed.filter((delivery) => delivery.hookId === hookId).length
      if (slotsCharged > taken) unused.set(hookId, slotsCharged - taken)
      else unused.delete(hookId)
    }
  }

  return { claim, done: slots.give, hasRoom: () => slots.free() > 0 }
}
