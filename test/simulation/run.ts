import { createWorld } from '../../src/simulate/world.ts'
import type { Storage } from '../../src/storage/port.ts'
import { ABLATIONS } from './ablations.ts'
import { leftToDo, lostFalls, lostReviews } from './check-end.ts'
import { checkRequest } from './check-request.ts'
import { createStorageCheck } from './check-storage.ts'
import type { Engine } from './engines.ts'
import { createLedger } from './ledger.ts'
import { createLife } from './life.ts'
import { type NodeDeps, type SimulatedNode, startNode } from './node.ts'
import { createNodeClock } from './node-clock.ts'
import { createPeople } from './people.ts'
import { type Plan, type PlannedFault, planOf } from './plan.ts'
import { createRandom } from './random.ts'
import { accepts, arrives, responseOf, targetOf } from './receivers.ts'
import { createScheduler } from './scheduler.ts'
import { fateOf } from './storage-faults.ts'
import { createStoreLimit } from './store-limit.ts'
import { openStores } from './stores.ts'
import { createTrace } from './trace.ts'
import { scheduleTroubles } from './troubles.ts'
import { Violation } from './violation.ts'
import { wire } from './wire.ts'

export type RunOptions = {
  readonly hours?: number | undefined
  readonly without?: ReadonlySet<number>
  readonly print?: ((line: string) => void) | null
  /** A defect of `ABLATIONS` to put in. */
  readonly ablate?: string | undefined
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
}

const START_MS = Date.parse('2026-03-01T12:00:00Z')
/** So long before the drain people stop, so that what they asked for is done by then. */
const ANSWERED_MS = 40_000
/** Between two looks at whether a run has drained. */
const LOOK_MS = 15_000
/** Chosen: the longest wait after failures of a day, and the feeds' own. */
const DRAIN_MS_MAX = 26 * 3_600_000

