import type { Review } from '../../src/model/review.ts'
import { gateClaims } from '../../src/node/time/gate-claims.ts'
import { openTimekeeper, type Timekeeper } from '../../src/node/time/keeper.ts'
import { createApple } from '../../src/pipeline/appstores/apple/apple.ts'
import { createAppStoreConnect } from '../../src/pipeline/appstores/appstoreconnect/appstoreconnect.ts'
import { createGoogle } from '../../src/pipeline/appstores/google/google.ts'
import { createGooglePlayDeveloper } from '../../src/pipeline/appstores/googleplay-developer/googleplay-developer.ts'
import { createFlow, FLOW_ROLES, type Flow, type FlowSettings } from '../../src/pipeline/flow.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Egress } from '../../src/runtime/egress/egress.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { Log } from '../../src/runtime/log.ts'
import { StorageUnavailable } from '../../src/storage/port/errors.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { silentMeter } from '../support/silent-meter.ts'
import type { Holder } from './check-storage.ts'
import { createSimulatedEnricher, type EnricherFault } from './enricher.ts'
import type { Ledger } from './ledger.ts'
import { underLock } from './locks.ts'
import { isAllowedOlderEvent, recordFanOuts } from './look-back.ts'
import type { NodeClock } from './node-clock.ts'
import { OFFICIAL_URLS } from './official-store.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { CallOutcome } from './storage-faults.ts'
import { type ExecutedCall, proxyStorage } from './storage-proxy.ts'
import { STORE_URLS } from './stores.ts'
import type { Trace } from './trace.ts'

/** One process of the service: the whole flow over simulated storage, stores and receivers. */
export type SimulatedNode = Holder & {
  /** The machine's clock. */
  readonly machine: NodeClock
  /** The clock and flow of the process; null until it has started. */
  readonly running: () => { readonly clock: Clock; readonly flow: Flow } | null
  /** The storage as this process sees it. */
  readonly storage: Storage
  /** Ends the process between two awaits. None of its code runs again. */
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
  readonly machine: NodeClock
  readonly processState: { alive: boolean }
  readonly storage: Storage
  readonly outcomeOf: (name: string) => CallOutcome
  readonly onExecuted: (node: SimulatedNode, call: ExecutedCall) => void
  readonly openStores: (isAlive: () => boolean) => Egress
  readonly openTargets: (isAlive: () => boolean) => Egress
  readonly enricherFault: () => EnricherFault | null
  readonly isDeadly: (review: Review) => boolean
  readonly onDeadly: (review: Review) => void
  /** The share of calls during which another process locks the database file. */
  readonly lockShare: () => number
  readonly lockRandom: Random
  readonly file: string | null
  /** A deliberate defect: the process uses the machine's clock alone. */
  readonly withoutTimekeeper: boolean
  /** A deliberate defect: times do not know by which steps of the clock they were computed. */
  readonly forgetsSteps: boolean
}

