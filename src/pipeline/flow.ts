import { newId } from '../model/ids.ts'
import type { Meter } from '../model/metrics.ts'
import type { FeedKind, Store } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import type { Log } from '../runtime/log.ts'
import { type Loop, newLoopState, runLoop } from '../runtime/loop.ts'
import type { Mailer } from '../runtime/mailer.ts'
import type { Sealer } from '../runtime/seal.ts'
import { createSupervisor, type Part, type PartHealth } from '../runtime/supervisor.ts'
import { createWake } from '../runtime/wake.ts'
import type { Storage } from '../storage/port/storage.ts'
import { ALERT_LOOP, alertLoop } from './alert/alert-loop.ts'
import { createAlertMails } from './alert-mails.ts'
import { createAlertWebhook } from './alert-webhook.ts'
import type { AppStore } from './appstores/appstore.ts'
import type { OfficialStore } from './appstores/official.ts'
import { HISTORY_LOOP, historyLoop } from './collect/import-history.ts'
import { createNameApp } from './collect/name-app.ts'
import { createStorePace, type StorePace } from './collect/pace.ts'
import { pollLoop, pollLoopName } from './collect/poll-loop.ts'
import { OFFICIAL_LOOP, officialLoop } from './collect/poll-official.ts'
import { createPollPlanner } from './collect/poll-planner.ts'
import { pollRatings } from './collect/poll-ratings.ts'
import { pollReviews } from './collect/poll-reviews.ts'
import { referenceCheckLoop } from './collect/reference-check.ts'
import type { PollSettings } from './collect/schedule.ts'
import { createStoreSources } from './collect/store-sources.ts'
import { createUpsertApps } from './collect/upsert-apps.ts'
import { detectHistory } from './detect/detect-history.ts'
import { detectOfficial } from './detect/detect-official.ts'
import { detectRating } from './detect/detect-rating.ts'
import { detectReviews } from './detect/detect-reviews.ts'
import { DUE_WORK_LOOP, dueWorkLoop } from './due-work.ts'
import { ENRICH_LOOP, ENRICH_WAIT_MS, enrichLoop } from './enrich/enrich.ts'
import type { Enricher } from './enrich/enricher.ts'
import { FAN_OUT_LOOP, fanOutLoop } from './fanout/fanout.ts'
import { horizonsOf } from './horizons.ts'
import { invariantsLoop } from './invariants.ts'
import { REPLY_LOOP, replyLoop } from './reply/reply-loop.ts'
import { expireAfterMsOf } from './send/after-attempt.ts'
import { HOUSEKEEPING_LOOP, housekeepingLoop } from './send/housekeeping.ts'
import { createSettingsOpener } from './send/message/settings.ts'
import { REPLAY_LOOP, replayLoop } from './send/replay-loop.ts'
import { createSecretOpener } from './send/secrets.ts'
import { SEND_LOOP, sendLoop } from './send/send.ts'
import type { SlotLimits } from './send/slots.ts'

export const FLOW_ROLES = ['poll', 'enrich', 'fanout', 'send'] as const
export type FlowRole = (typeof FLOW_ROLES)[number]

export type FlowDeps = {
  readonly storage: Storage
  readonly appStores: readonly AppStore[]
  /** Absent: none. */
  readonly officialStores?: readonly OfficialStore[]
  /** Null when enrichment is off. Nodes that only poll also need it, so that reviews wait for enrichment. */
  readonly enricher: Enricher | null
  readonly egress: Egress
  readonly clock: Clock
  /** Whether the time is confirmed, so that data may be deleted or expire. Absent: always. */
  readonly mayDelete?: () => boolean
  /** Gets what the passes of loops throw. */
  readonly failed?: (error: unknown) => void
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Log
  readonly meter: Meter
  /** Opens a secret that was sealed for this hook. */
  readonly openSecret: Sealer['open']
  readonly seal: Sealer['seal']
  /** `ReviewRadar/<version>`. */
  readonly userAgent: string
  /** Null without a mail server. Absent: null. */
  readonly mailer?: Mailer | null
  /** `RADAR_PUBLIC_URL`, for links in messages. Absent: null. */
  readonly publicUrl?: string | null
  /** Absent: no alerts. */
  readonly alerts?: {
    /** Where people reach the console; null when this node does not know. */
    readonly publicUrl: () => string | null
  }
}

