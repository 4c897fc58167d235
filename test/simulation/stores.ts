import { STORES, type Store } from '../../src/model/vocabulary.ts'
import type { Egress, EgressAnswer, EgressRequest } from '../../src/runtime/egress/egress.ts'
import type { SimulatedAnswer } from '../../src/simulate/answer.ts'
import { handleApple } from '../../src/simulate/apple/apple.ts'
import { handleGoogle } from '../../src/simulate/google/google.ts'
import type { World } from '../../src/simulate/world.ts'
import { type Connection, connect, type Response } from './connection.ts'
import { OFFICIAL_URLS, type OfficialStore } from './official-store.ts'

export const STORE_URLS = {
  itunesUrl: 'https://itunes.test',
  webUrl: 'https://apps.test',
  playUrl: 'https://play.test',
} as const

/** A fault of the connection to a store, in addition to the faults of its handler. */
export type ConnectionFault = 'timeout' | 'reset' | 'frozen'

export type ShownAnswer = { readonly answer: SimulatedAnswer; readonly shownAtMs: number }

export type StoresDeps = Omit<Connection, 'respond'> & {
  readonly world: World
  /** The active fault of the connection to a store. */
  readonly faultOf: (store: Store) => ConnectionFault | null
  readonly onRequest: (store: Store) => void
  /** The official APIs; null without connected stores. */
  readonly official: OfficialStore | null
  readonly onOfficialRequest: (store: Store) => void
  /** Answers that a frozen store repeats, by request; shared by all nodes. */
  readonly shown: Map<string, ShownAnswer>
  /** Called when a frozen store repeats its answer from `shownAtMs`. */
  readonly onRepeatedAnswer: (store: Store, request: string, shownAtMs: number) => void
}

/** Both app stores, in process. */
export function openStores(deps: StoresDeps): Egress {
  const { world, scheduler, random, shown } = deps
  return connect({
    ...deps,
    respond(request) {
      const ofStore = STORES.find((store) => request.url.startsWith(OFFICIAL_URLS[store]))
      if (deps.official !== null && ofStore !== undefined)
        return respondOfficial(deps, deps.official, ofStore, request)
      const store: Store = request.url.startsWith(STORE_URLS.playUrl) ? 'google' : 'apple'
      deps.onRequest(store)
      const fault = deps.faultOf(store)
      if (fault === 'timeout') return { kind: 'hang' }
      if (fault === 'reset') return { kind: 'reset', afterMs: random.between(1, 300) }
      const key = keyOf(request)
      const live = () => {
        const simulated = simulatedOf(request, scheduler.nowMs())
        return store === 'apple' ? handleApple(world, simulated) : handleGoogle(world, simulated)
      }
      const stale = fault === 'frozen' ? shown.get(key) : undefined
      if (stale !== undefined) deps.onRepeatedAnswer(store, key, stale.shownAtMs)
      const answer = stale?.answer ?? live()
      if (stale === undefined && answer.status === 200 && answer.drop !== true)
        shown.set(key, { answer, shownAtMs: scheduler.nowMs() })
      const afterMs = random.between(20, 400) + (answer.delayMs ?? 0)
      if (answer.drop === true) return { kind: 'reset', afterMs }
      return { kind: 'answer', afterMs, answer: answered(answer, afterMs) }
    },
  })
}

/** The default of the clients. */
const OFFICIAL_TIMEOUT_MS = 30_000

/** A request whose connection fails may have arrived before, so that an answer was written. */
function respondOfficial(
  { random, scheduler, ...deps }: StoresDeps,
  official: OfficialStore,
  store: Store,
  request: EgressRequest,
): Response {
  deps.onOfficialRequest(store)
  const fault = deps.faultOf(store)
  const isBroken = fault === 'timeout' || fault === 'reset'
  const arrives = !isBroken || random.chance(0.5)
  const answer = arrives ? official.handle(store, simulatedOf(request, scheduler.nowMs())) : null
  const afterMs = random.between(20, 400) + (answer?.delayMs ?? 0)
  if (fault === 'timeout') return { kind: 'hang' }
  if (answer === null || isBroken || answer.drop === true) return { kind: 'reset', afterMs }
  if (afterMs < OFFICIAL_TIMEOUT_MS) official.arrived(simulatedOf(request, scheduler.nowMs()), answer)
  return { kind: 'answer', afterMs, answer: answered(answer, afterMs) }
}

function simulatedOf({ method, url, headers, body }: EgressRequest, nowMs: number) {
  const text = typeof body === 'string' ? body : ''
  return { method, url, headers, body: text, at: new Date(Math.floor(nowMs)) }
}

/** Removes the random number that prevents cached answers. */
function keyOf(request: EgressRequest): string {
  const body = typeof request.body === 'string' ? request.body : ''
  return `${request.url.replace(/[?&](?:_|r)=\w+$/, '')} ${body}`
}

function answered({ status, headers, body }: SimulatedAnswer, totalMs: number): EgressAnswer {
  return {
    kind: 'answered',
    status,
    headers,
    body: Buffer.from(body),
    truncated: false,
    remoteAddress: '192.0.2.1',
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: totalMs, totalMs },
  }
}
