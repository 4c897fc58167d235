import type { NamedSourceHealth } from '../../../src/model/source-health.ts'
import { createApple } from '../../../src/pipeline/appstores/apple/apple.ts'
import { createStorePace } from '../../../src/pipeline/collect/pace.ts'
import { pollLoop } from '../../../src/pipeline/collect/poll-loop.ts'
import { createPollPlanner } from '../../../src/pipeline/collect/poll-planner.ts'
import { pollReviews } from '../../../src/pipeline/collect/poll-reviews.ts'
import { referenceCheckLoop } from '../../../src/pipeline/collect/reference-check.ts'
import { POLL_SETTINGS, type PollSettings } from '../../../src/pipeline/collect/schedule.ts'
import { createStoreSources } from '../../../src/pipeline/collect/store-sources.ts'
import { detectReviews } from '../../../src/pipeline/detect/detect-reviews.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { instantOf } from '../../../src/runtime/instant.ts'
import type { Loop } from '../../../src/runtime/loop.ts'
import { createWorld } from '../../../src/simulate/world.ts'
import { hookOf, watchOf } from '../../../src/storage/conformance/samples.ts'
import type { Storage } from '../../../src/storage/port/storage.ts'
import { openSqlite } from '../../../src/storage/sqlite/open.ts'
import { silentMeter } from '../../support/silent-meter.ts'
import type { Engine } from '../engines.ts'
import { createRandom } from '../random.ts'
import { appIdOf, createArrivals, MARKET } from './arrivals.ts'
import { changesOf, DRAIN_MS, type MonthPlan, REFERENCE_APP } from './month.ts'
import { openMonthStore } from './store.ts'

const MINUTE_MS = 60_000
const NODES = 2
/** The default setting for Apple. */
const REQUESTS_PER_MINUTE = 20
const LEASE_MS = 10 * MINUTE_MS

export type Warning = {
  readonly event: string
  readonly source: string
  readonly fault: string
  atMs: number[]
}

export type MonthResult = {
  readonly requests: Readonly<Record<string, number>>
  readonly total: number
  /** Requests by day from the start. */
  readonly daily: readonly number[]
  /** How often the store began to throttle. */
  readonly throttles: number
  readonly polls: number
  readonly reviews: number
  /** Shown by a source and not stored, or stored without the event. */
  readonly lost: readonly string[]
  readonly repeated: number
  readonly meanDelayMinutes: number
  readonly p95DelayMinutes: number
  readonly warnings: readonly Warning[]
  /** Milliseconds from each change to the first warning of it; null without one. */
  readonly reportedAfterMs: Readonly<Record<string, number | null>>
  /** Feeds that store a fault of their source, at the end. */
  readonly faultyFeeds: number
  readonly health: readonly NamedSourceHealth[]
}

