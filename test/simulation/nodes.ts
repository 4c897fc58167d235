import { STORE_LAG_MS } from '../../src/model/review-link.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import type { World } from '../../src/simulate/world.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Ablation } from './ablations.ts'
import type { ActiveFaults } from './active-faults.ts'
import { checkRequest } from './check-request.ts'
import type { StorageCheck } from './check-storage.ts'
import { connect } from './connection.ts'
import type { Installation } from './engines.ts'
import { type Ledger, publicIdOf, recordRepeatedAnswer, reviewKey } from './ledger.ts'
import { type SimulatedNode, startNode } from './node.ts'
import { createNodeClock } from './node-clock.ts'
import type { OfficialStore } from './official-store.ts'
import type { Plan, PlannedFault } from './plan.ts'
import type { Random } from './random.ts'
import { accepts, arrives, type Behaviour, responseOf, targetOf } from './receivers.ts'
import type { Scheduler } from './scheduler.ts'
import { outcomeOf } from './storage-faults.ts'
import { createStoreLimit } from './store-limit.ts'
import { openStores, type ShownAnswer } from './stores.ts'
import type { Trace } from './trace.ts'

export type NodesDeps = {
  readonly plan: Plan
  readonly ledger: Ledger
  readonly world: World
  /** The official APIs; null without connected stores. */
  readonly official: OfficialStore | null
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly random: Random
  readonly installation: Installation
  readonly activeFaults: ActiveFaults
  readonly ablation: Ablation
  readonly onExecuted: StorageCheck['executed']
}

/** The processes of one installation. Each is killed and restarted according to the schedule. */
export type Nodes = {
  readonly start: () => Promise<void>
  /** The processes that have started and are alive. */
  readonly ready: () => SimulatedNode[]
  readonly inject: (fault: PlannedFault & { kind: 'death' | 'clock' }) => void
  /** Kills every process that is alive. It restarts after this time. */
  readonly killAll: (downMs: number) => void
  /** Corrects all clocks, starts dead processes, and stops killing processes. */
  readonly recover: () => Promise<void>
  readonly stop: () => Promise<void>
  /** The number of requests to receivers. */
  readonly requests: () => number
}

/** A process that stopped by itself restarts after this time, as with systemd. */
const RESTART_MS = 2_000
/** Maximum crashes caused by one review: three attempts, and one whose count was not stored. */
const DEADLY_MAX = 4
/** Calls after which other nodes may have work. Reads and claims create none: nodes that wake each other after them never rest. */
const CREATES_WORK =
  /^(occurrences\.(fanOut|commitEnrichment)|feeds\.commit|reviewSources\.(use|leave|commit)|replies\.request|deliveries\.settle|hooks\.(create|addToInbox|remove|set|update|add|replace|track|(un|re)sub)|deadLetters\.(replay|createReplays|setReplayStatus))/

type Place = {
  node: SimulatedNode | null
  storage: Storage | null
  starts: number
  downMs: number
  offsetMs: number
}

