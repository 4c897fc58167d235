import { Worker } from 'node:worker_threads'
import type { Log } from '../../log.ts'
import type { Egress, EgressAnswer } from '../egress.ts'
import { interrupted } from '../open.ts'
import {
  type EgressJob,
  type FromThread,
  received,
  sharedNowMs,
  type ThreadOptions,
  type ToThread,
} from './wire.ts'

/**
 * The guarded egress in a separate thread, so that sockets and TLS do not wait for commits of the storage, and vice
 * versa. Its answers equal those of `openEgress`; the time of a request includes the transfer between the threads. The
 * thread starts with the first request, since it uses about 25 MB. After a crash, by a bug or out of memory, its
 * requests reject with the cause, and the next request starts another thread.
 */
export function openEgressThread(options: ThreadOptions, log: Log): Egress {
  let thread: Thread | null = null
  let closed = false
  const groupOf = createGroups((group) => thread?.post({ kind: 'interrupt', group }))
  const onDied = (error: unknown, requests: number) => {
    thread = null
    log.error('egress.died', { requests, error })
  }
  return {
    signs: options.signatureModule !== undefined,
    request: ({ signal, ...request }) => {
      if (closed || signal?.aborted) return interrupted()
      thread ??= startThread(options, onDied)
      return thread.send(request, signal === undefined ? null : groupOf(signal))
    },
    [Symbol.asyncDispose]: async () => {
      closed = true
      await thread?.close()
    },
  }
}

type Thread = {
  readonly send: (request: EgressJob['request'], group: number | null) => Promise<EgressAnswer>
  readonly post: (message: ToThread) => void
  readonly close: () => Promise<void>
}

/** A thread does not inherit the module hooks of its process. */
const PRELOADED = ['--import', new URL('../../load-typescript.js', import.meta.url).href]

function startThread(options: ThreadOptions, onDied: (error: unknown, requests: number) => void): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: options,
    execArgv: PRELOADED,
  })
  const waiting = new Map<number, PromiseWithResolvers<EgressAnswer>>()
  let jobs: EgressJob[] = []
  let lastId = 0
  let closing = false
  let cause: unknown = null

  const removeWaiter = (id: number) => {
    const waiter = waiting.get(id)
    waiting.delete(id)
    // The thread does not keep the process alive.
    if (waiting.size === 0 && !closing) worker.unref()
    return waiter
  }
  worker.on('message', (replies: FromThread) => {
    for (const reply of replies) {
      const waiter = removeWaiter(reply.id)
      if (reply.kind === 'answer') waiter?.resolve(received(reply.answer))
      else waiter?.reject(reply.error)
    }
  })
  worker.on('error', (error) => {
    cause = error
  })
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (status) => {
      if (cause !== null || !closing) {
        const error = cause ?? new Error(`The egress thread exited with status ${status}.`)
        onDied(error, waiting.size)
        for (const id of [...waiting.keys()]) removeWaiter(id)?.reject(error)
      }
      resolve()
    })
  })

  const flush = () => {
    const batch = jobs
    jobs = []
    try {
      if (batch.length > 0) worker.postMessage({ kind: 'jobs', jobs: batch } satisfies ToThread)
    } catch (error) {
      // A request that cannot be cloned is a bug in the caller.
      for (const { id } of batch) removeWaiter(id)?.reject(error)
    }
  }
  return {
    send: (request, group) => {
      if (waiting.size === 0) worker.ref()
      lastId += 1
      const waiter = Promise.withResolvers<EgressAnswer>()
      waiting.set(lastId, waiter)
      // One message for all requests of one turn of the event loop, since a claim starts many.
      if (jobs.length === 0) queueMicrotask(flush)
      jobs.push({ id: lastId, queuedAtMs: sharedNowMs(), request, group })
      return waiter.promise
    },
    post: (message) => worker.postMessage(message),
    close: async () => {
      if (!closing) {
        closing = true
        worker.ref()
        flush()
        worker.postMessage({ kind: 'close' } satisfies ToThread)
      }
      await ended
    },
  }
}

/** A number and one listener for each signal, since hundreds of requests share the shutdown signal. */
function createGroups(interrupt: (group: number) => void): (signal: AbortSignal) => number {
  const known = new WeakMap<AbortSignal, number>()
  let last = 0
  return (signal) => {
    const existing = known.get(signal)
    if (existing !== undefined) return existing
    last += 1
    const group = last
    known.set(signal, group)
    // After the requests of this turn, so that the abort finds them.
    signal.addEventListener('abort', () => queueMicrotask(() => interrupt(group)), { once: true })
    return group
  }
}