/** Polls the feeds of the month by two nodes, with the real client, rules and storage. */
export async function runMonth(
  engine: Engine,
  plan: MonthPlan,
  settings: PollSettings = POLL_SETTINGS.reviews,
): Promise<MonthResult> {
  let nowMs = plan.fromMs
  const clock: Clock = {
    now: () => instantOf(Math.floor(nowMs)),
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
  }
  const random = createRandom(plan.seed, 'month')
  const world = createWorld()
  const arrivals = createArrivals(plan, world, random.fork('reviews'))
  const store = openMonthStore(
    plan,
    world,
    {
      nowMs: () => nowMs,
      pass: (ms) => {
        nowMs += ms
        arrivals.showUntil(nowMs)
      },
    },
    random.fork('store'),
  )
  await using installation = await engine.createInstallation(clock)
  const { file } = installation
  // Nothing waits for a disk.
  await using storage: Storage =
    file === null ? installation.storage : await openSqlite({ file, clock, durable: false })
  await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: clock.now() })
  for (let feed = 0; feed < plan.feeds; feed += 1) {
    const hook = hookOf({ createdAt: clock.now() })
    await storage.hooks.create(hook, [watchOf(hook, { appId: appIdOf(feed), storefronts: [MARKET] })])
  }

  const seen = createSeen()
  const warnings = new Map<string, Warning>()
  let polls = 0
  const warn = (event: string, fields: Record<string, unknown> = {}) => {
    const { source = '', fault = fields.reason ?? fields.outcome ?? '' } = fields
    const key = `${event} ${source} ${fault}`
    const warning = warnings.get(key) ?? { event, source: String(source), fault: String(fault), atMs: [] }
    warning.atMs.push(nowMs)
    warnings.set(key, warning)
  }
  const log = {
    debug: () => {},
    info: (event: string) => {
      if (event === 'feed.polled') polls += 1
    },
    warn,
    error: (event: string, fields: Record<string, unknown> = {}) => {
      throw new Error(event, { cause: fields.error ?? fields })
    },
  }

  function startNode(node: number): readonly Loop[] {
    const appStore = createApple({
      egress: store.egress,
      itunesUrl: 'https://itunes.test',
      webUrl: 'https://apps.test',
      log,
    })
    const ofNode = random.fork(`node ${node}`)
    const pace = createStorePace(
      { storage: storage.pace, clock, random: ofNode.next },
      'apple',
      REQUESTS_PER_MINUTE,
    )
    const deps = {
      appStore,
      storage,
      clock,
      pace,
      random: ofNode.next,
      log,
      meter: silentMeter,
      onOccurrences: () => {},
    }
    const storeSources = createStoreSources({ ...deps, storage: storage.sourceHealth }, appStore)
    const detect: typeof detectReviews = (fetched, known) => {
      const changes = detectReviews(fetched, known)
      seen.add(changes.occurrences, nowMs)
      return changes
    }
    const pollDeps = {
      ...deps,
      storeSources,
      detect,
      plan: createPollPlanner(deps, settings, REQUESTS_PER_MINUTE),
    }
    let leases = 0
    const newLease = () => {
      leases += 1
      return `lease_${node}_${leases}`
    }
    return [
      referenceCheckLoop({ ...deps, storeSources, feeds: storage.feeds }, REFERENCE_APP),
      pollLoop(
        { ...deps, newLease, wake: () => {} },
        { leaseMs: LEASE_MS, idleMs: MINUTE_MS, pollsMax: 1 },
        'reviews',
        async ([feed], signal) => {
          if (feed !== undefined)
            await pollReviews(
              pollDeps,
              { poll: settings, leaseMs: LEASE_MS, enrichWaitMs: null },
              feed,
              signal,
            )
        },
      ),
    ]
  }

  const loops = Array.from({ length: NODES }, (_, node) => startNode(node)).flat()
  const idleUntilMs = new Map<Loop, number>()
  const never = new AbortController().signal
  while (nowMs < plan.untilMs + DRAIN_MS) {
    arrivals.showUntil(nowMs)
    for (const loop of loops) {
      if ((idleUntilMs.get(loop) ?? 0) > nowMs) continue
      const result = await loop.pass(never)
      await loop.finish?.()
      if (result === 'idle') idleUntilMs.set(loop, nowMs + loop.idleMs)
    }
    const nextMs = Math.min(...loops.map((loop) => idleUntilMs.get(loop) ?? 0))
    nowMs = Math.max(nowMs, nextMs)
  }

  const stored = await storedReviews(installation)
  const lost = arrivals.all.filter(
    ({ reviewId, writtenMs }) => !stored.has(reviewId) || (writtenMs >= plan.fromMs && !seen.has(reviewId)),
  )
  const delays = arrivals.all
    .flatMap(({ reviewId, shownFromMs }) => {
      const foundMs = seen.atMs(reviewId)
      return foundMs === null ? [] : [(foundMs - shownFromMs) / MINUTE_MS]
    })
    .sort((a, b) => a - b)
  const requests = store.requests()
  const reported = [...warnings.values()]
  return {
    requests,
    total: Object.values(requests).reduce((sum, count) => sum + count, 0),
    daily: store.daily(),
    throttles: store.throttles(),
    polls,
    reviews: arrivals.all.length,
    lost: lost.map(({ appId, reviewId }) => `${appId} ${reviewId}`),
    repeated: seen.repeated(),
    meanDelayMinutes: delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
    p95DelayMinutes: delays[Math.floor(delays.length * 0.95)] ?? 0,
    warnings: reported,
    reportedAfterMs: plan.faults ? reportedAfter(plan, reported) : {},
    faultyFeeds: await countFaulty(storage, plan.feeds),
    health: await storage.sourceHealth.list('apple'),
  }
}

/** Reviews that became events. */
function createSeen() {
  const foundAtMs = new Map<string, number>()
  let repeated = 0
  return {
    add(occurrences: readonly { readonly reviewId: string }[], nowMs: number): void {
      for (const { reviewId } of occurrences) {
        if (foundAtMs.has(reviewId)) repeated += 1
        else foundAtMs.set(reviewId, nowMs)
      }
    },
    has: (reviewId: string) => foundAtMs.has(reviewId),
    atMs: (reviewId: string) => foundAtMs.get(reviewId) ?? null,
    repeated: () => repeated,
  }
}

async function storedReviews(installation: {
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}): Promise<ReadonlySet<string>> {
  const rows = await installation.rows('select review_id from reviews')
  return new Set(rows.map(({ review_id }) => String(review_id)))
}

async function countFaulty(storage: Storage, feeds: number): Promise<number> {
  const unusual = await storage.feeds.unusual({ limit: feeds })
  return unusual.filter(({ sources }) => sources.frozen !== null).length
}

function reportedAfter(plan: MonthPlan, warnings: readonly Warning[]): Record<string, number | null> {
  return Object.fromEntries(
    Object.values(changesOf(plan)).map(({ name, atMs, sources, fault }) => {
      const times = warnings
        .filter((warning) => sources.includes(warning.source) && warning.fault === fault)
        .flatMap((warning) => warning.atMs.filter((reportedMs) => reportedMs >= atMs))
      return [name, times.length === 0 ? null : Math.min(...times) - atMs]
    }),
  )
}
