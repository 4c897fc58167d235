import type { Egress } from '../../../src/runtime/egress/egress.ts'
import { handleApple } from '../../../src/simulate/apple/apple.ts'
import type { Fault } from '../../../src/simulate/fault.ts'
import type { World } from '../../../src/simulate/world.ts'
import type { Random } from '../random.ts'
import { changesOf, DAY_MS, DELAY_MS, type MonthPlan, SHELLS, THROTTLE } from './month.ts'

/** How long an answer takes. */
const ANSWER_MS = 200

export type MonthStore = {
  readonly egress: Egress
  /** Requests so far, by source. */
  readonly requests: () => Readonly<Record<string, number>>
  /** Requests by day from the start. */
  readonly daily: () => readonly number[]
  /** How often throttling began. */
  readonly throttles: () => number
}

/** The App Store of the month, in process. Each request takes a moment of `clock`. */
export function openMonthStore(
  plan: MonthPlan,
  world: World,
  clock: { readonly nowMs: () => number; readonly pass: (ms: number) => void },
  random: Random,
): MonthStore {
  const changes = changesOf(plan)
  /** Empty pages that the cache keeps, by address, with their end. */
  const shells = new Map<string, number>()
  const feedRequestsAtMs: number[] = []
  let throttledUntilMs = 0
  let throttles = 0
  const counts: Record<string, number> = {}
  const daily: number[] = []

  function isShell(address: string, nowMs: number): boolean {
    if ((shells.get(address) ?? 0) > nowMs) return true
    shells.delete(address)
    feedRequestsAtMs.push(nowMs)
    while ((feedRequestsAtMs[0] ?? nowMs) <= nowMs - THROTTLE.withinMs) feedRequestsAtMs.shift()
    if (feedRequestsAtMs.length > THROTTLE.requests) {
      if (nowMs >= throttledUntilMs) throttles += 1
      throttledUntilMs = nowMs + THROTTLE.lastsMs
    }
    if (nowMs >= throttledUntilMs && !random.chance(SHELLS.share)) return false
    shells.set(address, nowMs + random.between(SHELLS.keptMs.least, SHELLS.keptMs.most))
    return true
  }

  function faultOf(source: string, address: string): Fault | null {
    const nowMs = clock.nowMs()
    if (!plan.faults) return null
    if (source === 'web' && nowMs >= changes.unsorted.atMs) return { kind: 'unsorted' }
    if (!source.startsWith('rss')) return null
    if (nowMs >= changes.shells.atMs && isShell(address, nowMs)) return { kind: 'empty_shell' }
    if (nowMs < changes.frozen.atMs) return null
    return { kind: 'frozen', at: new Date(changes.frozen.atMs - DELAY_MS.least) }
  }

  return {
    requests: () => counts,
    daily: () => daily,
    throttles: () => throttles,
    egress: {
      async request(request) {
        clock.pass(ANSWER_MS)
        const source = sourceOf(request.url)
        counts[source] = (counts[source] ?? 0) + 1
        const day = Math.floor((clock.nowMs() - plan.fromMs) / DAY_MS)
        daily[day] = (daily[day] ?? 0) + 1
        const fault = faultOf(source, request.url)
        const { method, url, headers } = request
        const endFault = fault === null ? () => {} : world.setFault({ store: 'apple' }, fault)
        const at = new Date(clock.nowMs())
        const answer = handleApple(world, { method, url, headers, body: '', at })
        endFault()
        return {
          ...{ kind: 'answered', status: answer.status, headers: answer.headers },
          ...{ body: Buffer.from(answer.body), truncated: false, remoteAddress: null },
          timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: ANSWER_MS, totalMs: ANSWER_MS },
        }
      },
      [Symbol.asyncDispose]: async () => {},
    },
  }
}

function sourceOf(url: string): string {
  if (url.includes('/rss/')) return /\/xml(\?|$)/.test(url) ? 'rss_xml' : 'rss'
  if (url.includes('/userReviewsRow')) return /[?&]sort=4\b/.test(url) ? 'row_4' : 'row'
  if (url.includes('/api/apps/v1/')) return 'web'
  return url.includes('/lookup') ? 'lookup' : 'page'
}