export function createNodes(deps: NodesDeps): Nodes {
  const { plan, ledger, scheduler, trace, random, installation, activeFaults, ablation } = deps
  const places: Place[] = Array.from({ length: plan.nodes }, () => ({
    ...{ node: null, storage: null, starts: 0, downMs: RESTART_MS, offsetMs: 0 },
  }))
  const connectionRandom = random.fork('wires')
  const wakeRandom = random.fork('wakes')
  const callRandom = random.fork('fates')
  const shown = new Map<string, ShownAnswer>()
  const deathsByText = new Map<string, number>()
  const onStoreRequest = createStoreLimit(ledger, plan.requestsPerMinute, scheduler.nowMs)
  const publicKey = (store: Store, appId: string, reviewId: string) =>
    reviewKey(store, appId, publicIdOf(ledger, store, appId, reviewId))
  let requests = 0
  let stopped = false

  async function startProcess(index: number, place: Place): Promise<void> {
    await place.storage?.[Symbol.asyncDispose]()
    place.starts += 1
    const name = `node${index}.${place.starts}`
    const processState = { alive: true }
    const machine = createNodeClock(scheduler, () => processState.alive)
    machine.setOffset(place.offsetMs)
    const opened = await installation.open(machine)
    place.storage = opened
    place.node = startNode({
      ...{ name, plan, ledger, scheduler, trace, machine, processState },
      random: random.fork(name),
      storage: ablation.storage?.(opened, installation) ?? opened,
      withoutTimekeeper: ablation.withoutTimekeeper ?? false,
      forgetsSteps: ablation.forgetsSteps ?? false,
      outcomeOf: (call) => outcomeOf(call, activeFaults.storageOf(index), scheduler.nowMs(), callRandom),
      lockShare: activeFaults.lockShare,
      file: installation.file,
      lockRandom: callRandom,
      onExecuted(node, call) {
        deps.onExecuted(node, call)
        if (CREATES_WORK.test(call.name)) wakeOthers(index)
      },
      openStores: (isAlive) =>
        openStores({
          ...{ world: deps.world, official: deps.official, scheduler, isAlive, shown },
          random: connectionRandom,
          onOfficialRequest: (store) => trace.note(`${name} requests the official API of ${store}`),
          faultOf: activeFaults.connectionTo,
          onRepeatedAnswer: (store, request, shownAtMs) =>
            recordRepeatedAnswer(ledger, store, request, shownAtMs, scheduler.nowMs()),
          onRequest: (store) => {
            trace.note(`${name} requests ${store}`)
            onStoreRequest(store)
          },
        }),
      openTargets: (isAlive) =>
        connect({
          ...{ scheduler, isAlive, random: connectionRandom },
          respond(request) {
            const { host, hookId } = targetOf(request)
            const behaviour = activeFaults.behaviourOf(host)
            const event = checkRequest(ledger, request, hookId, scheduler.nowMs())
            requests += 1
            recordGone(ledger, hookId, behaviour)
            trace.note(`${name} sends ${event?.about} to ${hookId}: ${behaviour.kind}`)
            if (event !== null && arrives(behaviour) && accepts(behaviour)) event.accepted = true
            return responseOf(behaviour, connectionRandom)
          },
        }),
      enricherFault: activeFaults.enricher,
      isDeadly: ({ store, appId, reviewId }) => ledger.deadlyReviews.has(publicKey(store, appId, reviewId)),
      onDeadly({ store, appId, reviewId, fingerprint, body }) {
        const key = publicKey(store, appId, reviewId)
        // An edited text is enriched again, and a node may hold the old one for a while. Each source has its own review.
        const deaths = (deathsByText.get(`${fingerprint} ${body}`) ?? 0) + 1
        deathsByText.set(`${fingerprint} ${body}`, deaths)
        if (deaths > DEADLY_MAX)
          ledger.violate('enrichment_endless', `review ${key} stopped ${deaths} processes`)
      },
    })
    restartAfterDeath(index, place, place.node)
  }

  /** Checks once per second whether the process is alive, and restarts it `downMs` after its death. */
  function restartAfterDeath(index: number, place: Place, node: SimulatedNode): void {
    scheduler.after(1_000, () => {
      if (stopped || place.node !== node) return
      if (node.isAlive()) return restartAfterDeath(index, place, node)
      const { downMs } = place
      place.node = null
      place.downMs = RESTART_MS
      scheduler.after(downMs, async () => {
        if (!stopped && place.node === null) await startProcess(index, place)
      })
    })
  }

  function wakeOthers(index: number): void {
    places.forEach(({ node }, other) => {
      if (node === null || other === index || !wakeRandom.chance(0.5)) return
      scheduler.after(wakeRandom.between(1, 100), node.wake)
    })
  }

  return {
    async start() {
      for (const [index, place] of places.entries()) await startProcess(index, place)
    },
    ready: () =>
      places.flatMap(({ node }) => (node?.isAlive() === true && node.running() !== null ? [node] : [])),
    inject(fault) {
      if (fault.kind === 'clock' && fault.node === null && installation.file === null) {
        ledger.clockWasDaysWrong ||= Math.abs(fault.offsetMs) > STORE_LAG_MS / 2
        trace.note(`the clock of the database is ${fault.offsetMs} ms ahead`)
        installation.setClockOffset(fault.offsetMs)
        scheduler.after(fault.untilMs - fault.fromMs, () => installation.setClockOffset(0))
        return
      }
      const place = places[fault.node ?? 0]
      if (place === undefined) return
      const { node } = place
      if (fault.kind === 'clock') {
        if (installation.file !== null && Math.abs(fault.offsetMs) > STORE_LAG_MS / 2)
          ledger.clockWasDaysWrong = true
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
    killAll(downMs) {
      for (const place of places) {
        place.downMs = downMs
        place.node?.kill()
      }
    },
    async recover() {
      installation.setClockOffset(0)
      for (const [index, place] of places.entries()) {
        place.offsetMs = 0
        place.downMs = RESTART_MS
        place.node?.jump(0)
        if (place.node === null) await startProcess(index, place)
      }
    },
    async stop() {
      stopped = true
      for (const { node, storage } of places) {
        node?.kill()
        await storage?.[Symbol.asyncDispose]()
      }
    },
    requests: () => requests,
  }
}

/** A hook of a platform is gone after a 410. Events until its owner resumes it need not reach it. */
function recordGone(ledger: Ledger, hookId: string, behaviour: Behaviour): void {
  const hook = ledger.hooks.get(hookId)
  if (hook?.source === 'zapier' && behaviour.kind === 'status' && behaviour.status === 410)
    hook.mustReceiveAll = false
}
