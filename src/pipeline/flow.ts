import { newId } from '../model/ids.ts'
import type { FeedKind, Store } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import type { Log } from '../runtime/log.ts'
import { type Loop, newLoopState, runLoop } from '../runtime/loop.ts'
import type { Meter } from '../runtime/meter.ts'
import { createSupervisor, type Part, type PartHealth } from '../runtime/supervisor.ts'
import { createWake } from '../runtime/wake.ts'
import type { Storage } from '../storage/port.ts'
import type { AppStore } from './appstores/appstore.ts'
import { createNameApp } from './collect/name-app.ts'
import { createNoteApps } from './collect/note-apps.ts'
import { createStorePace, type StorePace } from './collect/pace.ts'
import { pollLoop } from './collect/poll-loop.ts'
import { pollRatings } from './collect/poll-ratings.ts'
import { pollReviews } from './collect/poll-reviews.ts'
import type { PollSettings } from './collect/schedule.ts'
import { detectRating } from './detect/detect-rating.ts'
import { detectReviews } from './detect/detect-reviews.ts'
import { ENRICH_LOOP, ENRICH_WAIT_MS, enrichLoop } from './enrich/enrich.ts'
import type { Enricher } from './enrich/enricher.ts'
import { FAN_OUT_LOOP, fanOutLoop } from './fanout/fanout.ts'
import { horizonsOf } from './horizons.ts'
import { invariantsLoop } from './invariants.ts'
import { PULSE_LOOP, pulseLoop } from './pulse.ts'
import { giveUpAfterMsOf } from './send/after-attempt.ts'
import { HOUSEKEEPING_LOOP, housekeepingLoop, REPLAY_LOOP, replayLoop } from './send/housekeeping.ts'
import { createSecretOpener } from './send/secrets.ts'
import { SEND_LOOP, sendLoop } from './send/send.ts'
import type { SlotLimits } from './send/slots.ts'

export const FLOW_ROLES = ['poll', 'enrich', 'fanout', 'send'] as const
export type FlowRole = (typeof FLOW_ROLES)[number]

export type FlowDeps = {
  readonly storage: Storage
  readonly appStores: readonly AppStore[]
  /** Null when enrichment is off; also needed by nodes that only poll, which then let reviews wait for it. */
  readonly enricher: Enricher | null
  readonly egress: Egress
  readonly clock: Clock
  /** Whether the time is sure enough to delete or give up something for its age; absent: it is. */
  readonly mayDelete?: () => boolean
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Log
  readonly meter: Meter
  /** Opens a secret that was sealed for this hook. */
  readonly openSecret: (sealed: string, hookId: string) => string
  /** `ReviewRadar/<version>`. */
  readonly userAgent: string
}

export type FlowSettings = {
  readonly roles: ReadonlySet<FlowRole>
  readonly poll: Readonly<Record<FeedKind, PollSettings>>
  readonly requestsPerMinute: Readonly<Record<Store, number>>
  readonly waitsMs: readonly number[]
  readonly timeoutMs: number
  readonly slots: SlotLimits
  /** Sources of hooks for which a 410 means that the trigger was turned off. */
  readonly platforms: ReadonlySet<string>
  readonly retentionMs: number
}

export type Flow = {
  readonly start: () => void
  /**
   * Claims nothing more and waits `graceMs` for what is under way; then requests to targets are cut off, which costs
   * no attempt. Returns the names of what runs even then.
   */
  readonly stop: (graceMs?: number) => Promise<string[]>
  /** Cuts requests to targets off at once: the second signal. */
  readonly cut: () => void
  /** There may be work: whoever wrote it says so, to spare it the wait of up to a second. */
  readonly wake: () => void
  readonly health: () => PartHealth[]
  /** For requests to a store outside the poll loops (app search): they count against the same limit. */
  readonly paceOf: (store: Store) => StorePace
}

/** The poll queue of each store: visits under way at once. */
const VISITS_MAX: Record<FeedKind, number> = { reviews: 4, rating: 2 }
/** Loops are woken; this is the backstop, long because an idle node should ask the database less than twice a second. */
const IDLE_MS = 60_000
/** The least lease of a visit: a request with its fallbacks. A dead node's feeds come back after it. */
const POLL_LEASE_MS_MIN = 30_000
const POLL_LEASE_MS_MAX = 30 * 60_000
/** Requests that a visit's lease leaves time for, at the store's pace and beside the other visits. */
const POLL_LEASE_REQUESTS = 40
/** After the grace: time to store what was cut off. */
const CUT_MS = 2_000
const STUCK_MS = 120_000

