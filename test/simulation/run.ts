import { expireAfterMsOf } from '../../src/pipeline/send/after-attempt.ts'
import { createWorld } from '../../src/simulate/world.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { ABLATIONS, type Ablation, NO_DEFECT } from './ablations.ts'
import { scheduleFaults } from './active-faults.ts'
import { lostAnswers } from './answers.ts'
import { lostDrops, lostReviews, remainingWork } from './check-end.ts'
import {
  checkDueTimes,
  checkExpired,
  checkLiveInvariants,
  checkRetention,
  createStarvationCheck,
} from './check-live.ts'
import { createStorageCheck } from './check-storage.ts'
import { createCustomers } from './customers.ts'
import type { Engine } from './engines.ts'
import { createLedger } from './ledger.ts'
import { createNodeClock } from './node-clock.ts'
import { createNodes } from './nodes.ts'
import { createOfficialStore, OFFICIAL_LAG_MS_MAX, type OfficialStore } from './official-store.ts'
import { checkNoAlarms, enableAlerts, sufferOutage } from './outage.ts'
import { createOwners } from './owners.ts'
import { type Outage, type Plan, planOf } from './plan.ts'
import { createRandom, type Random } from './random.ts'
import { appIdOf, createReviewers } from './reviewers.ts'
import { createScheduler } from './scheduler.ts'
import { createTrace } from './trace.ts'
import { Violation } from './violation.ts'

export type RunOptions = {
  readonly hours?: number | undefined
  readonly without?: ReadonlySet<number>
  readonly print?: ((line: string) => void) | null
  /** The name of a defect in `ABLATIONS`. */
  readonly ablate?: string | undefined
  /** Runs the plan of the defect without the defect. A seed that detects the defect must pass here. */
  readonly control?: boolean
  /** Whether accounts connect stores. Absent: in a quarter of the seeds. */
  readonly connections?: boolean | undefined
}

export type RunResult = {
  readonly seed: number
  readonly plan: Plan
  readonly violation: Violation | null
  readonly hash: string
  readonly tail: readonly string[]
  readonly simulatedMs: number
  readonly events: number
  readonly requests: number
  /** Pairs of hook and review that an outage of more than seven days lost. */
  readonly lostByOutage: number
}

const START_MS = Date.parse('2026-03-01T12:00:00Z')
/** Customers stop this long before the drain, so that their last changes are done by then. */
const CUSTOMERS_STOP_MS = 40_000
/** Interval between checks whether a run has drained. */
const CHECK_INTERVAL_MS = 15_000
/** A day for the longest retry wait, and two hours. */
const DRAIN_MS_MAX = 26 * 3_600_000
/** Feeds have much shorter intervals and backoffs in every plan. */
const FEEDS_DRAIN_MS_MAX = 2 * 3_600_000

