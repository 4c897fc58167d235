import type { Store } from '../../src/model/vocabulary.ts'
import type { Fault as WorldFault } from '../../src/simulate/fault.ts'
import { createRandom, type Random } from './random.ts'
import type { Behaviour } from './receivers.ts'
import type { StorageFault } from './storage-faults.ts'
import type { ConnectionFault } from './stores.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The parameters and faults of one seed. */
export type Plan = {
  readonly nodes: number
  readonly accounts: number
  readonly apps: number
  readonly hosts: number
  /** Duration of changes and faults before the drain. */
  readonly activeMs: number
  readonly reviewsPollMs: number
  readonly ratingsPollMs: number
  readonly requestsPerMinute: number
  readonly waitsMs: readonly number[]
  readonly timeoutMs: number
  readonly retentionMs: number
  readonly enrichment: boolean
  readonly reviewsPerHour: number
  /** Some reviews kill the process that enriches them. */
  readonly deadly: boolean
  /** Some reviews have no stars. */
  readonly malformedRows: boolean
  /** Number of hooks that one account creates at once, each for its own app. */
  readonly greedyHooks: number
  /** Accounts connect stores, change sources and answer reviews; null in most plans. */
  readonly connections: ConnectionsPlan | null
  readonly faults: readonly PlannedFault[]
}

/** Details of the official APIs. */
export type ConnectionsPlan = {
  /** The number of pairs of account and app that change their source. */
  readonly apps: number
  /** Whether ids of the official APIs contain the public ids, so that reviews are linked by id. Otherwise by content. */
  readonly idsMatch: boolean
  /** Whether an edit changes Apple's `createdDate`. */
  readonly editMovesDate: boolean
  /** How long Apple takes to publish an answer. */
  readonly publishDelayMs: number
  /** The share of reviews without a name, which have one of a few texts. */
  readonly namelessShare: number
  /** The age of the oldest review when the run starts. Google's official API lists reviews of the last seven days only. */
  readonly oldestReviewMs: number
  /** A time of days without a good poll; null in most plans. */
  readonly outage: Outage | null
}

/** A time of days without a good poll of the official sources, after the faults of the plan. */
export type Outage = {
  /**
   * `refused`: the official APIs refuse every request, before the processes stop and after they run again. `stopped`: only no process runs.
   */
  readonly kind: 'stopped' | 'refused'
  readonly lengthMs: number
  /** The number of reviews that people write in this time. */
  readonly reviews: number
  /** How long people act afterwards. */
  readonly afterMs: number
}

/** One fault of the schedule. `PlanOptions.without` refers to it by `id`. */
export type PlannedFault = {
  readonly id: number
  readonly fromMs: number
  readonly untilMs: number
} & FaultKind

export type FaultKind =
  | { readonly kind: 'storage'; readonly node: number | null; readonly fault: StorageFault }
  | { readonly kind: 'store_connection'; readonly store: Store; readonly fault: ConnectionFault }
  | {
      readonly kind: 'store'
      readonly store: Store
      readonly source: string | null
      readonly app: number | null
      readonly fault: WorldFault
    }
  | { readonly kind: 'receiver'; readonly host: number; readonly behaviour: Behaviour }
  /** The process is killed at `fromMs` or at one of the calls after it, and restarts at `untilMs`. */
  | {
      readonly kind: 'death'
      readonly node: number
      readonly atCall: number | null
      readonly graceful: boolean
    }
  /** With `node` null the clock of the database: on SQLite that of its process. */
  | { readonly kind: 'clock'; readonly node: number | null; readonly offsetMs: number }
  /** Another process locks the file during some calls (SQLite only). */
  | { readonly kind: 'lock'; readonly share: number }
  | { readonly kind: 'enricher'; readonly does: 'hang' | 'throw' | 'nothing' }

export type PlanOptions = {
  readonly engine: 'sqlite' | 'postgres'
  /** Replaces the random `activeMs`. */
  readonly hours?: number | undefined
  /** Ids of faults to leave out. */
  readonly without?: ReadonlySet<number>
  /** Whether accounts connect stores. Absent: in a quarter of the seeds. */
  readonly connections?: boolean | undefined
}