/** The loops, in the order of the flow. */
export function createFlow(deps: FlowDeps, settings: FlowSettings): Flow {
  const { storage, clock, log } = deps
  const wake = createWake(clock)
  const cut = new AbortController()
  const supervisor = createSupervisor({ clock, log })
  const paces = new Map<Store, StorePace>(
    deps.appStores.map(({ store }) => [
      store,
      createStorePace({ ...deps, storage: storage.pace }, store, settings.requestsPerMinute[store]),
    ]),
  )
  const paceOf = (store: Store): StorePace => {
    const pace = paces.get(store)
    if (pace === undefined) throw new Error(`There is no client for the store "${store}".`)
    return pace
  }
  const context = { ...deps, settings, wake: wake.wake, newLease: () => newId('lease'), cut: cut.signal }
  const polls = deps.appStores.flatMap((appStore) => pollLoops(context, appStore, paceOf(appStore.store)))
  const giveUpAfterMs = giveUpAfterMsOf(settings.waitsMs)
  const onEvents = () => wake.wake(SEND_LOOP)

  const loops: Record<FlowRole, readonly Loop[]> = {
    poll: polls,
    enrich:
      deps.enricher === null
        ? []
        : [
            enrichLoop(
              { ...context, enricher: deps.enricher, onReady: () => wake.wake(FAN_OUT_LOOP) },
              { idleMs: IDLE_MS },
            ),
          ],
    fanout: [fanOutLoop({ ...deps, onEvents }, { giveUpAfterMs, idleMs: IDLE_MS })],
    send: [
      sendLoop(
        { ...context, secretsOf: createSecretOpener(deps.openSecret) },
        { ...settings, idleMs: IDLE_MS },
      ),
      ...[replayLoop, housekeepingLoop].map((loop) =>
        loop(
          { ...context, onReplayed: onEvents },
          { retentionMs: settings.retentionMs, giveUpAfterMs, horizons: horizonsOf(settings) },
        ),
      ),
      invariantsLoop(deps, { giveUpAfterMs }),
    ],
  }
  const pulse = pulseLoop(
    { storage, clock, wake },
    {
      pollAt: polls.map((loop) => loop.name),
      enrichAt: [ENRICH_LOOP],
      fanOutAt: [FAN_OUT_LOOP],
      sendAt: [SEND_LOOP],
      replayAt: [REPLAY_LOOP],
    },
  )
  let stopListening = () => {}

  return {
    start() {
      const running = FLOW_ROLES.filter((role) => settings.roles.has(role)).flatMap((role) => loops[role])
      if (running.length === 0) return
      supervisor.start([...running, pulse].map((loop) => partOf(loop, { clock, wake, log })))
      stopListening = storage.onWake(() => wake.wake(PULSE_LOOP))
    },
    async stop(graceMs) {
      stopListening()
      const left = await supervisor.stop(graceMs)
      if (left.length === 0) return left
      cut.abort()
      return supervisor.stop(CUT_MS)
    },
    cut: () => cut.abort(),
    wake: () => {
      wake.wake(PULSE_LOOP)
      wake.wake(HOUSEKEEPING_LOOP)
    },
    health: supervisor.health,
    paceOf,
  }

  /** A loop as the supervisor runs it. */
  function partOf(loop: Loop, runDeps: Parameters<typeof runLoop>[2]): Part {
    const state = newLoopState()
    return {
      name: loop.name,
      run: (signal) => runLoop(loop, signal, runDeps, state),
      trouble: () => {
        if (state.failingSince !== null) return `Its passes fail since ${state.failingSince.toISOString()}.`
        const runsMs = state.passStartedMs === null ? 0 : clock.monotonicMs() - state.passStartedMs
        const trouble = loop.trouble?.() ?? null
        if (trouble !== null) return trouble
        return runsMs > STUCK_MS ? `Its pass runs for ${Math.round(runsMs / 1000)} s.` : null
      },
    }
  }
}

type Context = FlowDeps & {
  readonly settings: FlowSettings
  readonly wake: (name: string) => void
  readonly newLease: () => string
}

/** Collect and detect in one pass: reviews and ratings of one store. */
function pollLoops(context: Context, appStore: AppStore, pace: StorePace): Loop[] {
  const { storage, clock, settings, wake } = context
  const { store } = appStore
  const leaseMs = pollLeaseMs(settings.requestsPerMinute[store])
  const onOccurrences = () => {
    wake(ENRICH_LOOP)
    wake(FAN_OUT_LOOP)
  }
  const deps = { ...context, appStore, pace, onOccurrences }
  const noteApps = createNoteApps(storage, clock)
  const nameApp = createNameApp({ ...deps, noteApps })
  const enrichWaitMs = context.enricher === null ? null : ENRICH_WAIT_MS
  const loopSettings = (kind: FeedKind) => ({ leaseMs, idleMs: IDLE_MS, visitsMax: VISITS_MAX[kind] })
  return [
    pollLoop(deps, loopSettings('reviews'), 'reviews', async ([feed], signal) => {
      if (feed === undefined) return
      const visit = { poll: settings.poll.reviews, leaseMs, enrichWaitMs }
      const good = await pollReviews({ ...deps, detect: detectReviews }, visit, feed, signal)
      if (good) await nameApp(feed, signal)
    }),
    pollLoop(deps, loopSettings('rating'), 'rating', (feeds, signal) =>
      pollRatings({ ...deps, detect: detectRating, noteApps }, settings.poll.rating, feeds, signal),
    ),
  ]
}

/** Long enough for a walk of many pages at a slow pace, short when requests are fast. */
export function pollLeaseMs(requestsPerMinute: number): number {
  const forRequestsMs = Math.ceil((POLL_LEASE_REQUESTS * VISITS_MAX.reviews * 60_000) / requestsPerMinute)
  return Math.min(POLL_LEASE_MS_MAX, POLL_LEASE_MS_MIN + forRequestsMs)
}
