import type { TargetType } from '../../model/target.ts'
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

/** The share of a host that hooks with failures leave to the others, since their requests may hang until the timeout. */
const HEALTHY_SHARE = 0.25

/**
 * Channels of all accounts share the host of a chat service, and mails the operator's server, so one that hangs must not take its slots. Two
 * requests at once are enough for a message a second, until they take two seconds.
 */
const MESSAGES_AT_ONCE = 2

type HookOfSlots = { readonly hookId: string; readonly targetType: TargetType }

export type Slots = {
  readonly take: (delivery: ClaimedDelivery) => void
  readonly release: (delivery: ClaimedDelivery) => void
  readonly free: () => number
  /** The free slots that a retry may take. */
  readonly freeForRetries: () => number
  readonly freeOfHook: (hook: HookOfSlots) => number
  readonly freeOfHost: (host: string) => number
  /** The slots of each host that hooks with failures may not take. */
  readonly healthyOfHost: number
  readonly busyHooks: () => string[]
  readonly busyHosts: () => string[]
}

export function createSlots(limits: SlotLimits): Slots {
  const ofHook = new Map<string, { readonly count: number; readonly most: number }>()
  const ofHost = new Map<string, number>()
  let taken = 0
  let retries = 0
  const retriesMax = Math.max(1, Math.floor(limits.total * (1 - FIRST_ATTEMPTS_SHARE)))
  const mostOf = ({ targetType }: HookOfSlots) =>
    targetType === 'webhook' || targetType === 'http'
      ? limits.perHook
      : Math.min(MESSAGES_AT_ONCE, limits.perHook)
  const count = (delivery: ClaimedDelivery, by: 1 | -1) => {
    taken += by
    if (delivery.attempts > 0) retries += by
    const ofThis = (ofHook.get(delivery.hookId)?.count ?? 0) + by
    if (ofThis > 0) ofHook.set(delivery.hookId, { count: ofThis, most: mostOf(delivery) })
    else ofHook.delete(delivery.hookId)
    add(ofHost, delivery.host, by)
  }
  return {
    take: (delivery) => count(delivery, 1),
    release: (delivery) => count(delivery, -1),
    free: () => limits.total - taken,
    freeForRetries: () => Math.min(retriesMax - retries, limits.total - taken),
    freeOfHook: (hook) => mostOf(hook) - (ofHook.get(hook.hookId)?.count ?? 0),
    freeOfHost: (host) => limits.perHost - (ofHost.get(host) ?? 0),
    healthyOfHost: Math.floor(limits.perHost * HEALTHY_SHARE),
    busyHooks: () => [...ofHook].filter(([, { count, most }]) => count >= most).map(([hookId]) => hookId),
    busyHosts: () => [...ofHost].filter(([, count]) => count >= limits.perHost).map(([host]) => host),
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
