import { type Rate, reservePermits } from '../../runtime/gcra.ts'
import type { PaceState } from '../../storage/port/feeds.ts'
import { STORE_RETRY_AFTER_MS_MAX } from '../appstores/appstore.ts'

/**
 * The rate limit of a store and the exponential backoff after a block, shared by all nodes. Pure: the state is stored.
 */

const MINUTE_MS = 60_000
/**
 * A request starts slightly after its permit (timers, connecting). So permits are spread over a minute plus this time:
 * a smaller delay never puts too many requests into one minute.
 */
export const LATENESS_MS_MAX = 1000
const BURST_MAX = 5
/** Up to this share of the interval is added at random, so that requests are not evenly spaced. */
const JITTER_SHARE = 0.2

const BLOCK_WAIT_MS = MINUTE_MS
const BLOCK_WAIT_MS_MAX = 60 * MINUTE_MS

/**
 * The rate that lets at most `requestsPerMinute` requests into any 60 seconds: in a window w there are at most
 * burst + floor(w / interval) permits.
 */
export function rateOf(requestsPerMinute: number): Rate {
  const burst = Math.max(1, Math.min(BURST_MAX, Math.floor(requestsPerMinute / 4)))
  return { burst, intervalMs: (MINUTE_MS + LATENESS_MS_MAX) / (requestsPerMinute - burst + 1) }
}

/** The instants of the next `count` permits, with jitter, and the state after them. `random` gives 0 to 1. */
export function reserveRequests(
  state: PaceState,
  nowMs: number,
  count: number,
  rate: Rate,
  random: () => number,
): { readonly permitsAtMs: readonly number[]; readonly state: PaceState } {
  const cost = () => 1 + JITTER_SHARE * random()
  const { permitsAtMs, arrivalMs } = reservePermits(state.arrivalAtMs, rate, nowMs, count, cost)
  return { permitsAtMs, state: { ...state, arrivalAtMs: arrivalMs } }
}

export function isBlocked(state: PaceState, nowMs: number): boolean {
  return state.blockedUntil !== null && state.blockedUntil.getTime() > nowMs
}

/**
 * The state after a block: no requests for a minute, doubled with each block in a row up to an hour, and at least for
 * its `Retry-After`. Another block during a block comes from a request already under way. It does not double the wait,
 * but its `Retry-After` counts. `jitter` is 0 to 1.
 */
export function afterBlock(
  state: PaceState,
  nowMs: number,
  retryAfterMs: number,
  detail: string,
  jitter: number,
): PaceState {
  const isDuringBlock = isBlocked(state, nowMs)
  const blocks = isDuringBlock ? state.blocks : state.blocks + 1
  const doubledMs = Math.min(BLOCK_WAIT_MS_MAX, BLOCK_WAIT_MS * 2 ** Math.min(blocks - 1, 20))
  const waitMs = isDuringBlock ? 0 : doubledMs * (1 + JITTER_SHARE * jitter)
  const untilMs = Math.max(
    state.blockedUntil?.getTime() ?? 0,
    nowMs + Math.ceil(Math.max(waitMs, Math.min(retryAfterMs, STORE_RETRY_AFTER_MS_MAX))),
  )
  return { ...state, blocks, blockedUntil: new Date(untilMs), lastDetail: detail }
}

/**
 * The state after a successful answer, which resets the count of blocks. It does not end a current block, since its
 * request was already under way. Null when nothing changes.
 */
export function afterAnswer(state: PaceState, nowMs: number): PaceState | null {
  if (state.blocks === 0 || isBlocked(state, nowMs)) return null
  return { ...state, blocks: 0, blockedUntil: null, lastDetail: null }
}
