import { Worker } from 'node:worker_threads'
import type { Enrichment } from '../../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../../model/enrichment-failure.ts'
import type { Log } from '../../../runtime/log.ts'
import type { EngineInput, FromWorker, Order, ToWorker, WorkerOptions } from './wire.ts'

/**
 * Time limit of one review. The slowest hostile one of 4,000 characters takes 0.1 s in the offline engine; a loaded
 * machine takes several times as long, and the first review in a language loads its example requests.
 */
const REVIEW_MS_MAX = 5_000
/** Time limit for building the engine: the offline one takes 2 s. */
const START_MS_MAX = 120_000
/** Wait before the next try to build the engine: a missing file or memory takes time to return. */
const RESTART_MS = 5_000
/**
 * Grace period before a thread is terminated. Termination inside a native call of its engine would end the whole
 * process. While it enriches a review, such a call takes milliseconds.
 */
const END_MS_MAX = 5_000
/** The same while the engine is built: one native call of 1 to 2 s, 10 s on a loaded machine. */
const BUILD_END_MS_MAX = 60_000
/** Memory limit of the thread in MiB. The offline engine takes some 200 with the examples of all languages. */
const MEMORY_MIB_MAX = 1_024

export type EngineWorkerOptions = {
  /** The module that exports `createEngine`. */
  readonly engine: URL
  readonly reviewMsMax?: number
  readonly startMsMax?: number
  readonly restartMs?: number
  readonly endMsMax?: number
  readonly buildEndMsMax?: number
  readonly memoryMibMax?: number
}

export type ReadResult =
  | { readonly kind: 'read'; readonly enrichment: Enrichment }
  | { readonly kind: 'failed'; readonly failure: EnrichmentFailure }
  /** The signal aborted first. */
  | { readonly kind: 'unreached' }

export type EngineWorker = AsyncDisposable & {
  /** Starts the thread and builds the engine, once. `onReady` is called at once if the engine is ready. */
  readonly begin: (onReady: () => void) => void
  /**
   * Why the worker is not ready, in a sentence; null once the engine was built. A restart because of a review does not
   * change that.
   */
  readonly pending: () => string | null
  /** Enriches each review separately, in the order of the input. Never rejects. */
  readonly read: (inputs: readonly EngineInput[], signal: AbortSignal) => Promise<ReadResult[]>
}

type Job = Order & { readonly settle: (result: ReadResult) => void; isAbandoned: boolean }

/** A thread does not inherit the module hooks of its process. */
const PRELOADED = ['--import', new URL('../../../runtime/load-typescript.js', import.meta.url).href]

/**
 * An enrichment engine in a separate thread, so that no review blocks HTTP, signals or deliveries. A review that
 * exceeds its time limit or crashes the thread fails with that reason. The thread is restarted and continues with the
 * next reviews.
 */
