import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Meter } from '../../runtime/meter.ts'
import type { Allotment, ClaimedDelivery } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port.ts'
import { allot } from './allot.ts'
import { createSlots, type SlotLimits } from './slots.ts'

export type ClaimerDeps = {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly newLease: () => string
}

export type Claimer = {
  /** Leases what may be sent now; every delivery is in a slot until `done`. Empty when nothing may. */
  readonly claim: () => Promise<ClaimedDelivery[]>
  readonly done: (delivery: ClaimedDelivery) => void
  readonly hasRoom: () => boolean
  /** Milliseconds until a lane that a claim had to leave, e.g. for its rate limit, may be looked at; null for none. */
  readonly nextTurnMs: () => number | null
}

/** Chosen: a claim of 128 writes a quarter less for each delivery than one of 64; more brings little. */
const BATCH_MAX = 128
/** Beyond an attempt's deadline: time to store what came of it, so that no lease ends while its request runs. */
const LEASE_SLACK_MS = 45_000
/** A claim that took longer, in a database that stood still, is given back: what is left of its leases may end too soon. */
const CLAIM_MS_MAX = LEASE_SLACK_MS / 2
/** Twice those that fill a batch: some cannot give now. Each costs three microseconds to look at. */
const LANES_MAX = 32

/** Takes deliveries in turn by hook, as many as there are slots for. `timeoutMs` is the deadline of an attempt. */
export function createClaimer(deps: ClaimerDeps, limits: SlotLimits, timeoutMs: number): Claimer {
  const { storage, clock, log, meter } = deps
  const slots = createSlots(limits)
  /** Monotonic. */
  let nextTurnAtMs: number | null = null

  /** A claim reads only lanes that are ready, so the time of a lane that an earlier claim postponed is remembered here. */
  const noteTurns = (allotments: ReadonlyMap<string, Allotment>, now: Date) => {
    const readMs = clock.monotonicMs()
    if (nextTurnAtMs !== null && nextTurnAtMs <= readMs) nextTurnAtMs = null
    for (const { notBefore } of allotments.values()) {
      if (notBefore === null) continue
      const atMs = readMs + notBefore.getTime() - now.getTime()
      if (nextTurnAtMs === null || atMs < nextTurnAtMs) nextTurnAtMs = atMs
    }
  }

  async function claim(): Promise<ClaimedDelivery[]> {
    const firstAttemptsOnly = slots.freeForRetries() <= 0
    const room = firstAttemptsOnly ? slots.free() : slots.freeForRetries()
    if (room <= 0) return []
    const now = clock.now()
    const startedMs = clock.monotonicMs()
    const limit = Math.min(BATCH_MAX, room)
    const claimed = await storage.deliveries.claim(
      {
        now,
        lease: deps.newLease(),
        leaseMs: timeoutMs + LEASE_SLACK_MS,
        limit,
        lanesMax: LANES_MAX,
        busyHooks: slots.busyHooks(),
        busyHosts: slots.busyHosts(),
        firstAttemptsOnly,
      },
      (lanes) => {
        const allotments = allot(lanes, {
          now,
          limit,
          freeOfHook: slots.freeOfHook,
          freeOfHost: slots.freeOfHost,
          firstAttemptsOnly,
        })
        noteTurns(allotments, now)
        return allotments
      },
    )
    const tookMs = Math.round(clock.monotonicMs() - startedMs)
    if (claimed.length > 0 && tookMs > CLAIM_MS_MAX) {
      log.warn('deliveries.claimed_late', { deliveries: claimed.length, took_ms: tookMs })
      await storage.deliveries.release(claimed)
      return []
    }
    for (const delivery of claimed) slots.take(delivery)
    if (claimed.length > 0) meter.observe('claim_batch_size', {}, claimed.length)
    return claimed
  }

  return {
    claim,
    done: slots.give,
    hasRoom: () => slots.free() > 0,
    nextTurnMs: () => {
      const ms = nextTurnAtMs === null ? 0 : nextTurnAtMs - clock.monotonicMs()
      return ms > 0 ? ms : null
    },
  }
}