export type FlowSettings = {
  readonly roles: ReadonlySet<FlowRole>
  readonly poll: Readonly<Record<FeedKind, PollSettings>>
  readonly requestsPerMinute: Readonly<Record<Store, number>>
  /** For a store, an app with many reviews whose sources are compared with each other. Without one, none are compared. */
  readonly referenceApps: ReadonlyMap<Store, string>
  /** Between two polls of an official source. */
  readonly officialIntervalMs: number
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
   * Stops claiming and waits `graceMs` for open requests. Then it aborts requests to targets, which uses no attempts.
   * Returns the names of the loops that are still running.
   */
  readonly stop: (graceMs?: number) => Promise<string[]>
  /** Aborts requests to targets at once: the second signal. */
  readonly abortInFlight: () => void
  /** Wakes the loops after a write that created work. Otherwise they notice it within a second. */
  readonly wake: () => void
  readonly health: () => PartHealth[]
  /** The rate limit of a store, also for requests outside the poll loops (app search). */
  readonly paceOf: (store: Store) => StorePace
}

/** Concurrent polls of each store. */
const POLLS_MAX: Record<FeedKind, number> = { reviews: 4, rating: 2 }
/**
 * The fallback when no wake arrives. It is long because an idle node should query the database less than twice a
 * second.
 */
const IDLE_MS = 60_000
/**
 * The minimum lease of a poll: time for a request with its fallbacks. The feeds of a crashed node are due again
 * afterwards.
 */
const POLL_LEASE_MS_MIN = 30_000
const POLL_LEASE_MS_MAX = 30 * 60_000
/** Requests that fit into a poll's lease at the store's rate limit, next to the other polls. */
const POLL_LEASE_REQUESTS = 40
/** Time after the grace period to store the aborted attempts. */
const ABORT_GRACE_MS = 2_000
const STUCK_PASS_MS = 120_000

/** Creates the loops of the flow. */
export function createFlow(deps: FlowDeps, settings: FlowSettings): Flow {
  const { storage, clock, log } = deps
  const wake = createWake(clock)
  const abortInFlight = new AbortController()
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
  const context = {
    ...deps,
    settings,
    wake: wake.wake,
    newLease: () => newId('lease'),
    abortInFlight: abortInFlight.signal,
  }
  const polls = [
    ...deps.appStores.flatMap((appStore) => pollLoops(context, appStore, paceOf(appStore.store))),
    ...officialLoops(context),
  ]
  const expireAfterMs = expireAfterMsOf(settings.waitsMs)
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
    fanout: [
      fanOutLoop(
        { ...deps, onEvents },
        { expireAfterMs, reviewsKeptMs: settings.retentionMs, idleMs: IDLE_MS },
      ),
    ],
    send: [
      sendLoop(
        {
          ...context,
          secretsOf: createSecretOpener(deps.openSecret),
          messages: {
            mailer: deps.mailer ?? null,
            publicUrl: deps.publicUrl ?? null,
            settingsOf: createSettingsOpener(deps.openSecret),
            seal: deps.seal,
            feeds: storage.feeds,
            deliveries: storage.deliveries,
          },
        },
        { ...settings, idleMs: IDLE_MS },
      ),
      replayLoop({ ...deps, deadLetters: storage.deadLetters, onReplayed: onEvents }, { expireAfterMs }),
      housekeepingLoop(deps, {
        retentionMs: settings.retentionMs,
        expireAfterMs,
        horizons: horizonsOf(settings),
      }),
      ...(deps.officialStores === undefined
        ? []
        : [replyLoop({ ...context, officialStores: deps.officialStores, replies: storage.replies })]),
      invariantsLoop(deps, { expireAfterMs }),
      ...(deps.alerts === undefined
        ? []
        : [
            alertLoop({
              ...context,
              ...deps.alerts,
              alerts: storage.alerts,
              mail: createAlertMails(
                { mailer: deps.mailer ?? null, seal: deps.seal, publicUrl: deps.publicUrl ?? null },
                abortInFlight.signal,
              ),
              post: createAlertWebhook(deps, settings.timeoutMs, abortInFlight.signal),
            }),
          ]),
    ],
  }
  const pulse = dueWorkLoop(
    { storage, clock, wake },
    {
      poll: pollLoopName,
      enrich: ENRICH_LOOP,
      fanOut: FAN_OUT_LOOP,
      send: SEND_LOOP,
      replay: REPLAY_LOOP,
      official: OFFICIAL_LOOP,
      history: HISTORY_LOOP,
      reply: REPLY_LOOP,
    },
  )
  let stopListening = () => {}

  return {
    start() {
      const running = FLOW_ROLES.filter((role) => settings.roles.has(role)).flatMap((role) => loops[role])
      if (running.length === 0) return
      supervisor.start(
        [...running, pulse].map((loop) =>
          partOf(loop, { clock, wake, log, ...(deps.failed && { failed: deps.failed }) }),
        ),
      )
      stopListening = storage.onWake(() => wake.wake(DUE_WORK_LOOP))
    },
    async stop(graceMs) {
      stopListening()
      const left = await supervisor.stop(graceMs)
      if (left.length === 0) return left
      abortInFlight.abort()
      return supervisor.stop(ABORT_GRACE_MS)
    },
    abortInFlight: () => abortInFlight.abort(),
    wake: () => {
      wake.wake(DUE_WORK_LOOP)
      wake.wake(HOUSEKEEPING_LOOP)
      wake.wake(ALERT_LOOP)
      wake.wake(OFFICIAL_LOOP)
      wake.wake(HISTORY_LOOP)
      wake.wake(REPLY_LOOP)
    },
    health: supervisor.health,
    paceOf,
  }

  /** A loop as a part of the supervisor. */
  function partOf(loop: Loop, runDeps: Parameters<typeof runLoop>[2]): Part {
    const state = newLoopState()
    return {
      name: loop.name,
      run: (signal) => runLoop(loop, signal, runDeps, state),
      problem: () => {
        if (state.failingSince !== null)
          return `Its passes have been failing since ${state.failingSince.toISOString()}.`
        const runsMs = state.passStartedMs === null ? 0 : clock.monotonicMs() - state.passStartedMs
        const problem = loop.problem?.() ?? null
        if (problem !== null) return problem
        return runsMs > STUCK_PASS_MS
          ? `Its current pass has been running for ${Math.round(runsMs / 1000)} s.`
          : null
      },
    }
  }
}