export function createEngineWorker(options: EngineWorkerOptions, log: Log): EngineWorker {
  const {
    reviewMsMax = REVIEW_MS_MAX,
    startMsMax = START_MS_MAX,
    restartMs = RESTART_MS,
    endMsMax = END_MS_MAX,
    buildEndMsMax = BUILD_END_MS_MAX,
    memoryMibMax = MEMORY_MIB_MAX,
  } = options
  /** In the order of processing: the first one is in progress. */
  const jobs = new Map<number, Job>()
  let lastId = 0
  let thread: Worker | null = null
  let isBuilt = false
  /** Null once the engine was built; a sentence again when building failed after a restart. */
  let pending: string | null = 'The language engine is being built.'
  let whenReady: (() => void)[] = []
  let closed = false
  let ended: Promise<unknown> = Promise.resolve()
  let watch: NodeJS.Timeout | undefined
  let restart: NodeJS.Timeout | undefined

  const inHand = () => jobs.values().next().value
  const settle = (job: Job | undefined, result: ReadResult) => {
    if (job === undefined) return
    jobs.delete(job.id)
    job.settle(result)
    // The thread does not keep the process alive.
    if (jobs.size === 0 && !closed) thread?.unref()
  }

  /** Ends the thread when it exceeds its time limit: for building the engine, or for the review in progress. */
  const guard = () => {
    clearTimeout(watch)
    const guarded = thread
    const job = inHand()
    if (guarded === null || (isBuilt && job === undefined)) return
    const wasBuilt = isBuilt
    watch = setTimeout(
      () => {
        // Reads pending answers first: the main thread may have been blocked itself.
        setImmediate(() => {
          if (thread !== guarded || isBuilt !== wasBuilt || (isBuilt && inHand() !== job)) return
          log.error('enrichment.over_budget', { building: !isBuilt })
          if (isBuilt) settle(job, { kind: 'failed', failure: 'over_budget' })
          end(guarded, `Building took longer than ${startMsMax / 1_000} s.`, null)
          retire(guarded, wasBuilt)
        })
      },
      isBuilt ? reviewMsMax : startMsMax,
    )
    watch.unref()
  }

  const onMessage = (message: FromWorker) => {
    if (message.kind === 'ready') {
      isBuilt = true
      pending = null
      const waiting = whenReady
      whenReady = []
      for (const resolve of waiting) resolve()
    } else if (message.kind === 'read') {
      settle(jobs.get(message.id), { kind: 'read', enrichment: message.enrichment })
    } else {
      log.error('enrichment.threw', { error: message.error })
      settle(jobs.get(message.id), { kind: 'failed', failure: 'engine_failed' })
    }
    guard()
  }

  const start = () => {
    if (closed || thread !== null) return
    clearTimeout(restart)
    isBuilt = false
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { engine: options.engine.href } satisfies WorkerOptions,
      execArgv: PRELOADED,
      resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
    })
    thread = started
    let cause: unknown = null
    started.on('message', (message: FromWorker) => {
      if (thread === started) onMessage(message)
    })
    started.on('error', (error) => {
      cause = error
    })
    ended = new Promise((resolve) => {
      started.once('exit', (status) => {
        end(started, cause ?? new Error(`The thread ended with status ${status}.`), inHand())
        resolve(status)
      })
    })
    for (const job of [...jobs.values()]) if (job.isAbandoned) jobs.delete(job.id)
    if (jobs.size === 0) started.unref()
    else started.postMessage(ordersOf(jobs.values()))
    guard()
  }

  /**
   * Handles the end of the thread; `blamed` is the review in progress. Starts another: at once after a review, else
   * after a wait.
   */
  const end = (gone: Worker, cause: unknown, blamed: Job | undefined | null) => {
    if (thread !== gone) return
    clearTimeout(watch)
    thread = null
    if (closed) return
    if (isBuilt && blamed !== null) {
      log.error('enrichment.worker_died', { error: cause })
      settle(blamed, { kind: 'failed', failure: 'worker_died' })
    }
    if (isBuilt) return start()
    pending = `The language engine cannot be built: ${cause instanceof Error ? cause.message : String(cause)}`
    log.error('enrichment.not_built', { error: cause, next_in_ms: restartMs })
    restart = setTimeout(start, restartMs)
    restart.unref()
  }

  /** Asks a thread to end, and terminates it after the grace period: then it is in an endless loop of JavaScript. */
  const retire = (retired: Worker, wasBuilt: boolean) => {
    const terminateIn = (waitMs: number) => setTimeout(() => void retired.terminate(), waitMs)
    let terminate = terminateIn(wasBuilt ? endMsMax : buildEndMsMax)
    retired.on('message', ({ kind }: FromWorker) => {
      if (kind !== 'ready') return
      clearTimeout(terminate)
      terminate = terminateIn(endMsMax)
    })
    retired.once('exit', () => clearTimeout(terminate))
    retired.postMessage('end' satisfies ToWorker)
  }

  return {
    begin(onReady) {
      if (pending === null) return onReady()
      whenReady.push(onReady)
      start()
    },
    pending: () => pending,
    read(inputs, signal) {
      if (signal.aborted || closed) return Promise.resolve(inputs.map(() => ({ kind: 'unreached' as const })))
      const wasIdle = jobs.size === 0
      const added: Job[] = []
      const results = inputs.map((input) => {
        lastId += 1
        const { promise, resolve } = Promise.withResolvers<ReadResult>()
        const job: Job = { id: lastId, input, settle: resolve, isAbandoned: false }
        jobs.set(job.id, job)
        added.push(job)
        return promise
      })
      if (thread === null) start()
      else thread.postMessage(ordersOf(added))
      if (wasIdle) {
        thread?.ref()
        if (isBuilt) guard()
      }
      const abandon = () => {
        for (const job of added) {
          job.isAbandoned = true
          job.settle({ kind: 'unreached' })
        }
      }
      signal.addEventListener('abort', abandon, { once: true })
      return Promise.all(results).finally(() => signal.removeEventListener('abort', abandon))
    },
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(watch)
      clearTimeout(restart)
      for (const job of [...jobs.values()]) settle(job, { kind: 'unreached' })
      if (thread !== null) retire(thread, isBuilt)
      await ended
    },
  }
}

function ordersOf(jobs: Iterable<Job>): readonly Order[] {
  return [...jobs].map(({ id, input }) => ({ id, input }))
}
