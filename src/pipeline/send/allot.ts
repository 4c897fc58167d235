import type { Allotment, Lane } from '../../storage/port/deliveries.ts'
import { type BreakerState, claimableAt, mayClaim, probing } from './breaker.ts'
import { healthFrom, healthText } from './health.ts'
import { takeSlots } from './pace.ts'

export type Room = {
  readonly now: Date
  /** Deliveries that the claim may take in all. */
  readonly limit: number
  readonly freeOfHook: (hookId: string) => number
  readonly freeOfHost: (host: string) => number
  /** Only deliveries never tried are taken. */
  readonly firstAttemptsOnly: boolean
}

/**
 * The least a lane with a backlog gives to one claim: what a hook may have under way at once, by default. Looking at a
 * lane costs more than one of its deliveries, and so does a page written for one of them alone. With 64 hooks waiting a
 * claim of 64 took 23 microseconds for each delivery with four of a lane, a claim of 128 with eight 16, and both write a
 * seventh less. The lanes that a claim had no room for come first at the next.
 */
const SHARE_MIN = 8

/**
 * How many deliveries each lane gives to a claim: an even share, within what its hook and host have free, its breaker
 * lets through and its rate limit allows. Slots of a rate
 * limit that find no delivery are lost, which costs a later burst at most one slot's wait. Pure.
 */
export function allot(lanes: readonly Lane[], room: Room): Map<string, Allotment> {
  const share = Math.max(SHARE_MIN, Math.ceil(room.limit / Math.max(1, lanes.length)))
  const ofHost = new Map<string, number>()
  const allotments = new Map<string, Allotment>()
  for (const lane of lanes) {
    const { hookId, host } = lane
    const freeOfHost = room.freeOfHost(host) - (ofHost.get(host) ?? 0)
    const wanted = Math.max(0, Math.min(share, room.freeOfHook(hookId), freeOfHost))
    const allotment = allotLane(lane, wanted, room)
    allotments.set(hookId, allotment)
    ofHost.set(host, (ofHost.get(host) ?? 0) + allotment.take)
  }
  return allotments
}

const NONE: Allotment = { take: 0, notBefore: null }

function allotLane(lane: Lane, wanted: number, room: Room): Allotment {
  if (wanted === 0) return NONE
  const { now } = room
  const health = healthFrom(lane.health)
  const may = mayClaim(health.breaker, now)
  if (may === 'none') return { take: 0, notBefore: lookAgainAt(health.breaker, now) }
  // A probe is marked before it is made, and this claim might find none to make.
  if (may === 'one' && room.firstAttemptsOnly) return NONE
  const breaker = may === 'one' ? probing(health.breaker, now) : health.breaker
  const most = may === 'one' ? 1 : wanted
  if (lane.ratePerSecond === null) {
    return may === 'one'
      ? { take: 1, notBefore: null, health: healthText({ ...health, breaker }) }
      : { take: most, notBefore: null }
  }
  const slots = takeSlots(health.paceMs, lane.ratePerSecond, now, most)
  if (slots.taken === 0) return { take: 0, notBefore: slots.nextAt }
  return {
    take: slots.taken,
    notBefore: slots.nextAt,
    health: healthText({ ...health, breaker, paceMs: slots.paceMs }),
  }
}

/** While a probe runs its lane is looked at each second: its success must not wait for the instant it counts as lost. */
const PROBE_LOOK_MS = 1000

function lookAgainAt(breaker: BreakerState, now: Date): Date | null {
  const at = claimableAt(breaker, now)
  const probeRuns = (breaker.openUntilMs ?? 0) <= now.getTime()
  return at !== null && probeRuns ? new Date(Math.min(at.getTime(), now.getTime() + PROBE_LOOK_MS)) : at
}