export function planOf(seed: number, { engine, hours, without, connections }: PlanOptions): Plan {
  const random = createRandom(seed, 'plan')
  const nodes = engine === 'sqlite' ? 1 : 1 + random.below(4)
  const length = random.next()
  const drawnMs =
    length < 0.8
      ? random.between(2, 6) * MINUTE_MS
      : length < 0.98
        ? random.between(6, 20) * MINUTE_MS
        : random.between(0.5, 3) * HOUR_MS
  const activeMs = hours === undefined ? drawnMs : hours * HOUR_MS
  const shape = {
    nodes,
    accounts: 1 + random.below(3),
    apps: 1 + random.below(3),
    hosts: 1 + random.below(3),
    activeMs,
    reviewsPollMs: Math.round(random.between(20, 90)) * SECOND_MS,
    ratingsPollMs: Math.round(random.between(30, 120)) * SECOND_MS,
    requestsPerMinute: random.pick([30, 60, 120, 600]),
    waitsMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS].slice(0, 1 + random.below(4)),
    timeoutMs: random.pick([5, 10, 15]) * SECOND_MS,
    retentionMs: random.chance(0.3) ? random.between(30, 120) * MINUTE_MS : 90 * DAY_MS,
    enrichment: random.chance(0.7),
    reviewsPerHour: random.between(100, 1500),
    deadly: random.chance(0.15),
    malformedRows: random.chance(0.2),
    greedyHooks: 0,
    connections: null,
  }
  if (random.chance(0.03)) return greedy(shape, random)
  const faults = faultsOf(random.fork('faults'), shape)
  const plan = { ...shape, faults: faults.filter(({ id }) => without?.has(id) !== true) }
  const connecting = random.fork('connections')
  return (connections ?? connecting.chance(CONNECTED_SHARE))
    ? connected(plan, connecting.fork('details'))
    : plan
}

const CONNECTED_SHARE = 0.25
const OUTAGE_SHARE = 0.3

/** The age of the oldest review in most plans. */
export const OLDEST_REVIEW_MS = 2 * DAY_MS

/** `plan` with connected stores. */
export function connected(plan: Plan, random: Random): Plan {
  const idsMatch = random.chance(0.6)
  const outages = random.fork('outage')
  const outage = outages.chance(OUTAGE_SHARE) ? outageOf(outages) : null
  return {
    ...plan,
    // Reviews whose texts retention has deleted cannot be linked by content.
    retentionMs: idsMatch && outage === null ? plan.retentionMs : 90 * DAY_MS,
    connections: {
      outage,
      idsMatch,
      apps: 1 + random.below(3),
      editMovesDate: random.chance(0.3),
      publishDelayMs: random.chance(0.3) ? MINUTE_MS : 0,
      namelessShare: idsMatch && random.chance(0.6) ? 0.5 : 0,
      oldestReviewMs: random.chance(0.5) ? OLDEST_REVIEW_MS : 14 * DAY_MS,
    },
  }
}

function outageOf(random: Random): Outage {
  return {
    kind: random.pick(['stopped', 'refused']),
    lengthMs: random.pick([random.between(5.5, 6.9), random.between(7, 9), random.between(9, 20)]) * DAY_MS,
    reviews: 10 + random.below(50),
    afterMs: random.between(1, 4) * MINUTE_MS,
  }
}

/** One account has very many hooks, another a few. There are no faults, so that the wait of a feed is limited. */
function greedy(shape: Shape, random: Random): Plan {
  return {
    ...shape,
    activeMs: Math.min(shape.activeMs, 12 * MINUTE_MS) + 5 * MINUTE_MS,
    apps: 1,
    requestsPerMinute: 60,
    reviewsPerHour: 100,
    deadly: false,
    malformedRows: false,
    greedyHooks: 200 + random.below(200),
    faults: [],
  }
}

/** Draws the faults and their durations. A tenth of all seeds has no faults. */
function faultsOf(random: Random, shape: Omit<Plan, 'faults'>): PlannedFault[] {
  if (random.chance(0.1)) return []
  const kinds = KINDS.filter(() => random.chance(0.6))
  if (kinds.length === 0) return []
  const count = Math.ceil((shape.activeMs / MINUTE_MS) * random.between(0.2, 3))
  return Array.from({ length: Math.min(count, 300) }, (_, id) => {
    const one = random.fork(String(id))
    const fromMs = one.between(0, shape.activeMs)
    const fault = one.pick(kinds)(one, shape)
    const durationMs = fault.kind === 'death' ? one.between(0, 60) * SECOND_MS : durationMsOf(one)
    return { id, fromMs, untilMs: Math.min(fromMs + durationMs, shape.activeMs), ...fault }
  })
}

