import type { TargetType } from '../../model/target.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'
import type { LimitBounds, LimitedAnswer } from './adaptive-limit.ts'
import { createLimits } from './limits.ts'

/** The most requests under way at once. Those of a hook and of a host adapt to their answers, up to these numbers. */
export type SlotLimits = {
  readonly total: number
  readonly perHook: number
  /** Per host and port, so that several hooks of one receiver do not add up. */
  readonly perHost: number
}

/** At first, and for every hook at once while many are busy: any receiver takes as many. */
const HOOK_START = 8
/** Two such hooks. A host never gets less, so that a hook whose requests fail takes nothing from the others there. */
const HOST_START = 16

/** The share reserved for first attempts, so that retries, mostly to failing targets, never take all slots. */
const FIRST_ATTEMPTS_SHARE = 0.25

/** The share of a host that hooks with failures leave to the others, since their requests may hang until the timeout. */
const HEALTHY_SHARE = 0.25

/**
 * Channels of all accounts share the host of a chat service, and mails the operator's server, so one that hangs must not take its slots.
 * Two requests at once are enough for a message a second, until they take two seconds.
 */
const MESSAGES_AT_ONCE = 2

/** An answered request; times on the monotonic clock. */
export type SlotAnswer = Omit<LimitedAnswer, 'inFlight'>

type HookOfSlots = { readonly hookId: string; readonly targetType: TargetType }

export type Slots = ReturnType<typeof createSlots>

export function createSlots(limits: SlotLimits, clock: Pick<Clock, 'monotonicMs'>) {
  const ofHook = new Map<string, { readonly count: number; readonly hook: HookOfSlots }>()
  const ofHost = new Map<string, number>()
  const hookLimits = createLimits(boundsOf(1, HOOK_START, limits.perHook), clock)
  const hostLimits = createLimits(boundsOf(HOST_START, HOST_START, limits.perHost), clock)
  let taken = 0
  let retries = 0
  const retriesMax = Math.max(1, Math.floor(limits.total * (1 - FIRST_ATTEMPTS_SHARE)))
  /**
   * More than the first slots only while as many stay free, as in switches that share memory among queues: one busy hook gets half of the
   * slots at most, two a third each, and a hook that becomes busy finds free ones.
   */
  const fairOf = (count: number) => Math.max(HOOK_START, Math.floor((count + limits.total - taken) / 2))
  const mostOf = (hook: HookOfSlots, count: number) =>
    isAdaptive(hook)
      ? Math.min(hookLimits.of(hook.hookId), fairOf(count))
      : Math.min(MESSAGES_AT_ONCE, limits.perHook)
  const countOf = ({ hookId }: HookOfSlots) => ofHook.get(hookId)?.count ?? 0
  const count = (delivery: ClaimedDelivery, by: 1 | -1) => {
    taken += by
    if (delivery.attempts > 0) retries += by
    const ofThis = countOf(delivery) + by
    const { hookId, targetType } = delivery
    if (ofThis > 0) ofHook.set(hookId, { count: ofThis, hook: { hookId, targetType } })
    else ofHook.delete(hookId)
    add(ofHost, delivery.host, by)
  }
  const learn = (delivery: ClaimedDelivery, answer: SlotAnswer) => {
    hookLimits.answered(delivery.hookId, { ...answer, inFlight: countOf(delivery) })
    hostLimits.answered(delivery.host, { ...answer, inFlight: ofHost.get(delivery.host) ?? 0 })
  }
  return {
    take: (delivery: ClaimedDelivery): void => count(delivery, 1),
    /** `answer` is null if the request says nothing about the requests that its receiver takes. */
    release(delivery: ClaimedDelivery, answer: SlotAnswer | null = null): void {
      if (answer !== null && isAdaptive(delivery)) learn(delivery, answer)
      count(delivery, -1)
    },
    free: (): number => limits.total - taken,
    /** The free slots that a retry may take. */
    freeForRetries: (): number => Math.min(retriesMax - retries, limits.total - taken),
    freeOfHook: (hook: HookOfSlots): number => mostOf(hook, countOf(hook)) - countOf(hook),
    freeOfHost: (host: string): number => hostLimits.of(host) - (ofHost.get(host) ?? 0),
    /** The slots of the host that hooks with failures may not take. */
    healthyOfHost: (host: string): number => Math.floor(hostLimits.of(host) * HEALTHY_SHARE),
    busyHooks: (): string[] => {
      const busy = [...ofHook].filter(([, { count, hook }]) => count >= mostOf(hook, count))
      return busy.map(([hookId]) => hookId)
    },
    busyHosts: (): string[] =>
      [...ofHost].filter(([host, count]) => count >= hostLimits.of(host)).map(([host]) => host),
  }
}

function isAdaptive({ targetType }: HookOfSlots): boolean {
  return targetType === 'webhook' || targetType === 'http'
}

function boundsOf(min: number, start: number, max: number): LimitBounds {
  return { min: Math.min(min, max), start: Math.min(start, max), max }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
