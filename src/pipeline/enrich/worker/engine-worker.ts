import { Worker } from 'node:worker_threads'
import type { Enrichment } from '../../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../../model/enrichment-failure.ts'
import type { Log } from '../../../runtime/log.ts'
import type { EngineInput, EnrichRequest, FromWorker, ToWorker, WorkerOptions } from './wire.ts'

/**
 * Time limit of one review. The slowest hostile text of 4,000 characters takes 0.1 s in the offline engine. A loaded
 * machine takes several times as long, and the first review of a language loads its example requests.
 */
const REVIEW_MS_MAX = 5_000
/** Time limit for the start of the engine: the offline one takes 2 s. */
const START_MS_MAX = 120_000
/** Wait before the next start after a failed one: missing files or memory take time to become available. */
const RESTART_MS = 5_000
/**
 * Grace period before a thread is terminated. Terminating it inside a native call of its engine would crash the
 * process. While it enriches a review, such a call takes milliseconds.
 */
const END_MS_MAX = 5_000
/** The same during the start of the engine: one native call of 1 to 2 s, or 10 s on a loaded machine. */
const START_END_MS_MAX = 60_000
/** An engine without reviews for this long is unloaded. The next review starts it again, and waits 0.5 to 2 s for it. */
const UNUSED_MS_MAX = 10 * 60_000
/** Memory limit of the thread in MiB. The offline engine uses about 200 with the examples of all languages. */
const MEMORY_MIB_MAX = 1_024

export type EngineWorkerOptions = {
  /** The module that exports `createEngine`. */
  readonly engine: URL
  readonly reviewMsMax?: number
  readonly startMsMax?: number
  readonly restartMs?: number
  readonly endMsMax?: number
  readonly startEndMsMax?: number
  readonly unusedMsMax?: number
  readonly memoryMibMax?: number
}

export type WorkerResult =
  | { readonly kind: 'enriched'; readonly enrichment: Enrichment }
  | { readonly kind: 'failed'; readonly failure: EnrichmentFailure }
  /** The signal aborted before the result. */
  | { readonly kind: 'aborted' }

export type EngineWorker = AsyncDisposable & {
  /** Starts the thread and the engine once. Calls `onReady` when the engine is ready, which may be at once. */
  readonly begin: (onReady: () => void) => void
  /**
   * Why the worker is not ready, in a sentence; null once the engine has started. A restart because of a review, or an
   * unused engine that is unloaded, does not change that.
   */
  readonly pending: () => string | null
  /** Enriches each review separately, in the order of the input. Never rejects. */
  readonly enrich: (inputs: readonly EngineInput[], signal: AbortSignal) => Promise<WorkerResult[]>
}

type Job = EnrichRequest & { readonly settle: (result: WorkerResult) => void; isAbandoned: boolean }

/** A thread does not inherit the module hooks of its process. */
const PRELOADED = ['--import', new URL('../../../runtime/load-typescript.js', import.meta.url).href]

/**
 * An enrichment engine in a separate thread, so that no review blocks HTTP, signals or deliveries. A review that
 * exceeds its time limit or crashes the thread fails with that reason. Then the thread restarts and continues with the
 * next review. Without reviews for a while it ends, and the next review starts it again.
 */
