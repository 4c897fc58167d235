import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Meter } from '../../runtime/meter.ts'
import type { Allocation, ClaimedDelivery } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { allocate } from './allocate.ts'
import { createSlots, type SlotLimits } from './slots.ts'

export type ClaimerDeps = {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly newLease: () => string
}

/** The deliveries of one request: one event, or all that a scheduled message shows. */
export type ClaimedRequest = readonly [ClaimedDelivery, ...ClaimedDelivery[]]

export type Claimer = {
  /** Claims deliveries that may be sent now, those of one message together. Each request takes a slot until `done`. */
  readonly claim: () => Promise<ClaimedRequest[]>
  readonly done: (request: ClaimedRequest) => void
  readonly hasRoom: () => boolean
  /** Milliseconds until the next postponed lane (rate limit, open breaker) is ready; null without one. */
  readonly nextLaneMs: () => number | null
}

/** A claim of 128 writes a quarter less per delivery than one of 64. A larger claim saves little. */
const BATCH_MAX = 128
/** Added to the timeout of an attempt: time to store its result before the lease ends. */
const LEASE_SLACK_MS = 45_000
/** A claim that took longer, because the database stalled, is released: its leases may end too early. */
const CLAIM_MS_MAX = LEASE_SLACK_MS / 2
/** Twice as many as fill a batch, since some lanes have nothing due. Reading a lane takes 3 µs. */
const LANES_MAX = 32

/** Claims deliveries fairly by hook, as many as there are free slots. `timeoutMs` is the timeout of an attempt. */
export function createClaimer(deps: ClaimerDeps, limits: SlotLimits, timeoutMs: number): Claimer {
  const { storage, clock, log, meter } = deps
  const slots = createSlots(limits)
  /** On the monotonic clock. */
  let nextLaneAtMs: number | null = null

  /** Remembers postponed lanes, because a claim reads only lanes that are ready. */
  const rememberPostponed = (allocations: ReadonlyMap<string, Allocation>, now: Date) => {
    const readMs = clock.monotonicMs()
    if (nextLaneAtMs !== null && nextLaneAtMs <= readMs) nextLaneAtMs = null
    for (const { notBefore } of allocations.values()) {
      if (notBefore === null) continue
      const atMs = readMs + notBefore.getTime() - now.getTime()
      if (nextLaneAtMs === null || atMs < nextLaneAtMs) nextLaneAtMs = atMs
    }
  }

  async function claimUpTo(limit: number, firstAttemptsOnly: boolean): Promise<ClaimedDelivery[]> {
    const now = clock.now()
    const { busyHooks, busyHosts, freeOfHook, freeOfHost } = slots
    return storage.deliveries.claim(
      {
        now,
        lease: deps.newLease(),
        leaseMs: timeoutMs + LEASE_SLACK_MS,
        limit,
        lanesMax: LANES_MAX,
        busyHooks: busyHooks(),
        busyHosts: busyHosts(),
        firstAttemptsOnly,
      },
      (lanes) => {
        const allocations = allocate(lanes, { now, limit, freeOfHook, freeOfHost, firstAttemptsOnly })
        rememberPostponed(allocations, now)
        return allocations
      },
    )
  }

  async function claim(): Promise<ClaimedRequest[]> {
    const firstAttemptsOnly = slots.freeForRetries() <= 0
    const room = firstAttemptsOnly ? slots.free() : slots.freeForRetries()
    if (room <= 0) return []
    const startedMs = clock.monotonicMs()
    const claimed = await claimUpTo(Math.min(BATCH_MAX, room), firstAttemptsOnly)
    const tookMs = Math.round(clock.monotonicMs() - startedMs)
    if (claimed.length > 0 && tookMs > CLAIM_MS_MAX) {
      log.warn('deliveries.claimed_late', { deliveries: claimed.length, took_ms: tookMs })
      await storage.deliveries.release(claimed)
      return []
    }
    const requests = requestsOf(claimed)
    for (const [first] of requests) slots.take(first)
    if (claimed.length > 0) meter.observe('claim_batch_size', {}, claimed.length)
    return requests
  }

  return {
    claim,
    done: ([first]) => slots.release(first),
    hasRoom: () => slots.free() > 0,
    nextLaneMs: () => {
      const ms = nextLaneAtMs === null ? 0 : nextLaneAtMs - clock.monotonicMs()
      return ms > 0 ? ms : null
    },
  }
}

function requestsOf(claimed: readonly ClaimedDelivery[]): ClaimedRequest[] {
  const requests: [ClaimedDelivery, ...ClaimedDelivery[]][] = []
  const ofHook = new Map<string, ClaimedDelivery[]>()
  for (const delivery of claimed) {
    const message = delivery.inOneMessage ? ofHook.get(delivery.hookId) : undefined
    if (message !== undefined) {
      message.push(delivery)
      continue
    }
    const request: [ClaimedDelivery] = [delivery]
    requests.push(request)
    if (delivery.inOneMessage) ofHook.set(delivery.hookId, request)
  }
  return requests
}
