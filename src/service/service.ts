import type { FastifyInstance } from 'fastify'
import { createNodeServer } from '../api/node-server.ts'
import { createApiServer } from '../api/server.ts'
import { newSecret } from '../model/signature.ts'
import { createDiskWatch } from '../node/disk-watch.ts'
import { beat } from '../node/heartbeat.ts'
import { joinServices } from '../node/join-services.ts'
import { createMetrics } from '../node/metrics.ts'
import { readinessOf } from '../node/readiness.ts'
import { gateClaims } from '../node/time/gate-claims.ts'
import { openTimekeeper } from '../node/time/keeper.ts'
import { setupCodeOf } from '../operations/accounts/setup-code.ts'
import { createSearchShare } from '../operations/apps/search-share.ts'
import { createAccountGuard } from '../operations/limits.ts'
import { createOperations, type Operations, type OperationsDeps } from '../operations/operations.ts'
import { testAlert } from '../pipeline/alert/rules.ts'
import { createModelBreaker } from '../pipeline/enrich/llm/model-breaker.ts'
import { createFlow, type Flow } from '../pipeline/flow.ts'
import { expireAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { MANUAL_LANE_CHANGES } from '../pipeline/send/manual-lane-changes.ts'
import { createSettingsOpener } from '../pipeline/send/message/settings.ts'
import { createSendOnce } from '../pipeline/send/send-once.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import { createGuard } from '../runtime/egress/guard.ts'
import { openEgress } from '../runtime/egress/open.ts'
import { lagWatch, measureLag } from '../runtime/event-loop-lag.ts'
import { giveBackIdleMemory } from '../runtime/idle-memory.ts'
import type { Log } from '../runtime/log.ts'
import { runLoop } from '../runtime/loop.ts'
import { createLog } from '../runtime/pino-log.ts'
import { createSealer } from '../runtime/seal.ts'
import { createSupervisor, STOP_GRACE_MS } from '../runtime/supervisor.ts'
import { createWake } from '../runtime/wake.ts'
import type { Storage } from '../storage/port/storage.ts'
import { accountDeletionLoop } from './account-deletion.ts'
import type { Config } from './config/config.ts'
import { createConsole, type DemoAccount, type Setup } from './console.ts'
import { checkEngineRuns } from './engine-platform.ts'
import { createEnricher, createModelTasks } from './enricher.ts'
import {
  flowSettings,
  mailerOf,
  openAppStores,
  openOfficialStores,
  openTargetEgress,
  sourcesOf,
} from './from-config.ts'
import { checkKey } from './key-check.ts'
import { listen } from './listen.ts'
import { openConfigured } from './operate.ts'
import { secretKeyOf } from './secret-key.ts'
import { openSignIn } from './sign-in/open.ts'
import { VERSION } from './version.ts'

export type Service = AsyncDisposable & {
  /**
   * The URL of this node on this machine; empty before `start`. Without the role `api` it serves only health and
   * metrics.
   */
  readonly url: string
  /** The storage, for the demo and tests. */
  readonly storage: Storage
  /**
   * Listens and runs the loops of its roles, after `prepare`, in which the demo writes its past. Throws `StartupError`. Returns what the
   * first user needs, while there is none.
   */
  readonly start: (prepare?: () => Promise<void>) => Promise<Setup | null>
  /**
   * Stops accepting work, finishes running work within `graceMs`, then closes everything. Returns the names of parts that were still
   * running.
   */
  readonly stop: (graceMs?: number) => Promise<string[]>
  /** Aborts the requests that `stop` waits for, without using an attempt. */
  readonly abortInFlight: () => void
  /** Creates an account and a one-time link that signs in to it. Only with the override `demo`. */
  readonly createDemoAccount: (name: string) => Promise<DemoAccount>
  /** The use cases at another time: the demo has a past. */
  readonly operationsAt: (clock: Clock) => Operations
}

export type Overrides = {
  readonly clock?: Clock
  /** Replaces the database's clock; by default that of `clock`, if given. */
  readonly databaseNow?: () => Date
  readonly log?: Log
  readonly random?: () => number
  /** Replaces the configured, guarded egress. */
  readonly targetEgress?: Egress
  /** Replaces the egress for stores and the model server. */
  readonly operatorEgress?: Egress
  /** Whether this is the demo, in which a link can sign in. Its database is deleted afterwards, so commits need not wait for the disk. */
  readonly demo?: boolean
  /** Adds routes to the server. */
  readonly mount?: (
    server: FastifyInstance,
    parts: { readonly storage: Storage; readonly flow: Flow },
  ) => Promise<void>
}

/**
 * The composition root: opens and wires all configured parts without running them. Throws the errors of `isOperatorError`, after closing
 * the opened parts.
 */
export async function createService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const {
    clock: base = systemClock,
    databaseNow = overrides.clock?.now,
    log = createLog(config.logLevel),
    random = Math.random,
  } = overrides
  if (config.injected.length > 0) log.info('settings.ignored', { names: config.injected })
  if (config.enrichment.kind !== 'off' && config.roles.has('enrich')) checkEngineRuns()
  const secretKey = secretKeyOf(config, log)
  const sealer = createSealer(secretKey)
  await using opened = new AsyncDisposableStack()
  opened.use(giveBackIdleMemory())
  const storage = opened.use(await openConfigured(config, log, base, databaseNow, overrides.demo !== true))
  const keeper = await openTimekeeper({ base, time: storage.time, log })
  const { clock } = keeper
  await checkKey(storage.maintenance, sealer)

  const userAgent = `ReviewRadar/${VERSION}`
  const guard = createGuard({ allowCidrs: config.delivery.allowTargetCidrs })
  const targetEgress = opened.use(overrides.targetEgress ?? openTargetEgress(config, userAgent, log))
  const operatorEgress = opened.use(
    overrides.operatorEgress ?? openEgress({ guard: null, userAgent, proxy: config.outboundProxy }),
  )
  const disk = createDiskWatch({ maintenance: storage.maintenance, clock: base, log })
  await disk.check()
  const metrics = createMetrics({ storage, clock, keeper, lag: measureLag(), disk, version: VERSION, log })
  const { meter } = metrics
  const appStores = openAppStores(config, operatorEgress, log)
  const officialStores = openOfficialStores(config, operatorEgress, clock)
  const modelServer = { storage, egress: operatorEgress, clock, log, breaker: createModelBreaker() }
  const enricher = createEnricher(config.enrichment, { ...modelServer, meter })
  opened.use(enricher)
  const mailer = mailerOf(config)
  let url = ''
  const flow = createFlow(
    {
      storage: gateClaims(storage, () => keeper.mayClaim() && disk.state().level !== 'full'),
      mayDelete: keeper.isConfirmed,
      failed: disk.failed,
      appStores,
      officialStores,
      enricher,
      egress: targetEgress,
      clock,
      random,
      log,
      meter,
      openSecret: sealer.open,
      seal: sealer.seal,
      userAgent,
      mailer,
      publicUrl: config.publicUrl,
      alerts: { publicUrl: () => config.publicUrl ?? (url === '' ? null : url) },
    },
    flowSettings(config),
  )
  const node = createSupervisor({ clock, log })
  const stopping = new AbortController()
  const sendOnce = createSendOnce(
    {
      egress: targetEgress,
      clock,
      sealer,
      log,
      userAgent,
      messages: {
        mailer,
        publicUrl: config.publicUrl,
        settingsOf: createSettingsOpener(sealer.open),
        seal: sealer.seal,
        feeds: storage.feeds,
        deliveries: storage.deliveries,
      },
    },
    config.delivery.timeoutMs,
    stopping.signal,
  )
  const limits = createAccountGuard(
    { ...config.accountLimits, modelRequestsPerDay: config.enrichment.dailyLimit },
    { clock, meter },
  )
  const signIn = opened.use(
    openSignIn({
      databaseUrl: config.databaseUrl,
      secretKey,
      urls: () => ({ publicUrl: config.publicUrl ?? url, localUrl: url }),
      log,
    }),
  )
  const operationsDeps: OperationsDeps = {
    accounts: storage.accounts,
    alerts: storage.alerts,
    audit: storage.audit,
    atomFeeds: storage.atomFeeds,
    attemptLimits: storage.attemptLimits,
    deadLetters: storage.deadLetters,
    deliveries: storage.deliveries,
    feeds: storage.feeds,
    hooks: storage.hooks,
    maintenance: storage.maintenance,
    occurrences: storage.occurrences,
    pace: storage.pace,
    people: storage.people,
    reports: storage.reports,
    statistics: storage.statistics,
    storeConnections: storage.storeConnections,
    triage: storage.triage,
    savedViews: storage.savedViews,
    officialStores,
    reviewSources: storage.reviewSources,
    sourceHealth: storage.sourceHealth,
    reviewHistories: storage.reviewHistories,
    replies: storage.replies,
    replyTemplates: storage.replyTemplates,
    ...createModelTasks(config.enrichment, modelServer),
    imports: storage.imports,
    erasures: storage.erasures,
    enriches: enricher !== null,
    stopping: stopping.signal,
    users: signIn.get,
    setupCode: () => setupCodeOf(storage.maintenance),
    signup: config.signup,
    ssoDomains: config.oidc.emailDomains,
    stores: appStores.map((client) => ({
      client,
      share: createSearchShare(config.stores.requestsPerMinute[client.store], clock),
      ...flow.paceOf(client.store),
    })),
    expireAfterMs: expireAfterMsOf(config.delivery.retryWaitsMs),
    limits,
    clock,
    log,
    guard,
    sealer,
    newSecret,
    sendOnce,
    manualLaneChanges: MANUAL_LANE_CHANGES,
    hasMailServer: mailer !== null,
    mailer,
    publicUrl: config.publicUrl,
    mailConsent: config.mailConsent,
    testAlert,
    wake: flow.wake,
  }
  const operations = createOperations(operationsDeps)
  const readinessBy = (time: Parameters<typeof readinessOf>[0]['keeper']) =>
    readinessOf({
      storage,
      keeper: time,
      parts: [...flow.health(), ...node.health()],
      disk,
      stopping: stopping.signal.aborted,
    })
  const readiness = () => readinessBy(keeper)
  const consolePages = createConsole({
    config,
    operations,
    signIn,
    limits,
    sealer,
    egress: operatorEgress,
    storage,
    clock,
    log,
    readiness,
    readinessExceptClock: () => readinessBy({ ...keeper, skewMs: () => 0 }),
    disk,
    stopping: stopping.signal,
    demo: overrides.demo ?? false,
    localUrl: () => url,
  })

  const servesApi = config.roles.has('api')
  const operator = {
    readiness,
    metrics: metrics.scrape,
  }
  const server = servesApi
    ? await createApiServer({
        ...operator,
        operations,
        limits,
        clock,
        log,
        sources: sourcesOf(config),
        version: VERSION,
        trustedProxies: config.trustedProxies,
        publicUrl: () => config.publicUrl ?? url,
        signIn: signIn.get,
        origins: consolePages.origins,
        mount: async (fastify) => {
          await consolePages.mount(fastify)
          await overrides.mount?.(fastify, { storage, flow })
        },
      })
    : createNodeServer({ ...operator, log })

  const closing = opened.move()
  let stopped: Promise<string[]> | null = null
  const stop = async (graceMs: number): Promise<string[]> => {
    stopping.abort()
    log.info('service.stopping', { grace_ms: graceMs })
    const drained = new AbortController()
    await Promise.race([server.close(), clock.sleep(graceMs, drained.signal)])
    drained.abort()
    server.server.closeAllConnections()
    const left = [...(await flow.stop(graceMs)), ...(await node.stop(graceMs))]
    await closing.disposeAsync()
    log.info('service.stopped', { still_running: left })
    return left
  }

  return {
    get url() {
      return url
    },
    storage,
    async start(prepare) {
      url = await listen(server, config.host, config.port)
      await joinServices(storage.maintenance, log)
      await prepare?.()
      flow.start()
      const roles = [...config.roles]
      const deletionLoop = accountDeletionLoop({ ...operations, clock, mayClaim: keeper.mayClaim, log })
      node.start([
        {
          name: 'heartbeat',
          run: (signal) =>
            beat(
              {
                maintenance: storage.maintenance,
                clock,
                log,
                version: VERSION,
                roles,
                skewMs: keeper.skewMs,
                failed: disk.failed,
              },
              signal,
            ),
        },
        { name: 'clock', run: keeper.run },
        { name: 'disk', run: disk.run },
        {
          name: deletionLoop.name,
          run: (signal) => runLoop(deletionLoop, signal, { clock, wake: createWake(clock), log }),
        },
        lagWatch(measureLag(), clock),
      ])
      const setup = servesApi ? await consolePages.started() : null
      log.info('service.started', { url, public_url: config.publicUrl ?? url, version: VERSION, roles })
      return setup
    },
    stop: (graceMs = STOP_GRACE_MS) => {
      stopped ??= stop(graceMs)
      return stopped
    },
    abortInFlight: flow.abortInFlight,
    createDemoAccount: consolePages.createDemoAccount,
    operationsAt: (other) => createOperations({ ...operationsDeps, clock: other }),
    [Symbol.asyncDispose]: async () => {
      stopped ??= stop(STOP_GRACE_MS)
      await stopped
    },
  }
}