type Context = FlowDeps & {
  readonly settings: FlowSettings
  readonly wake: (name: string) => void
  readonly newLease: () => string
}

/** The poll loops of one store, for reviews and ratings. */
function pollLoops(context: Context, appStore: AppStore, pace: StorePace): Loop[] {
  const { storage, clock, settings, wake } = context
  const { store } = appStore
  for (const source of appStore.reviewSources)
    context.meter.count('source_changes_total', { store, source }, 0)
  const leaseMs = pollLeaseMs(settings.requestsPerMinute[store])
  const onOccurrences = () => {
    wake(ENRICH_LOOP)
    wake(FAN_OUT_LOOP)
  }
  const deps = { ...context, appStore, pace, onOccurrences }
  const upsertApps = createUpsertApps(storage, clock)
  const nameApp = createNameApp({ ...deps, upsertApps })
  const enrichWaitMs = context.enricher === null ? null : ENRICH_WAIT_MS
  const storeSources = createStoreSources({ ...context, storage: storage.sourceHealth }, appStore)
  const referenceApp = settings.referenceApps.get(store)
  const plan = createPollPlanner(deps, settings.poll.reviews, settings.requestsPerMinute[store])
  const loopSettings = (kind: FeedKind) => ({ leaseMs, idleMs: IDLE_MS, pollsMax: POLLS_MAX[kind] })
  return [
    pollLoop(deps, loopSettings('reviews'), 'reviews', async ([feed], signal) => {
      if (feed === undefined) return
      const poll = { poll: settings.poll.reviews, leaseMs, enrichWaitMs }
      const good = await pollReviews(
        { ...deps, plan, storeSources, detect: detectReviews },
        poll,
        feed,
        signal,
      )
      if (good) await nameApp(feed, signal)
    }),
    pollLoop(deps, loopSettings('rating'), 'rating', (feeds, signal) =>
      pollRatings({ ...deps, detect: detectRating, upsertApps }, settings.poll.rating, feeds, signal),
    ),
    ...(referenceApp === undefined
      ? []
      : [referenceCheckLoop({ ...deps, storeSources, feeds: storage.feeds }, referenceApp)]),
  ]
}

/** The loops of official sources, for polls and histories; none without their clients. */
function officialLoops(context: Context): Loop[] {
  const { officialStores = [], wake, settings } = context
  if (officialStores.length === 0) return []
  const onOccurrences = () => {
    wake(ENRICH_LOOP)
    wake(FAN_OUT_LOOP)
  }
  return [
    officialLoop(
      { ...context, officialStores, detect: detectOfficial, onOccurrences },
      {
        intervalMs: settings.officialIntervalMs,
        enrichWaitMs: context.enricher === null ? null : ENRICH_WAIT_MS,
      },
    ),
    historyLoop(
      { ...context, officialStores, detect: detectHistory, onStored: () => wake(ENRICH_LOOP) },
      { enriches: context.enricher !== null },
    ),
  ]
}

/** Long enough for many pages at a low request rate, short at a high rate. */
export function pollLeaseMs(requestsPerMinute: number): number {
  const forRequestsMs = Math.ceil((POLL_LEASE_REQUESTS * POLLS_MAX.reviews * 60_000) / requestsPerMinute)
  return Math.min(POLL_LEASE_MS_MAX, POLL_LEASE_MS_MIN + forRequestsMs)
}