/** Simulates one seed from an empty installation to the end of its drain. */
export async function runSeed(engine: Engine, seed: number, options: RunOptions = {}): Promise<RunResult> {
  const ablation = ablationOf(options.ablate)
  const planned = planOf(seed, {
    ...{ engine: engine.name, hours: options.hours, without: options.without },
    connections: options.connections,
  })
  const plan = ablation.plan?.(planned, createRandom(seed, 'ablation')) ?? planned
  const defect = options.control === true ? NO_DEFECT : ablation
  const scheduler = createScheduler(START_MS)
  const trace = createTrace(scheduler.nowMs, options.print ?? null)
  const random = createRandom(seed, 'run')
  const ledger = createLedger()
  const world = createWorld()
  const trueClock = createNodeClock(scheduler, () => true)
  await using installation = await engine.createInstallation(trueClock)
  const base: Storage = installation.storage
  const expireAfterMs = expireAfterMsOf(plan.waitsMs)
  const storageCheck = createStorageCheck(ledger, scheduler.nowMs)

  const official =
    plan.connections === null
      ? null
      : createOfficialStore({
          ...{ plan: plan.connections, ledger, scheduler, random: random.fork('official') },
          hidesAnswers: defect.hidesAnswers ?? false,
        })

  const activeFaults = scheduleFaults({
    ...{ plan, world, officialWorld: official?.world ?? null },
    scheduler,
    trace,
    onNodeFault: (fault) => nodes.inject(fault),
  })
  const nodes = createNodes({
    ...{ plan, ledger, world, official, scheduler, trace, random, installation, activeFaults },
    ablation: defect,
    onExecuted: storageCheck.executed,
  })
  // The names of random streams are part of a seed: another name changes every run.
  const reviewers = createReviewers({
    ...{ world, ledger, plan, random: random.fork('life'), scheduler, trace },
    ...{ official, officialRandom: random.fork('official life') },
  })
  const customersRandom = random.fork('people')
  const anyNodeBy = (picking: Random) => () => {
    const ready = nodes.ready()
    return ready.length === 0 ? null : picking.pick(ready)
  }
  const ownersRandom = random.fork('owners')
  const owners =
    official === null
      ? null
      : createOwners({
          ...{ plan, ledger, official, random: ownersRandom, scheduler },
          anyNode: anyNodeBy(ownersRandom),
        })
  const customers = createCustomers({
    ...{ plan, ledger, random: customersRandom, scheduler, anyNode: anyNodeBy(customersRandom) },
    onFeedsChanged: storageCheck.feedsChanged,
  })
  const modest = new Set(
    Array.from({ length: plan.apps }, (_, app) => app).flatMap((app) => [
      appIdOf('apple', app),
      appIdOf('google', app),
    ]),
  )
  const checkStarvation = createStarvationCheck(ledger, base, (appId) => modest.has(appId))

  const throwIfViolated = () => {
    const violation = ledger.violation()
    if (violation !== null) throw violation
  }
  const until = async (untilMs: number) => {
    await scheduler.runUntil(untilMs, () => ledger.violation() !== null)
    throwIfViolated()
  }

  async function liveUntil(endMs: number): Promise<void> {
    while (scheduler.nowMs() < endMs) {
      await until(Math.min(endMs, scheduler.nowMs() + CHECK_INTERVAL_MS))
      await checkDueTimes(ledger, installation, scheduler.nowMs(), plan.waitsMs)
      if (plan.greedyHooks > 0)
        await checkStarvation(scheduler.nowMs(), Math.max(plan.reviewsPollMs, plan.ratingsPollMs))
    }
  }

  /** Ends all faults and waits until every guaranteed event has arrived. */
  async function drain(): Promise<void> {
    trace.note('drain begins')
    await checkRetention(ledger, base, scheduler.nowMs(), plan.retentionMs)
    throwIfViolated()
    // Until each source shows the last changes.
    if (official !== null) await until(scheduler.nowMs() + OFFICIAL_LAG_MS_MAX * 2)
    const drainsFromMs = scheduler.nowMs()
    reviewers.removeMalformedRows()
    await nodes.recover()
    for (const hook of ledger.hooks.values()) await settleHook(hook.id)
    await owners?.retryFailing(base, trueClock.now())
    await waitUntilDrained(drainsFromMs)
    const unanswered = await lostAnswers(ledger, base)
    if (unanswered.length > 0)
      throw new Violation('answer_lost', unanswered.slice(0, 3).join('; '), unanswered)
    const lost = await lostReviews(ledger, base)
    if (lost.length > 0) throw new Violation('nothing_lost', lost.slice(0, 3).join('; '), lost)

    reviewers.dropAllRatings()
    await until(scheduler.nowMs() + plan.ratingsPollMs * 1.2)
    await waitUntilDrained(scheduler.nowMs() - plan.ratingsPollMs * 0.1)
    const drops = await lostDrops(ledger, base)
    if (drops.length > 0) throw new Violation('nothing_lost', drops.slice(0, 3).join('; '), drops)
    await checkLiveInvariants(ledger, base, trueClock.now(), expireAfterMs)
    await checkNoAlarms(ledger, base, trueClock.now())
    await checkRetention(ledger, base, scheduler.nowMs(), plan.retentionMs)
    await checkExpired(ledger, base, scheduler.nowMs(), expireAfterMs)
    throwIfViolated()
  }

  async function settleHook(id: string): Promise<void> {
    const hook = ledger.hooks.get(id)
    if (hook === undefined) return
    const now = trueClock.now()
    const stored = await base.hooks.get(hook.accountId, id)
    if (stored?.status === 'paused') await base.hooks.setStatus(hook.accountId, id, 'active', now)
    hook.state = stored === null ? 'deleted' : stored.status === 'gone' ? 'gone' : 'active'
    hook.changedAtMs = scheduler.nowMs()
    storageCheck.feedsChanged()
  }

  async function waitUntilDrained(sinceMs: number): Promise<void> {
    const startedMs = scheduler.nowMs()
    while (true) {
      await until(scheduler.nowMs() + CHECK_INTERVAL_MS)
      const { queues, feeds } = await remainingWork(ledger, base, trueClock.now(), sinceMs)
      const left = [...queues, ...feeds]
      if (left.length === 0) return
      const waitedMs = scheduler.nowMs() - startedMs
      if (waitedMs > DRAIN_MS_MAX || (feeds.length > 0 && waitedMs > FEEDS_DRAIN_MS_MAX))
        throw new Violation('drains', left.slice(0, 5).join('; '), left)
    }
  }

  /** An outage, and some minutes afterwards. */
  async function surviveOutage(store: OfficialStore, outage: Outage): Promise<void> {
    await sufferOutage({
      ...{ outage, ledger, storage: base, official: store, now: trueClock.now, until },
      recoverNodes: nodes.recover,
      stopNodes: nodes.killAll,
      writeReviews: reviewers.start,
    })
    const afterMs = scheduler.nowMs() + outage.afterMs
    reviewers.start(afterMs)
    customers.start(afterMs - CUSTOMERS_STOP_MS)
    owners?.start(afterMs - CUSTOMERS_STOP_MS)
    await until(afterMs)
  }

  let violation: Violation | null = null
  try {
    const accounts = Array.from({ length: plan.accounts }, (_, account) => `acc_${account}`)
    for (const id of [...accounts, 'acc_greedy'])
      await base.accounts.create({ id, name: `Account ${id}`, createdAt: trueClock.now() })
    if (plan.connections !== null) await enableAlerts(base, accounts)
    reviewers.createApps()
    await nodes.start()
    await until(START_MS + 1_000)
    const firstHooks = 2 + random.below(9)
    for (let hook = 0; hook < firstHooks; hook += 1) void customers.subscribe().catch(() => {})
    const endMs = START_MS + plan.activeMs
    if (plan.greedyHooks > 0)
      scheduler.after(60_000, () => void customers.createGreedyHooks().catch(() => {}))
    reviewers.start(endMs)
    customers.start(endMs - CUSTOMERS_STOP_MS)
    owners?.start(endMs - CUSTOMERS_STOP_MS)
    await liveUntil(endMs)
    if (official !== null && plan.connections?.outage != null)
      await surviveOutage(official, plan.connections.outage)
    await drain()
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    violation = error
  }
  await nodes.stop()
  return {
    seed,
    plan,
    violation,
    hash: trace.hash(),
    tail: trace.tail(),
    simulatedMs: scheduler.nowMs() - START_MS,
    events: scheduler.events(),
    requests: nodes.requests(),
    lostByOutage: ledger.lostByOutage,
  }
}

function ablationOf(name: string | undefined): Ablation {
  if (name === undefined) return NO_DEFECT
  const ablation = ABLATIONS[name]
  if (ablation === undefined)
    throw new RangeError(`Unknown ablation "${name}". Use one of ${Object.keys(ABLATIONS).join(', ')}.`)
  return ablation
}
