import { DatabaseSync } from 'node:sqlite'
import type { Review } from '../../src/model/review.ts'
import { STORES } from '../../src/model/vocabulary.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { EngineName, Installation } from './engines.ts'
import { connected, type Plan } from './plan.ts'
import type { Random } from './random.ts'

/** A deliberate defect. Checks that the simulation can find defects of this kind. */
export type Ablation = {
  /** Replaces the storage of a node. */
  readonly storage?: (storage: Storage, installation: Installation) => Storage
  /** Nodes use the clock of their machine without any check of it. */
  readonly withoutTimekeeper?: boolean
  /** Times that were computed before a step of the clock are stored unchanged after it. */
  readonly forgetsSteps?: boolean
  /** Official APIs show no answer when one review is read. */
  readonly hidesAnswers?: boolean
  /** Changes the plan so that the defect has an effect. */
  readonly plan?: (plan: Plan, random: Random) => Plan
  /**
   * By engine on which `npm test` has it: a seed that detects it within seconds. A change of the product may shift what a seed does, so
   * others are tried after it.
   */
  readonly seeds: Readonly<Partial<Record<EngineName, number>>>
  /** The invariants of which one must be violated. Default: any. */
  readonly foundAs?: readonly string[]
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export const NO_DEFECT: Ablation = { seeds: {} }

export const ABLATIONS: Readonly<Record<string, Ablation>> = {
  /** Fan-out does not store every eleventh event. */
  'lost-event': {
    seeds: { sqlite: 2 },
    storage: (storage) => {
      let events = 0
      return withPart(storage, 'occurrences', {
        fanOut: (request, decide) =>
          storage.occurrences.fanOut(request, (occurrence, candidates) =>
            decide(occurrence, candidates).filter(() => {
              events += 1
              return events % 11 !== 0
            }),
          ),
      })
    },
  },
  /** Fan-out ignores `min_stars` and `max_stars`. */
  'no-filter': {
    seeds: { sqlite: 4 },
    storage: (storage) => watchesChanged(storage, { minStars: 1, maxStars: 5 }),
  },
  /** A hook gets reviews from before its creation. */
  'events-before-hook': {
    seeds: { sqlite: 1 },
    storage: (storage) => watchesChanged(storage, { createdAt: new Date(0) }),
  },
  /** Leases of deliveries end at once. */
  'short-leases': {
    seeds: { sqlite: 4 },
    storage: (storage) =>
      withPart(storage, 'deliveries', {
        claim: (request, allocate) => storage.deliveries.claim({ ...request, leaseMs: 1 }, allocate),
      }),
  },
  /** Results of attempts are dropped. */
  'no-settle': {
    seeds: { sqlite: 4 },
    storage: (storage) => withPart(storage, 'deliveries', { settle: async () => {} }),
  },

  /** A review that kills the process is retried without limit, because claims are not counted. */
  'uncounted-attempts': {
    seeds: { sqlite: 5 },
    storage: (storage) =>
      withPart(storage, 'occurrences', {
        claimForEnrichment: async (request) =>
          (await storage.occurrences.claimForEnrichment(request)).map((review) => ({ ...review, tries: 1 })),
      }),
    plan: (plan) => ({ ...plan, enrichment: true, deadly: true, faults: [] }),
  },
  /** A wrong clock stops polls permanently and lets retention delete everything. */
  'no-timekeeper': {
    seeds: { sqlite: 6 },
    withoutTimekeeper: true,
    storage: (storage) => withPart(storage, 'time', { repair: async () => 0 }),
    plan: (plan, random) => withClock(plan, random, 400 * DAY_MS),
  },
  /**
   * Results and claims that were computed before a step of the clock are stored unchanged after it. A retry waits the length of the step.
   */
  'unmoved-retries': {
    foundAs: ['lease_stolen', 'due_too_late'],
    seeds: { sqlite: 3, postgres: 4 },
    forgetsSteps: true,
    plan: withSteps,
  },
  /** Time without a running node is always trusted, even if the clock was wrong: hooks are moved later by it. */
  'trusted-gaps': {
    seeds: { sqlite: 6 },
    storage: (storage) =>
      withPart(storage, 'time', {
        recordReading: (now, confirmMs) => storage.time.recordReading(now, confirmMs),
      }),
    plan: withGap,
  },
  /** A node whose clock is ahead takes over leases of other nodes. */
  'node-clocks': {
    foundAs: ['lease_stolen', 'due_too_late'],
    seeds: { postgres: 4 },
    withoutTimekeeper: true,
    plan: (plan, random) => withClock({ ...plan, nodes: Math.max(plan.nodes, 2) }, random, 2 * MINUTE_MS),
  },
  /** Feeds are claimed by due time only, without fairness between accounts. */
  'unfair-polls': {
    seeds: { sqlite: 3 },
    storage: (storage, { execute }) =>
      withPart(storage, 'feeds', {
        claim: async (request) => {
          await execute('delete from feed_accounts; delete from poll_turns')
          return storage.feeds.claim(request)
        },
      }),
    plan: (plan) => ({
      ...plan,
      activeMs: 15 * MINUTE_MS,
      requestsPerMinute: 15,
      greedyHooks: 100,
      apps: 1,
      // A feed that answers with malformed rows is polled rarely, which is not unfair.
      malformedRows: false,
      faults: [],
    }),
  },
  /** Reviews of two sources are not linked. */
  'unlinked-sources': {
    seeds: { sqlite: 2 },
    storage: (storage) =>
      withPart(storage, 'reviewSources', {
        commit: (poll, fetched, incomplete, enrichment, decide) =>
          storage.reviewSources.commit(poll, fetched, incomplete, enrichment, (known) =>
            decide({ ...known, publicSeen: new Set(), publicReviews: [] }),
          ),
      }),
    plan: (plan, random) => connected({ ...plan, greedyHooks: 0, faults: [] }, random),
  },
  /** After an outage of some days only reviews of the last day are events, although the official APIs still list the others. */
  'forgotten-days': {
    seeds: { sqlite: 3 },
    storage: (storage) =>
      withPart(storage, 'reviewSources', {
        commit: (poll, fetched, incomplete, enrichment, decide) =>
          storage.reviewSources.commit(poll, fetched, incomplete, enrichment, (known) => {
            const decision = decide(known)
            const sinceMs = poll.polledAt.getTime() - DAY_MS
            const isRecent = ({ occurredAt }: Review) => occurredAt.getTime() >= sinceMs
            return { ...decision, occurrences: decision.occurrences.filter(isRecent) }
          }),
      }),
    plan: (plan, random) =>
      withOutage(connected({ ...plan, greedyHooks: 0, faults: [], malformedRows: false }, random)),
  },
  /** The present answer is not read before another one is written. */
  'unread-answers': {
    seeds: { sqlite: 5 },
    hidesAnswers: true,
    plan: (plan, random) => withBrokenStores(connected({ ...plan, greedyHooks: 0, faults: [] }, random)),
  },
  /** A call that waits for a locked database file blocks the thread. */
  'busy-wait': {
    seeds: { sqlite: 3 },
    storage: (storage, { file }) =>
      withPart(storage, 'maintenance', {
        dueWork: (now) => {
          waitBusy(file)
          return storage.maintenance.dueWork(now)
        },
      }),
    plan: (plan) => ({
      ...plan,
      faults: [{ id: 0, fromMs: 5_000, untilMs: 60_000, kind: 'lock', share: 0.5 }],
    }),
  },
}

function withPart<
  Name extends 'occurrences' | 'deliveries' | 'feeds' | 'reviewSources' | 'maintenance' | 'time',
>(storage: Storage, name: Name, methods: Partial<Storage[Name]>): Storage {
  return { ...storage, [name]: { ...storage[name], ...methods } }
}

function watchesChanged(
  storage: Storage,
  change: { readonly minStars?: number; readonly maxStars?: number; readonly createdAt?: Date },
): Storage {
  return withPart(storage, 'occurrences', {
    fanOut: (request, decide) =>
      storage.occurrences.fanOut(request, (occurrence, candidates) =>
        decide(
          occurrence,
          candidates.map(({ watch, ...rest }) => ({ watch: { ...watch, ...change }, ...rest })),
        ),
      ),
  })
}

/** One node's clock is wrong for two minutes. Receivers are slow, so that leases are held meanwhile. */
function withClock(plan: Plan, random: Random, offsetMs: number): Plan {
  const fromMs = random.between(0.3, 0.5) * plan.activeMs
  return {
    ...plan,
    retentionMs: 90 * DAY_MS,
    reviewsPerHour: 1500,
    faults: [
      { id: 0, fromMs, untilMs: fromMs + 2 * MINUTE_MS, kind: 'clock', node: 0, offsetMs },
      ...Array.from({ length: plan.hosts }, (_, host) => ({
        ...{ id: host + 1, fromMs: 0, untilMs: plan.activeMs, kind: 'receiver' as const, host },
        behaviour: { kind: 'tarpit' as const, ms: plan.timeoutMs * 0.9 },
      })),
    ],
  }
}

/**
 * The clock of the database goes back by an hour for half of each minute. Receivers hang before that, so that attempts fail while it is
 * noticed, and storage is slow, so that the results of some are stored after the step.
 */
function withSteps(plan: Plan): Plan {
  const timeoutMs = 15_000
  const minutes = 5
  const steps = Array.from({ length: minutes - 1 }, (_, index) => (index + 1) * MINUTE_MS)
  const during = (fromMs: number, untilMs: number) => ({ id: fromMs, fromMs, untilMs })
  return {
    ...plan,
    ...{ activeMs: minutes * MINUTE_MS, retentionMs: 90 * DAY_MS, reviewsPerHour: 6000, apps: 1 },
    ...{ reviewsPollMs: 5_000, requestsPerMinute: 600, timeoutMs, waitsMs: [5_000, 5_000, 5_000, 5_000] },
    ...{ enrichment: false, deadly: false, malformedRows: false, greedyHooks: 0, connections: null },
    faults: steps.flatMap((atMs) => [
      {
        ...{ ...during(atMs, atMs + 30_000), kind: 'clock' as const, node: null },
        offsetMs: -60 * MINUTE_MS,
      },
      {
        ...{ ...during(atMs, atMs + 15_000), kind: 'storage' as const, node: null },
        fault: { kind: 'slow' as const, msMax: 600 },
      },
      ...Array.from({ length: plan.hosts }, (_, host) => ({
        ...{ ...during(atMs - timeoutMs, atMs), kind: 'receiver' as const, host },
        behaviour: { kind: 'hang' as const },
      })),
    ]),
  }
}

/**
 * The clock goes ahead while no process runs, comes back, and goes ahead again for a minute. By then it seems to be right, and hooks
 * created in the minutes before seem to be from a time when the clock was behind.
 */
function withGap(plan: Plan): Plan {
  const clock = { kind: 'clock', node: 0, offsetMs: 50 * MINUTE_MS } as const
  return {
    ...plan,
    activeMs: 10 * MINUTE_MS,
    retentionMs: 90 * DAY_MS,
    requestsPerMinute: 600,
    reviewsPerHour: 1500,
    deadly: false,
    faults: [
      { id: 0, fromMs: 20_000, untilMs: 30_000, kind: 'death', node: 0, atCall: null, graceful: false },
      { id: 1, fromMs: 25_000, untilMs: 40_000, ...clock },
      { id: 2, fromMs: 8 * MINUTE_MS, untilMs: 9 * MINUTE_MS, ...clock },
    ],
  }
}

/** An outage of six days, in which Google hides nothing. */
function withOutage(plan: Plan): Plan {
  const outage = { kind: 'stopped', lengthMs: 6 * DAY_MS, reviews: 200, afterMs: MINUTE_MS } as const
  return { ...plan, connections: plan.connections && { ...plan.connections, apps: 6, outage } }
}

/** The connections to both stores break for a minute, four times. */
function withBrokenStores(plan: Plan): Plan {
  return {
    ...plan,
    activeMs: 9 * MINUTE_MS,
    faults: [1, 3, 5, 7].flatMap((minute) =>
      STORES.map((store) => ({
        ...{ id: minute, fromMs: minute * MINUTE_MS, untilMs: (minute + 1) * MINUTE_MS },
        ...{ kind: 'store_connection' as const, store, fault: 'reset' as const },
      })),
    ),
  }
}

/** Blocks the thread, as SQLite does with a busy timeout. */
function waitBusy(file: string | null): void {
  if (file === null) return
  using db = new DatabaseSync(file, { timeout: 1_100 })
  try {
    db.exec('begin immediate; rollback')
  } catch {
    // Still locked. The real call follows.
  }
}