export function createEngineWorker(options: EngineWorkerOptions, log: Log): EngineWorker {
  const {
    reviewMsMax = REVIEW_MS_MAX,
    startMsMax = START_MS_MAX,
    restartMs = RESTART_MS,
    endMsMax = END_MS_MAX,
    startEndMsMax = START_END_MS_MAX,
    unusedMsMax = UNUSED_MS_MAX,
    memoryMibMax = MEMORY_MIB_MAX,
  } = options
  /** In the order of processing: the first one is in progress. */
  const jobs = new Map<number, Job>()
  let lastId = 0
  let thread: Worker | null = null
  let hasStarted = false
  /** Null once the engine has started; a sentence again when it fails to start after a restart. */
  let pending: string | null = 'The language engine is starting.'
  let onReadyCallbacks: (() => void)[] = []
  let closed = false
  let ended: Promise<unknown> = Promise.resolve()
  /** The end of the thread that was unloaded last, which another one may have replaced. */
  let unloaded: Promise<unknown> = Promise.resolve()
  let timeout: NodeJS.Timeout | undefined
  let restart: NodeJS.Timeout | undefined

  const currentJob = () => jobs.values().next().value
  const settle = (job: Job | undefined, result: WorkerResult) => {
    if (job === undefined) return
    jobs.delete(job.id)
    job.settle(result)
    // The thread does not keep the process alive.
    if (jobs.size === 0 && !closed) thread?.unref()
  }

  /**
   * Ends the thread when it exceeds its time limit: for the start of the engine, for the review in progress, or without
   * a review.
   */
  const startTimeout = () => {
    clearTimeout(timeout)
    const timed = thread
    const job = currentJob()
    if (timed === null) return
    const hadStarted = hasStarted
    if (hadStarted && job === undefined) {
      timeout = setTimeout(() => unload(timed), unusedMsMax)
      timeout.unref()
      return
    }
    timeout = setTimeout(
      () => {
        // Processes pending answers first, because this thread itself may have been blocked.
        setImmediate(() => {
          if (thread !== timed || hasStarted !== hadStarted || (hasStarted && currentJob() !== job)) return
          log.error('enrichment.over_budget', { building: !hasStarted })
          if (hasStarted) settle(job, { kind: 'failed', failure: 'over_budget' })
          onThreadEnd(timed, `The start took longer than ${startMsMax / 1_000} s.`, null)
          endThread(timed, hadStarted)
        })
      },
      hasStarted ? reviewMsMax : startMsMax,
    )
    timeout.unref()
  }

  const onMessage = (message: FromWorker) => {
    if (message.kind === 'ready') {
      hasStarted = true
      pending = null
      const waiting = onReadyCallbacks
      onReadyCallbacks = []
      for (const resolve of waiting) resolve()
    } else if (message.kind === 'enriched') {
      settle(jobs.get(message.id), { kind: 'enriched', enrichment: message.enrichment })
    } else {
      log.error('enrichment.threw', { error: message.error })
      settle(jobs.get(message.id), { kind: 'failed', failure: 'engine_failed' })
    }
    startTimeout()
  }

  const start = () => {
    if (closed || thread !== null) return
    clearTimeout(restart)
    hasStarted = false
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
        onThreadEnd(started, cause ?? new Error(`The thread ended with status ${status}.`), currentJob())
        resolve(status)
      })
    })
    for (const job of [...jobs.values()]) if (job.isAbandoned) jobs.delete(job.id)
    if (jobs.size === 0) started.unref()
    else started.postMessage(requestsOf(jobs.values()))
    startTimeout()
  }

  /**
   * Handles the end of the thread. `failedJob` is the review in progress. Starts another thread: at once after a
   * review, after a wait if the engine did not start.
   */
  const onThreadEnd = (deadThread: Worker, cause: unknown, failedJob: Job | undefined | null) => {
    if (thread !== deadThread) return
    clearTimeout(timeout)
    thread = null
    if (closed) return
    if (hasStarted && failedJob !== null) {
      log.error('enrichment.worker_died', { error: cause })
      settle(failedJob, { kind: 'failed', failure: 'worker_died' })
    }
    if (hasStarted) return start()
    pending = `The language engine cannot start: ${cause instanceof Error ? cause.message : String(cause)}`
    log.error('enrichment.not_built', { error: cause, next_in_ms: restartMs })
    restart = setTimeout(start, restartMs)
    restart.unref()
  }

  /** Requests the end of a thread, and terminates it after the grace period: then it is in an endless loop. */
  const endThread = (ending: Worker, hadStarted: boolean) => {
    const terminateIn = (waitMs: number) => setTimeout(() => void ending.terminate(), waitMs)
    let terminate = terminateIn(hadStarted ? endMsMax : startEndMsMax)
    ending.on('message', ({ kind }: FromWorker) => {
      if (kind !== 'ready') return
      clearTimeout(terminate)
      terminate = terminateIn(endMsMax)
    })
    ending.once('exit', () => clearTimeout(terminate))
    ending.postMessage('end' satisfies ToWorker)
  }

  /** Ends a thread without reviews. From now on, reviews go to another one: none is sent to a thread that ends. */
  const unload = (unused: Worker) => {
    thread = null
    unloaded = ended
    endThread(unused, true)
    log.info('enrichment.engine_unloaded', { unused_ms: unusedMsMax })
  }

  return {
    begin(onReady) {
      if (pending === null) return onReady()
      onReadyCallbacks.push(onReady)
      start()
    },
    pending: () => pending,
    enrich(inputs, signal) {
      if (signal.aborted || closed) return Promise.resolve(inputs.map(() => ({ kind: 'aborted' as const })))
      const wasIdle = jobs.size === 0
      const added: Job[] = []
      const results = inputs.map((input) => {
        lastId += 1
        const { promise, resolve } = Promise.withResolvers<WorkerResult>()
        const job: Job = { id: lastId, input, settle: resolve, isAbandoned: false }
        jobs.set(job.id, job)
        added.push(job)
        return promise
      })
      if (thread === null) start()
      else thread.postMessage(requestsOf(added))
      if (wasIdle) {
        thread?.ref()
        if (hasStarted) startTimeout()
      }
      const abandon = () => {
        for (const job of added) {
          job.isAbandoned = true
          job.settle({ kind: 'aborted' })
        }
      }
      signal.addEventListener('abort', abandon, { once: true })
      return Promise.all(results).finally(() => signal.removeEventListener('abort', abandon))
    },
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(timeout)
      clearTimeout(restart)
      for (const job of [...jobs.values()]) settle(job, { kind: 'aborted' })
      if (thread !== null) endThread(thread, hasStarted)
      await Promise.all([ended, unloaded])
    },
  }
}

function requestsOf(jobs: Iterable<Job>): readonly EnrichRequest[] {
  return [...jobs].map(({ id, input }) => ({ id, input }))
}
