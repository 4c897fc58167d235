import type { PaceState } from '../../storage/port/feeds.ts'

/**
 * The rules of asking a store politely (DESIGN 5.5), for all nodes together: a generic cell rate algorithm for the
 * rate, and an exponential wait after the store told us to go away. Pure: storage keeps the state.
 */
export type Rate = {
  /** Requests that may follow each other at once after a quiet time. */
  readonly burst: number
  /** Between two requests when asked without pause. */
  readonly spacingMs: number
}

const MINUTE_MS = 60_000
/**
 * A request goes out a little later than its slot says (timers, connecting), so slots are spread over more than a
 * minute: being late by less than this never puts too many requests into one minute.
 */
export const LATENESS_MS_MAX = 1000
const BURST_MAX = 5
/** Up to this share of the spacing is added at random, so that requests do not tick like a clock. */
const JITTER_SHARE = 0.2
/** A stored instant further ahead than this was written under another clock: it would hold everything up. */
const AHEAD_MS_MAX = 10 * MINUTE_MS

const BLOCK_WAIT_MS = MINUTE_MS
const BLOCK_WAIT_MS_MAX = 60 * MINUTE_MS
/** A `Retry-After` beyond a day is taken for a mistake. */
const RETRY_AFTER_MS_MAX = 24 * 60 * MINUTE_MS

/**
 * The rate that lets at most `requestsPerMinute` requests into any 60 seconds: in a window w there are at most
 * burst + floor(w / spacing) slots.
 */
export function rateOf(requestsPerMinute: number): Rate {
  const burst = Math.max(1, Math.min(BURST_MAX, Math.floor(requestsPerMinute / 4)))
  return { burst, spacingMs: (MINUTE_MS + LATENESS_MS_MAX) / (requestsPerMinute - burst + 1) }
}

/**
 * The next `slots` instants (ms since the epoch, rising, none before `nowMs`) at which a request may go out, and the
 * state that follows. `random` gives 0 to 1.
 */
export function reserveSlots(
  state: PaceState,
  nowMs: number,
  slots: number,
  rate: Rate,
  random: () => number,
): { readonly slotsAtMs: readonly number[]; readonly state: PaceState } {
  const slackMs = (rate.burst - 1) * rate.spacingMs
  const tooFarMs = nowMs + AHEAD_MS_MAX + slackMs
  let arrivalAtMs = state.arrivalAtMs > tooFarMs ? nowMs + slackMs : state.arrivalAtMs
  const slotsAtMs: number[] = []
  for (let index = 0; index < slots; index += 1) {
    slotsAtMs.push(Math.max(nowMs, arrivalAtMs - slackMs))
    arrivalAtMs = Math.max(nowMs, arrivalAtMs) + rate.spacingMs * (1 + JITTER_SHARE * random())
  }
  return { slotsAtMs, state: { ...state, arrivalAtMs } }
}

export function isBlocked(state: PaceState, nowMs: number): boolean {
  return state.blockedUntil !== null && state.blockedUntil.getTime() > nowMs
}

/**
 * The store told us to go away: nobody asks it for a minute, doubling with each block in a row up to an hour, and never
 * shorter than its `Retry-After`. A block heard while one runs already (other requests were on their way) does not
 * count again, but its `Retry-After` does. `jitter` is 0 to 1.
 */
export function afterBlock(
  state: PaceState,
  nowMs: number,
  retryAfterMs: number,
  detail: string,
  jitter: number,
): PaceState {
  const running = isBlocked(state, nowMs)
  const blocks = running ? state.blocks : state.blocks + 1
  const doubledMs = Math.min(BLOCK_WAIT_MS_MAX, BLOCK_WAIT_MS * 2 ** Math.min(blocks - 1, 20))
  const waitMs = running ? 0 : doubledMs * (1 + JITTER_SHARE * jitter)
  const untilMs = Math.max(
    state.blockedUntil?.getTime() ?? 0,
    nowMs + Math.ceil(Math.max(waitMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX))),
  )
  return { ...state, blocks, blockedUntil: new Date(untilMs), lastDetail: detail }
}

/** A good answer ends the count of blocks, but not a wait that runs: it was on its way before. Null changes nothing. */
export function afterAnswer(state: PaceState, nowMs: number): PaceState | null {
  if (state.blocks === 0 || isBlocked(state, nowMs)) return null
  return { ...state, blocks: 0, blockedUntil: null, lastDetail: null }
}
