import type { World } from '../../src/simulate/world.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Ablation } from './ablations.ts'
import { checkRequest } from './check-request.ts'
import type { StorageCheck } from './check-storage.ts'
import type { Installation } from './engines.ts'
import { type Ledger, reviewKey, showAgain } from './ledger.ts'
import { type SimulatedNode, startNode } from './node.ts'
import { createNodeClock } from './node-clock.ts'
import type { Plan, PlannedFault } from './plan.ts'
import type { Random } from './random.ts'
import { accepts, arrives, type Behaviour, responseOf, targetOf } from './receivers.ts'
import type { Scheduler } from './scheduler.ts'
import { fateOf } from './storage-faults.ts'
import { createStoreLimit } from './store-limit.ts'
import { openStores, type ShownAnswer } from './stores.ts'
import type { Trace } from './trace.ts'
import type { Troubles } from './troubles.ts'
import { wire } from './wire.ts'

export type NodesDeps = {
  readonly plan: Plan
  readonly ledger: Ledger
  readonly world: World
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly random: Random
  readonly installation: Installation
  readonly troubles: Troubles
  readonly ablation: Ablation
  readonly onExecuted: StorageCheck['executed']
}

/** The processes of one installation: each dies and starts again as the schedule says. */
export type Nodes = {
  readonly begin: () => Promise<void>
  /** Those that have started and live. */
  readonly ready: () => SimulatedNode[]
  readonly suffer: (fault: PlannedFault & { kind: 'death' | 'clock' }) => void
  /** Sets all clocks right, starts what is dead, and lets nothing die any more but by itself. */
  readonly heal: () => Promise<void>
  readonly end: () => Promise<void>
  /** To receivers. */
  readonly requests: () => number
}

/** A process that ended by itself is started again after this, as by systemd. */
const RESTART_MS = 2_000
/** Deaths by one review: three tries, and one more for a try whose count was not stored. */
const DEADLY_MAX = 4
/** Calls after which other nodes may have something to do. */
const WRITES_WORK =
  /^(occurrences\.(fanOut|commitEnrichment)|feeds\.commit|deliveries\.settle|hooks\.|dead\.)/

type Place = {
  node: SimulatedNode | null
  storage: Storage | null
  starts: number
  downMs: number
  offsetMs: number
}