/** Simulates one seed from an empty installation to the end of its drain. */
export async function runSeed(engine: Engine, seed: number, options: RunOptions = {}): Promise<RunResult> {
  const plan = planOf(seed, { engine: engine.name, hours: options.hours, without: options.without })
  const scheduler = createScheduler(START_MS)
  const trace = createTrace(scheduler.nowMs, options.print ?? null)
  const random = createRandom(seed, 'run')
  const ledger = createLedger()
  const world = createWorld()
  const trueClock = createNodeClock(scheduler, () => true)
  await using base = await engine.fresh(trueClock)
  const ablated = ablate(base, options.ablate)
  const storageCheck = createStorageCheck(ledger, scheduler.nowMs)
  const onStoreRequest = createStoreLimit(ledger, plan.requestsPerMinute, scheduler.nowMs)
  const shown = new Map()
  const nodes: (SimulatedNode | null)[] = Array.from({ length: plan.nodes }, () => null)
  const starts = nodes.map(() => 0)
  const wires = random.fork('wires')
  const wakes = random.fork('wakes')
  const fates = random.fork('fates')
  let requests = 0

  const troubles = scheduleTroubles({ plan, world, scheduler, trace, onNodeFault })

  const start = (index: number) => {
    const incarnation = (starts[index] ?? 0) + 1
    starts[index] = incarnation
    const name = `node${index}.${incarnation}`
    const deps: NodeDeps = {
      name,
      plan,
      ledger,
      scheduler,
      trace,
      random: random.fork(name),
      storage: ablated,
      fateOf: (call) => fateOf(call, troubles.storageOf(index), scheduler.nowMs(), fates),
      onExecuted(node, call) {
        storageCheck.executed(node, call)
        if (WRITES_WORK.test(call.name)) wakeOthers(index)
      },
      openStores: (isAlive) =>
        openStores({
          world,
          scheduler,
          random: wires,
          isAlive,
          shown,
          troubleOf: troubles.wayTo,
          onRequest: (store) => {
            trace.note(`${name} asks ${store}`)
            onStoreRequest(store)
          },
        }),
      openTargets: (isAlive) =>
        wire({
          scheduler,
          random: wires,
          isAlive,
          respond(request) {
            const { host, hookId } = targetOf(request)
            const behaviour = troubles.behaviourOf(host)
            const event = checkRequest(ledger, request, hookId, scheduler.nowMs())
            requests += 1
            trace.note(`${name} sends ${event?.about} to ${hookId}: ${behaviour.kind}`)
            if (event !== null && arrives(behaviour) && accepts(behaviour)) event.accepted = true
            return responseOf(behaviour, wires)
          },
        }),
      enricherTrouble: troubles.enricher,
    }
    nodes[index] = startNode(deps)
  }

  function wakeOthers(index: number): void {
    nodes.forEach((node, other) => {
      if (node === null || other === index || !wakes.chance(0.5)) return
      scheduler.after(wakes.between(1, 100), node.wake)
    })
  }

  function onNodeFault(fault: PlannedFault & { kind: 'death' | 'clock' }): void {
    const node = nodes[fault.node]
    if (node === null || node === undefined) return
    const lastsMs = fault.untilMs - fault.fromMs
    if (fault.kind === 'clock') {
      node.jump(fault.offsetMs)
      scheduler.after(lastsMs, () => node.jump(0))
      return
    }
    if (fault.graceful) {
      trace.note(`${node.name} stops`)
      void node.flow.stop(10_000).then(() => node.kill())
    } else if (fault.atCall === null) node.kill()
    else node.killAtCall(fault.atCall, fault.atCall % 2 === 0 ? 'before' : 'after')
    restartLater(fault.node, node, lastsMs)
  }

  /** Looks until the process is dead, then starts a new one after `ms`. */
  function restartLater(index: number, node: SimulatedNode, ms: number): void {
    scheduler.after(1_000, () => {
      if (nodes[index] !== node) return
      if (node.isAlive()) return restartLater(index, node, ms)
      nodes[index] = null
      scheduler.after(ms, () => {
        if (nodes[index] === null) start(index)
      })
    })
  }

  const alive = () => nodes.filter((node): node is SimulatedNode => node?.isAlive() === true)
  const life = createLife({ world, ledger, plan, random: random.fork('life'), scheduler, trace })
  const peopleRandom = random.fork('people')
  const people = createPeople({
    plan,
    ledger,
    random: peopleRandom,
    scheduler,
    anyNode: () => (alive().length === 0 ? null : peopleRandom.pick(alive())),
    onFeedsChanged: storageCheck.feedsChanged,
  })
  const broken = () => ledger.violation() !== null
  const until = async (untilMs: number) => {
    await scheduler.runUntil(untilMs, broken)
    const violation = ledger.violation()
    if (violation !== null) throw violation
  }

  /** Everybody is well again: whatever is owed must arrive. */
  async function drain(): Promise<void> {
    const drainsFromMs = scheduler.nowMs()
    trace.note('drain begins')
    nodes.forEach((node, index) => {
      node?.jump(0)
      if (node?.isAlive() !== true) start(index)
    })
    for (const hook of ledger.hooks.values()) await settleHook(hook.id)
    for (const node of alive()) node.flow.wake()
    await drained(drainsFromMs)
    const lost = await lostReviews(ledger, base)
    if (lost.length > 0) throw new Violation('nothing_lost', lost.slice(0, 3).join('; '), lost)

    life.fallEverywhere()
    await until(scheduler.nowMs() + plan.ratingsPollMs * 1.2)
    await drained(scheduler.nowMs() - plan.ratingsPollMs * 0.1)
    const falls = await lostFalls(ledger, base)
    if (falls.length > 0) throw new Violation('nothing_lost', falls.slice(0, 3).join('; '), falls)
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

  async function drained(sinceMs: number): Promise<void> {
    const untilMs = scheduler.nowMs() + DRAIN_MS_MAX
    while (true) {
      await until(scheduler.nowMs() + LOOK_MS)
      const left = await leftToDo(base, trueClock.now(), sinceMs)
      if (left.length === 0) return
      if (scheduler.nowMs() > untilMs) throw new Violation('drains', left.slice(0, 5).join('; '), left)
    }
  }

  let violation: Violation | null = null
  try {
    for (let account = 0; account < plan.accounts; account += 1) {
      await base.accounts.create({
        id: `acc_${account}`,
        name: `Account ${account}`,
        createdAt: trueClock.now(),
      })
    }
    life.begin()
    nodes.forEach((_, index) => {
      start(index)
    })
    const firsts = 2 + random.below(9)
    for (let hook = 0; hook < firsts; hook += 1) void people.subscribe().catch(() => {})
    const endMs = START_MS + plan.activeMs
    life.live(endMs)
    people.live(endMs - ANSWERED_MS)
    await until(endMs)
    await drain()
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    violation = error
  }
  for (const node of alive()) node.kill()
  return {
    seed,
    plan,
    violation,
    hash: trace.hash(),
    tail: trace.tail(),
    simulatedMs: scheduler.nowMs() - START_MS,
    events: scheduler.events(),
    requests,
  }
}

/** Calls after which other nodes may have something to do. */
const WRITES_WORK =
  /^(occurrences\.(fanOut|commitEnrichment)|feeds\.commit|deliveries\.settle|hooks\.|dead\.)/

function ablate(storage: Storage, name: string | undefined): Storage {
  if (name === undefined) return storage
  const change = ABLATIONS[name]
  if (change === undefined)
    throw new RangeError(`There is no ablation "${name}": ${Object.keys(ABLATIONS).join(', ')}.`)
  return change(storage)
}
