import type { Meter } from '../../model/metrics.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Allocation, ClaimedDelivery } from '../../storage/port/deliveries.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { allocate, MESSAGE_EVENTS_MAX } from './allocate.ts'
import type { InFlight } from './in-flight.ts'
import { createSlots, type SlotAnswer, type SlotLimits } from './slots.ts'

export type ClaimerDeps = {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly newLease: () => string
  readonly inFlight: InFlight
}

/** The deliveries of one request: one event, or all that a scheduled message shows. */
export type ClaimedRequest = {
  readonly deliveries: readonly [ClaimedDelivery, ...ClaimedDelivery[]]
  /** The claim had no room for more deliveries of the scheduled message, so another message may follow. */
  readonly mayHaveMore: boolean
}

/** A claim of 128 writes a quarter less per delivery than one of 64. A larger claim saves little. */
const BATCH_MAX = 128
/** Added to the timeout of an attempt: time to store its result before the lease ends. */
const LEASE_SLACK_MS = 45_000
/** A claim that took longer, because the database stalled, is released: its leases may end too early. */
const CLAIM_MS_MAX = LEASE_SLACK_MS / 2
/** Mails have their own timeout of 30 s (`MAILS_TIMEOUT_MS`), for which this leaves time even after the slowest claim. */
const LEASE_MS_MIN = 60_000
/** Twice as many as fill a batch, since some lanes have nothing due. Reading a lane takes 3 µs. */
const LANES_MAX = 32

/** Claims deliveries fairly by hook, as many as there are free slots. `timeoutMs` is the timeout of an attempt. */
export function createClaimer(deps: ClaimerDeps, limits: SlotLimits, timeoutMs: number) {
  const { storage, clock, log, meter, inFlight } = deps
  const slots = createSlots(limits, clock)
  // One name for all claims, so that a result also counts after this process claimed its delivery again.
  const lease = deps.newLease()
  const leaseMs = Math.max(timeoutMs + LEASE_SLACK_MS, LEASE_MS_MIN)
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
    const { busyHooks, busyHosts } = slots
    return storage.deliveries.claim(
      {
        now: clock.now(),
        lease,
        leaseMs,
        limit,
        lanesMax: LANES_MAX,
        busyHooks: busyHooks(),
        busyHosts: busyHosts(),
        firstAttemptsOnly,
      },
      (lanes, now) => {
        const allocations = allocate(lanes, { now, limit, slots, firstAttemptsOnly })
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
    const limit = Math.min(BATCH_MAX, room)
    const before = inFlight.snapshot()
    const claimed = await claimUpTo(limit, firstAttemptsOnly)
    const added = inFlight.add(claimed, startedMs + leaseMs, before)
    const tookMs = Math.round(clock.monotonicMs() - startedMs)
    if (added.length > 0 && tookMs > CLAIM_MS_MAX) {
      log.warn('deliveries.claimed_late', { deliveries: added.length, took_ms: tookMs })
      inFlight.end(added)
      await storage.deliveries.release(added)
      return []
    }
    // Deliveries come in the order of the lanes, so a full claim ends within the last one.
    const cutHookId = claimed.length >= limit ? claimed.at(-1)?.hookId : undefined
    const requests = requestsOf(added, { cutHookId, firstAttemptsOnly })
    for (const { deliveries } of requests) slots.take(deliveries[0])
    if (claimed.length > 0) meter.observe('claim_batch_size', {}, claimed.length)
    return requests
  }

  return {
    /** Claims deliveries that may be sent now, those of one message together. Each request takes a slot until `done`. */
    claim,
    /** `answer` adapts the slots of its hook and host; null if it says nothing about them. */
    done: ({ deliveries }: ClaimedRequest, answer: SlotAnswer | null): void =>
      slots.release(deliveries[0], answer),
    hasRoom: (): boolean => slots.free() > 0,
    /** Milliseconds until the next postponed lane (rate limit, open breaker) is ready; null without one. */
    nextLaneMs: (): number | null => {
      const ms = nextLaneAtMs === null ? 0 : nextLaneAtMs - clock.monotonicMs()
      return ms > 0 ? ms : null
    },
  }
}

function requestsOf(
  claimed: readonly ClaimedDelivery[],
  claim: {
    readonly cutHookId: string | undefined
    readonly firstAttemptsOnly: boolean
  },
): ClaimedRequest[] {
  const messages = new Map<string, [ClaimedDelivery, ...ClaimedDelivery[]]>()
  const all: [ClaimedDelivery, ...ClaimedDelivery[]][] = []
  for (const delivery of claimed) {
    const message = delivery.inOneMessage ? messages.get(delivery.hookId) : undefined
    if (message !== undefined) {
      message.push(delivery)
      continue
    }
    const deliveries: [ClaimedDelivery] = [delivery]
    all.push(deliveries)
    if (delivery.inOneMessage) messages.set(delivery.hookId, deliveries)
  }
  return all.map((deliveries) => ({
    deliveries,
    mayHaveMore:
      claim.firstAttemptsOnly ||
      deliveries.length >= MESSAGE_EVENTS_MAX ||
      deliveries[0].hookId === claim.cutHookId,
  }))
}