export function createNodes(deps: NodesDeps): Nodes {
  const { plan, ledger, scheduler, trace, random, installation, troubles, ablation } = deps
  const places: Place[] = Array.from({ length: plan.nodes }, () => ({
    ...{ node: null, storage: null, starts: 0, downMs: RESTART_MS, offsetMs: 0 },
  }))
  const wires = random.fork('wires')
  const wakes = random.fork('wakes')
  const fates = random.fork('fates')
  const shown = new Map<string, ShownAnswer>()
  const deathsByText = new Map<string, number>()
  const onStoreRequest = createStoreLimit(ledger, plan.requestsPerMinute, scheduler.nowMs)
  let requests = 0
  let ended = false

  async function start(index: number, place: Place): Promise<void> {
    await place.storage?.[Symbol.asyncDispose]()
    place.starts += 1
    const name = `node${index}.${place.starts}`
    const life = { alive: true }
    const machine = createNodeClock(scheduler, () => life.alive)
    machine.setOffset(place.offsetMs)
    const opened = await installation.open(machine)
    place.storage = opened
    place.node = startNode({
      ...{ name, plan, ledger, scheduler, trace, machine, life },
      random: random.fork(name),
      storage: ablation.storage?.(opened, installation) ?? opened,
      withoutTimekeeper: ablation.withoutTimekeeper ?? false,
      fateOf: (call) => fateOf(call, troubles.storageOf(index), scheduler.nowMs(), fates),
      lockShare: troubles.lockShare,
      file: installation.file,
      lockRandom: fates,
      onExecuted(node, call) {
        deps.onExecuted(node, call)
        if (WRITES_WORK.test(call.name)) wakeOthers(index)
      },
      openStores: (isAlive) =>
        openStores({
          ...{ world: deps.world, scheduler, isAlive, shown, random: wires },
          troubleOf: troubles.wayTo,
          onStale: (store, request, shownAtMs) =>
            showAgain(ledger, store, request, shownAtMs, scheduler.nowMs()),
          onRequest: (store) => {
            trace.note(`${name} asks ${store}`)
            onStoreRequest(store)
          },
        }),
      openTargets: (isAlive) =>
        wire({
          ...{ scheduler, isAlive, random: wires },
          respond(request) {
            const { host, hookId } = targetOf(request)
            const behaviour = troubles.behaviourOf(host)
            const event = checkRequest(ledger, request, hookId, scheduler.nowMs())
            requests += 1
            endsTrigger(ledger, hookId, behaviour)
            trace.note(`${name} sends ${event?.about} to ${hookId}: ${behaviour.kind}`)
            if (event !== null && arrives(behaviour) && accepts(behaviour)) event.accepted = true
            return responseOf(behaviour, wires)
          },
        }),
      enricherTrouble: troubles.enricher,
      isDeadly: ({ store, appId, reviewId }) => ledger.deadlyReviews.has(reviewKey(store, appId, reviewId)),
      onDeadly({ store, appId, reviewId, body }) {
        const key = reviewKey(store, appId, reviewId)
        // Another text is read anew, and a node may hold the old one for a while after an edit.
        const deaths = (deathsByText.get(`${key} ${body}`) ?? 0) + 1
        deathsByText.set(`${key} ${body}`, deaths)
        if (deaths > DEADLY_MAX)
          ledger.violate('enrichment_endless', `review ${key} ended ${deaths} processes`)
      },
    })
    watch(index, place, place.node)
  }

  /** Looks once a second whether the process lives, and starts the next one a while after its death. */
  function watch(index: number, place: Place, node: SimulatedNode): void {
    scheduler.after(1_000, () => {
      if (ended || place.node !== node) return
      if (node.isAlive()) return watch(index, place, node)
      const { downMs } = place
      place.node = null
      place.downMs = RESTART_MS
      scheduler.after(downMs, async () => {
        if (!ended && place.node === null) await start(index, place)
      })
    })
  }

  function wakeOthers(index: number): void {
    places.forEach(({ node }, other) => {
      if (node === null || other === index || !wakes.chance(0.5)) return
      scheduler.after(wakes.between(1, 100), node.wake)
    })
  }

  return {
    async begin() {
      for (const [index, place] of places.entries()) await start(index, place)
    },
    ready: () =>
      places.flatMap(({ node }) => (node?.isAlive() === true && node.running() !== null ? [node] : [])),
    suffer(fault) {
      const place = places[fault.node]
      if (place === undefined) return
      const { node } = place
      if (fault.kind === 'clock') {
        place.offsetMs = fault.offsetMs
        node?.jump(fault.offsetMs)
        scheduler.after(fault.untilMs - fault.fromMs, () => {
          place.offsetMs = 0
          place.node?.jump(0)
        })
        return
      }
      if (node === null || !node.isAlive()) return
      place.downMs = fault.untilMs - fault.fromMs
      const flow = node.running()?.flow
      if (fault.graceful && flow !== undefined) {
        trace.note(`${node.name} stops`)
        void flow.stop(10_000).then(() => node.kill())
      } else if (fault.atCall === null) node.kill()
      else node.killAtCall(fault.atCall, fault.atCall % 2 === 0 ? 'before' : 'after')
    },
    async heal() {
      for (const [index, place] of places.entries()) {
        place.offsetMs = 0
        place.downMs = RESTART_MS
        place.node?.jump(0)
        if (place.node === null) await start(index, place)
      }
    },
    async end() {
      ended = true
      for (const { node, storage } of places) {
        node?.kill()
        await storage?.[Symbol.asyncDispose]()
      }
    },
    requests: () => requests,
  }
}

/** A hook of a platform is gone after a 410; what happens until somebody resumes it is not owed. */
function endsTrigger(ledger: Ledger, hookId: string, behaviour: Behaviour): void {
  const hook = ledger.hooks.get(hookId)
  if (hook?.source === 'zapier' && behaviour.kind === 'status' && behaviour.status === 410)
    hook.obliged = false
}