export function startNode(deps: NodeDeps): SimulatedNode {
  const { name, ledger, scheduler, trace, machine, processState } = deps
  let jumpedAtMs = Number.NEGATIVE_INFINITY
  let death: { calls: number; readonly when: 'before' | 'after' } | null = null
  let wakeListener = () => {}
  let running: { readonly clock: Clock; readonly flow: Flow } | null = null
  const isAlive = () => processState.alive
  const kill = () => {
    if (processState.alive) trace.note(`${name} dies`)
    processState.alive = false
  }

  const storage = proxyStorage(recordFanOuts(deps.storage, ledger), {
    scheduler,
    trace,
    node: name,
    isAlive,
    outcomeOf(call) {
      if (death !== null) death.calls -= 1
      if (death !== null && death.calls === 0 && death.when === 'before') kill()
      return deps.outcomeOf(call)
    },
    execute: (call) => executed(deps, call),
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
  const node: SimulatedNode = {
    name,
    isAlive,
    jumpedAtMs: () => jumpedAtMs,
    machine,
    running: () => running,
    storage,
    kill,
    jump(offsetMs) {
      if (offsetMs === machine.offsetMs()) return
      trace.note(`${name} clock is ${offsetMs} ms ahead`)
      jumpedAtMs = scheduler.nowMs()
      machine.setOffset(offsetMs)
    },
    killAtCall: (calls, when) => {
      death = { calls: Math.max(1, calls), when }
    },
    wake: () => {
      if (processState.alive) wakeListener()
    },
  }
  trace.note(`${name} starts`)
  void boot()
  return node

  /** Starts the flow as createService does. Kills the process if it cannot start. */
  async function boot(): Promise<void> {
    const log = strictLog(ledger, name, isAlive)
    try {
      const keeper = await openTimekeeper({ base: machine, time: storage.time, log })
      await storage.maintenance.joinServices()
      const clock = deps.withoutTimekeeper
        ? machine
        : deps.forgetsSteps
          ? forgetful(keeper.clock)
          : keeper.clock
      const flow = deps.withoutTimekeeper
        ? createFlow(flowDeps(deps, storage, clock, log, null, kill), settingsOf(deps.plan))
        : createFlow(flowDeps(deps, storage, clock, log, keeper, kill), settingsOf(deps.plan))
      running = { clock, flow }
      flow.start()
      if (!deps.withoutTimekeeper) await keeper.run(new AbortController().signal)
    } catch (error) {
      if (!(error instanceof StorageUnavailable))
        ledger.violate('internal_error', `${name}: ${stackOf(error)}`)
      kill()
    }
  }
}

/** `clock`, with times that no step of the clock moves at their commit. */
function forgetful(clock: Clock): Clock {
  return { ...clock, now: () => instantOf(clock.now().getTime()) }
}

/** Executes a call, sometimes while another process locks the file. */
function executed({ lockShare, lockRandom, file, ledger }: NodeDeps, call: () => Promise<unknown>) {
  const share = lockShare()
  if (file === null || share === 0 || !lockRandom.chance(share)) return call()
  return underLock(file, call, (ms) =>
    ledger.violate(
      'storage_blocks',
      `a call blocked the thread for ${Math.round(ms)} ms while the file was locked`,
    ),
  )
}

function flowDeps(
  deps: NodeDeps,
  storage: Storage,
  clock: Clock,
  log: Log,
  keeper: Timekeeper | null,
  kill: () => void,
) {
  const { plan, random, processState, trace, name } = deps
  const isAlive = () => processState.alive
  const stores = deps.openStores(isAlive)
  return {
    storage: keeper === null ? storage : gateClaims(storage, keeper.mayClaim),
    mayDelete: keeper === null ? () => true : keeper.isConfirmed,
    appStores: [
      createApple({ egress: stores, itunesUrl: STORE_URLS.itunesUrl, webUrl: STORE_URLS.webUrl }),
      createGoogle({ egress: stores, playUrl: STORE_URLS.playUrl }),
    ],
    ...(plan.connections === null
      ? {}
      : {
          officialStores: [
            createAppStoreConnect({ egress: stores, clock, baseUrl: OFFICIAL_URLS.apple }),
            createGooglePlayDeveloper({
              ...{ egress: stores, clock, baseUrl: OFFICIAL_URLS.google },
              ...{ oauthUrl: OFFICIAL_URLS.google, storageUrl: OFFICIAL_URLS.google },
            }),
          ],
        }),
    enricher: plan.enrichment
      ? createSimulatedEnricher({
          clock,
          random: random.fork('enricher'),
          faultOf: deps.enricherFault,
          isDeadly: deps.isDeadly,
          onDeadly(review) {
            trace.note(`${name} reads the deadly review ${review.reviewId}`)
            deps.onDeadly(review)
            kill()
          },
        })
      : null,
    egress: deps.openTargets(isAlive),
    clock,
    random: random.fork('service').next,
    log,
    meter: silentMeter,
    openSecret: (sealed: string) => sealed,
    seal: (text: string) => text,
    userAgent: 'ReviewRadar/simulated',
  }
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
    referenceApps: new Map(),
    officialIntervalMs: 60_000,
    requestsPerMinute: { apple: plan.requestsPerMinute, google: plan.requestsPerMinute },
    waitsMs: plan.waitsMs,
    timeoutMs: plan.timeoutMs,
    slots: { total: 48, perHook: 12, perHost: 20 },
    platforms: new Set(['zapier']),
    retentionMs: plan.retentionMs,
  }
}

/** A log that reports every logged error as a violation, except unavailable storage. */
function strictLog(ledger: Ledger, node: string, isAlive: () => boolean): Log {
  return {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error(event, fields = {}) {
      if (!isAlive() || event === 'enrichment.threw') return
      const { error, ...rest } = fields
      if (error instanceof StorageUnavailable) return
      if (isAllowedOlderEvent(ledger, String(rest.invariant), String(rest.example))) return
      ledger.violate('internal_error', `${node} logs ${event}: ${stackOf(error ?? rest)}`)
    },
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)
}
