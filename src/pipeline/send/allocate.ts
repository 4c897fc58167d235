import { type MessageSchedule, nextMessageMs } from '../../model/message-schedule.ts'
import { takePermits } from '../../runtime/gcra.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Allocation, Lane } from '../../storage/port/deliveries.ts'
import { type BreakerState, claimableAt, isOpen, mayClaim, PROBE_MS, probing } from './breaker.ts'
import { type HookHealth, healthFrom, healthText } from './health.ts'
import { rateOf } from './rate.ts'
import type { Slots } from './slots.ts'

export type Room = {
  readonly now: Instant
  /** The most deliveries of the claim. */
  readonly limit: number
  readonly slots: Pick<Slots, 'freeOfHook' | 'freeOfHost' | 'healthyOfHost'>
  /** Only deliveries without an attempt are claimed. */
  readonly firstAttemptsOnly: boolean
}

/**
 * The minimum share of a lane with a backlog in one claim: the requests that every hook may have at once at first. Reading a lane
 * costs more than claiming one of its deliveries. With 64 busy hooks, a claim of 64 with four per lane took 23 µs per
 * delivery; a claim of 128 with eight took 16 µs. Lanes that did not fit into a claim come first in the next one.
 */
const SHARE_MIN = 8

/**
 * How many deliveries a claim takes from each lane: an even share, within the free slots of hook and host, the breaker
 * and the rate limit. Unused permits of a rate limit are lost, which delays a later burst by at most one interval.
 * Pure.
 */
export function allocate(lanes: readonly Lane[], room: Room): Map<string, Allocation> {
  const share = Math.max(SHARE_MIN, Math.ceil(room.limit / Math.max(1, lanes.length)))
  const ofHost = new Map<string, number>()
  const allocations = new Map<string, Allocation>()
  for (const lane of lanes) {
    const { hookId, host } = lane
    const health = healthFrom(lane.health)
    const freeOfHost = room.slots.freeOfHost(host) - (ofHost.get(host) ?? 0)
    const free = Math.min(share, room.slots.freeOfHook(lane), freeOfHost)
    const isFailing = health.breaker.consecutiveFailures > 0
    const most = isFailing ? Math.min(free, freeOfHost - room.slots.healthyOfHost(host)) : free
    const allocation =
      most <= 0 && free > 0 ? afterOthers(room.now) : allocateLane(lane, health, Math.max(0, most), room)
    allocations.set(hookId, allocation)
    // All deliveries of a message are one request.
    const requests = lane.messageSchedule === null ? allocation.take : Math.min(1, allocation.take)
    ofHost.set(host, (ofHost.get(host) ?? 0) + requests)
  }
  return allocations
}

const NONE: Allocation = { take: 0, notBefore: null }

/** The rest of the host's slots is for hooks without failures. Postponed, so that the lane takes no place in the next claims. */
function afterOthers(now: Instant): Allocation {
  return { take: 0, notBefore: later(now, PROBE_POLL_MS) }
}

function allocateLane(lane: Lane, health: HookHealth, wanted: number, room: Room): Allocation {
  if (wanted === 0) return NONE
  const { now } = room
  if (lane.messageSchedule !== null) {
    const waitMs = messageWaitMs(lane.messageSchedule, health, now.getTime())
    if (waitMs !== null) return { take: 0, notBefore: later(now, waitMs) }
  }
  const may = mayClaim(health.breaker, now)
  if (may === 'none') return { take: 0, notBefore: notBeforeOf(health.breaker, now) }
  // A probe is marked before it is sent, and this claim may find no delivery for it.
  if (may === 'one' && room.firstAttemptsOnly) return NONE
  if (lane.messageSchedule !== null) return allocateMessage(lane, health, may, room)
  const breaker = may === 'one' ? probing(health.breaker, now) : health.breaker
  const most = may === 'one' ? 1 : wanted
  if (lane.ratePerSecond === null) {
    return may === 'one'
      ? { take: 1, notBefore: null, health: healthText({ ...health, breaker }) }
      : { take: most, notBefore: null }
  }
  const permits = takePermits(health.paceMs, rateOf(lane.ratePerSecond), now.getTime(), most)
  const notBefore = permits.waitMs === 0 ? null : later(now, permits.waitMs)
  if (permits.taken === 0) return { take: 0, notBefore }
  return {
    take: permits.taken,
    notBefore,
    health: healthText({ ...health, breaker, paceMs: permits.arrivalMs }),
  }
}

/** Deliveries of one message; more follow in further ones. Messages show some of them and the number of the rest. */
export const MESSAGE_EVENTS_MAX = 100
/** A schedule is read again at least this often, so that a lane never seems forgotten. */
const SCHEDULE_READ_MS = 60 * 60_000

/** How long the deliveries of a hook wait for its schedule or for a message under way; null for not at all. */
function messageWaitMs(schedule: MessageSchedule, health: HookHealth, nowMs: number): number | null {
  const { messageUntilMs, lastMessageMs, skipsSchedule } = health
  const isUnderWay = messageUntilMs !== null && messageUntilMs > nowMs && messageUntilMs <= nowMs + PROBE_MS
  if (isUnderWay) return Math.min(messageUntilMs - nowMs, PROBE_POLL_MS)
  const nextMs = skipsSchedule ? nowMs : nextMessageMs(schedule, lastMessageMs, nowMs)
  return nextMs <= nowMs ? null : Math.min(nextMs - nowMs, SCHEDULE_READ_MS)
}

/** Takes all that one message shows. It is marked before it is sent, so that no other node sends a second one. */
function allocateMessage(
  lane: Lane,
  health: HookHealth,
  may: 'all' | 'one',
  { now, limit }: Room,
): Allocation {
  const nowMs = now.getTime()
  const permits =
    lane.ratePerSecond === null ? null : takePermits(health.paceMs, rateOf(lane.ratePerSecond), nowMs, 1)
  if (permits?.taken === 0) return { take: 0, notBefore: later(now, permits.waitMs) }
  const marked: HookHealth = {
    ...health,
    breaker: may === 'one' ? probing(health.breaker, now) : health.breaker,
    paceMs: permits?.arrivalMs ?? health.paceMs,
    messageUntilMs: nowMs + PROBE_MS,
  }
  return { take: Math.min(MESSAGE_EVENTS_MAX, limit), notBefore: null, health: healthText(marked) }
}

/** A lane with a running probe is read every second, so that a success takes effect before the probe counts as lost. */
const PROBE_POLL_MS = 1000

function notBeforeOf(breaker: BreakerState, now: Instant): Instant | null {
  const at = claimableAt(breaker, now)
  return at !== null && !isOpen(breaker, now)
    ? later(now, Math.min(at.getTime() - now.getTime(), PROBE_POLL_MS))
    : at
}
