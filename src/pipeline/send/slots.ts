import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'

/** The most requests under way at once. */
export type SlotLimits = {
  readonly total: number
  readonly perHook: number
  /** Per host and port, so that several hooks of one receiver do not add up. */
  readonly perHost: number
}

/** The share reserved for first attempts, so that retries, mostly to failing targets, never take all slots. */
const FIRST_ATTEMPTS_SHARE = 0.25

export type Slots = {
  readonly take: (delivery: ClaimedDelivery) => void
  readonly release: (delivery: ClaimedDelivery) => void
  readonly free: () => number
  /** The free slots that a retry may take. */
  readonly freeForRetries: () => number
  readonly freeOfHook: (hookId: string) => number
  readonly freeOfHost: (host: string) => number
  readonly busyHooks: () => string[]
  readonly busyHosts: () => string[]
}

export function createSlots(limits: SlotLimits): Slots {
  const ofHook = new Map<string, number>()
  const ofHost = new Map<string, number>()
  let taken = 0
  let retries = 0
  const retriesMax = Math.max(1, Math.floor(limits.total * (1 - FIRST_ATTEMPTS_SHARE)))
  const count = (delivery: ClaimedDelivery, by: 1 | -1) => {
    taken += by
    if (delivery.attempts > 0) retries += by
    add(ofHook, delivery.hookId, by)
    add(ofHost, delivery.host, by)
  }
  return {
    take: (delivery) => count(delivery, 1),
    release: (delivery) => count(delivery, -1),
    free: () => limits.total - taken,
    freeForRetries: () => Math.min(retriesMax - retries, limits.total - taken),
    freeOfHook: (hookId) => limits.perHook - (ofHook.get(hookId) ?? 0),
    freeOfHost: (host) => limits.perHost - (ofHost.get(host) ?? 0),
    busyHooks: () => atLeast(ofHook, limits.perHook),
    busyHosts: () => atLeast(ofHost, limits.perHost),
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

function atLeast(counts: ReadonlyMap<string, number>, limit: number): string[] {
  return [...counts].filter(([, count]) => count >= limit).map(([key]) => key)
}
