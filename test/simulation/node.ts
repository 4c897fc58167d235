import { createApple } from '../../src/pipeline/appstores/apple/apple.ts'
import { createGoogle } from '../../src/pipeline/appstores/google/google.ts'
import { createFlow, FLOW_ROLES, type Flow, type FlowSettings } from '../../src/pipeline/flow.ts'
import type { Egress } from '../../src/runtime/egress/egress.ts'
import type { Log } from '../../src/runtime/log.ts'
import { silentMeter } from '../../src/runtime/meter.ts'
import { StorageUnavailable } from '../../src/storage/port/errors.ts'
import type { Storage } from '../../src/storage/port.ts'
import type { Holder } from './check-storage.ts'
import { createSimulatedEnricher } from './enricher.ts'
import type { Ledger } from './ledger.ts'
import { createNodeClock, type NodeClock } from './node-clock.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { CallFate } from './storage-faults.ts'
import { type ExecutedCall, proxyStorage } from './storage-proxy.ts'
import { STORE_URLS } from './stores.ts'
import type { Trace } from './trace.ts'

/** One process of the service: the whole flow over simulated storage, stores and receivers. */
export type SimulatedNode = Holder & {
  readonly clock: NodeClock
  /** As this process sees it. */
  readonly storage: Storage
  readonly flow: Flow
  /** Ends it between two awaits: nothing of it ever runs again. */
  readonly kill: () => void
  readonly jump: (offsetMs: number) => void
  /** Kills it at one of its next calls to storage: before or after the call takes effect. */
  readonly killAtCall: (calls: number, when: 'before' | 'after') => void
  readonly wake: () => void
}

export type NodeDeps = {
  readonly name: string
  readonly plan: Plan
  readonly ledger: Ledger
  readonly scheduler: Scheduler
  readonly trace: Trace
  readonly random: Random
  readonly storage: Storage
  readonly fateOf: (name: string) => CallFate
  readonly onExecuted: (node: SimulatedNode, call: ExecutedCall) => void
  readonly openStores: (isAlive: () => boolean) => Egress
  readonly openTargets: (isAlive: () => boolean, node: string) => Egress
  readonly enricherTrouble: () => 'hang' | 'throw' | 'nothing' | null
}

export function startNode(deps: NodeDeps): SimulatedNode {
  const { name, plan, ledger, scheduler, trace, random } = deps
  let alive = true
  let jumpedAtMs = Number.NEGATIVE_INFINITY
  let death: { calls: number; readonly when: 'before' | 'after' } | null = null
  let wakeListener = () => {}
  const isAlive = () => alive
  const clock = createNodeClock(scheduler, isAlive)
  const kill = () => {
    if (alive) trace.note(`${name} dies`)
    alive = false
  }

  const storage = proxyStorage(deps.storage, {
    scheduler,
    trace,
    node: name,
    isAlive,
    fateOf(call) {
      if (death !== null) death.calls -= 1
      if (death !== null && death.calls === 0 && death.when === 'before') kill()
      return deps.fateOf(call)
    },
    onExecuted(call) {
      deps.onExecuted(node, call)
      if (death !== null && death.calls <= 0) kill()
    },
    onWake(wake) {
      wakeListener = wake
      return () => {
        wakeListener = () => {}
      }
    },
  })
  const stores = deps.openStores(isAlive)
  const flow = createFlow(
    {
      storage,
      appStores: [
        createApple({ egress: stores, itunesUrl: STORE_URLS.itunesUrl, webUrl: STORE_URLS.webUrl }),
        createGoogle({ egress: stores, playUrl: STORE_URLS.playUrl }),
      ],
      enricher: plan.enrichment
        ? createSimulatedEnricher({ clock, random: random.fork('enricher'), troubleOf: deps.enricherTrouble })
        : null,
      egress: deps.openTargets(isAlive, name),
      clock,
      random: random.fork('service').next,
      log: strictLog(ledger, name, isAlive),
      meter: silentMeter,
      openSecret: (sealed) => sealed,
      userAgent: 'ReviewRadar/simulated',
    },
    settingsOf(plan),
  )
  const node: SimulatedNode = {
    name,
    isAlive,
    jumpedAtMs: () => jumpedAtMs,
    clock,
    storage,
    flow,
    kill,
    jump(offsetMs) {
      trace.note(`${name} clock is ${offsetMs} ms ahead`)
      jumpedAtMs = scheduler.nowMs()
      clock.setOffset(offsetMs)
    },
    killAtCall: (calls, when) => {
      death = { calls: Math.max(1, calls), when }
    },
    wake: () => {
      if (alive) wakeListener()
    },
  }
  trace.note(`${name} starts`)
  flow.start()
  return node
}

function settingsOf(plan: Plan): FlowSettings {
  const poll = (fixedIntervalMs: number) => ({
    fixedIntervalMs,
    intervalMsMin: fixedIntervalMs,
    intervalMsMax: fixedIntervalMs,
  })
  return {
    roles: new Set(FLOW_ROLES),
    poll: { reviews: poll(plan.reviewsPollMs), rating: poll(plan.ratingsPollMs) },
    requestsPerMinute: { apple: plan.requestsPerMinute, google: plan.requestsPerMinute },
    waitsMs: plan.waitsMs,
    timeoutMs: plan.timeoutMs,
    slots: { total: 32, perHook: 4, perHost: 8 },
    platforms: new Set(['zapier']),
    retentionMs: plan.retentionMs,
  }
}

/** An error that is not the storage's absence is a defect, and so is a dead loop. */
function strictLog(ledger: Ledger, node: string, isAlive: () => boolean): Log {
  return {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error(event, fields = {}) {
      if (!isAlive() || event === 'enrichment.threw') return
      const { error } = fields
      if (error instanceof StorageUnavailable) return
      const stack = error instanceof Error ? error.stack : String(error)
      ledger.violate('internal_error', `${node} logs ${event}: ${stack}`)
    },
  }
}