function durationMsOf(random: Random): number {
  return random.chance(0.8) ? random.between(0.2, 40) * SECOND_MS : random.between(1, 6) * MINUTE_MS
}

type Shape = Omit<Plan, 'faults'>

const KINDS: readonly ((random: Random, shape: Shape) => FaultKind)[] = [
  (random, { nodes }) => ({
    kind: 'storage',
    node: random.chance(0.5) ? null : random.below(nodes),
    fault: storageFault(random),
  }),
  (random) => ({
    kind: 'store_connection',
    store: random.pick(['apple', 'google']),
    fault: random.pick(['timeout', 'reset', 'frozen']),
  }),
  (random, { apps }) => ({
    kind: 'store',
    store: random.pick(['apple', 'google']),
    source: random.chance(0.5)
      ? null
      : random.pick(['rss', 'web', 'row', 'page', 'lookup', 'batchexecute', 'details']),
    app: random.chance(0.5) ? null : random.below(apps),
    fault: worldFault(random),
  }),
  (random, { hosts, timeoutMs }) => ({
    kind: 'receiver',
    host: random.below(hosts),
    behaviour: behaviour(random, timeoutMs),
  }),
  (random, { nodes }) => ({
    kind: 'death',
    node: random.below(nodes),
    atCall: random.chance(0.7) ? random.below(40) : null,
    graceful: random.chance(0.2),
  }),
  (random, { nodes }) => ({
    kind: 'clock',
    node: random.below(nodes),
    offsetMs:
      random.pick([1, -1]) * random.pick([3 * SECOND_MS, 2 * MINUTE_MS, HOUR_MS, 25 * HOUR_MS, 400 * DAY_MS]),
  }),
  (random) => ({ kind: 'lock', share: random.between(0.01, 0.1) }),
  (random) => ({ kind: 'enricher', does: random.pick(['hang', 'throw', 'nothing']) }),
]

function storageFault(random: Random): StorageFault {
  return random.pick<StorageFault>([
    { kind: 'down' },
    { kind: 'ambiguous', share: random.between(0.05, 0.6) },
    { kind: 'flaky', share: random.between(0.05, 0.6) },
    { kind: 'slow', msMax: random.between(10, 3000) },
    { kind: 'stall' },
    { kind: 'full' },
  ])
}

function worldFault(random: Random): WorldFault {
  return random.pick<WorldFault>([
    { kind: 'status', status: random.pick([403, 429, 503, 500]), retryAfterSeconds: random.below(120) },
    { kind: 'status', status: random.pick([403, 429, 503, 500]) },
    { kind: 'transient_empty' },
    { kind: 'hole', page: 1 + random.below(2) },
    { kind: 'empty_shell' },
    { kind: 'null_payload' },
    { kind: 'gateway_error' },
    { kind: 'zero_rating' },
    { kind: 'changed' },
    { kind: 'html' },
    { kind: 'captcha' },
    { kind: 'slow', delayMs: random.between(1, 30) * SECOND_MS },
    { kind: 'drop' },
    { kind: 'gone' },
  ])
}

function behaviour(random: Random, timeoutMs: number): Behaviour {
  return random.pick<Behaviour>([
    { kind: 'status', status: random.pick([500, 502, 404, 401, 301, 400]), retryAfter: null },
    {
      kind: 'status',
      status: random.pick([429, 503]),
      retryAfter: random.pick(['3', '60', '-5', 'soon', '1e9', '', 'Thu, 01 Jan 1970 00:00:00 GMT']),
    },
    { kind: 'status', status: 410, retryAfter: null },
    { kind: 'refused' },
    { kind: 'reset_before' },
    { kind: 'reset_after' },
    { kind: 'hang' },
    { kind: 'tarpit', ms: random.between(0.3, 0.95) * timeoutMs },
    { kind: 'tarpit', ms: random.between(0.3, 0.95) * timeoutMs },
  ])
}
