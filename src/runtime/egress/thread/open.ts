import { Worker } from 'node:worker_threads'
import type { Egress, EgressAnswer } from '../egress.ts'
import { interrupted } from '../open.ts'
import {
  type FromThread,
  type Order,
  received,
  sharedNowMs,
  type ThreadOptions,
  type ToThread,
} from './wire.ts'

/**
 * The guarded egress in a thread of its own: sockets, TLS, and the reading of what receivers send do not wait for
 * storage's commits, nor these for them. The same answers as from `openEgress`; the time of a request includes its wait
 * between the threads. The thread starts with the first request, since it takes some 25 MB. A mistake of ours inside it
 * ends the process, as it would without a thread.
 */
export function openEgressThread(options: ThreadOptions): Egress {
  let thread: Thread | null = null
  let closed = false
  const groupOf = createGroups((group) => thread?.tell({ kind: 'interrupt', group }))
  return {
    request: ({ signal, ...request }) => {
      if (closed || signal?.aborted) return interrupted()
      thread ??= startThread(options)
      return thread.order(request, signal === undefined ? null : groupOf(signal))
    },
    [Symbol.asyncDispose]: async () => {
      closed = true
      await thread?.close()
    },
  }
}

type Thread = {
  readonly order: (request: Order['request'], group: number | null) => Promise<EgressAnswer>
  readonly tell: (message: ToThread) => void
  readonly close: () => Promise<void>
}

function startThread(options: ThreadOptions): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options })
  const waiting = new Map<number, (answer: EgressAnswer) => void>()
  let orders: Order[] = []
  let lastId = 0
  let closing = false

  worker.on('message', (answers: FromThread) => {
    for (const { id, answer } of answers) {
      waiting.get(id)?.(received(answer))
      waiting.delete(id)
    }
    // A process that has nothing else to do may end.
    if (waiting.size === 0 && !closing) worker.unref()
  })
  worker.on('error', (error) => {
    throw error
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  const flush = () => {
    if (orders.length > 0) worker.postMessage({ kind: 'orders', orders } satisfies ToThread)
    orders = []
  }
  return {
    order: (request, group) =>
      new Promise((resolve) => {
        if (waiting.size === 0) worker.ref()
        lastId += 1
        waiting.set(lastId, resolve)
        // Those of one turn go together: a claim starts many.
        if (orders.length === 0) queueMicrotask(flush)
        orders.push({ id: lastId, orderedAtMs: sharedNowMs(), request, group })
      }),
    tell: (message) => worker.postMessage(message),
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

/** A number for each signal, and one listener: hundreds of requests share the signal of a shutdown. */
function createGroups(interrupt: (group: number) => void): (signal: AbortSignal) => number {
  const known = new WeakMap<AbortSignal, number>()
  let last = 0
  return (signal) => {
    const existing = known.get(signal)
    if (existing !== undefined) return existing
    last += 1
    const group = last
    known.set(signal, group)
    // After the orders of this turn, or it would find none of them.
    signal.addEventListener('abort', () => queueMicrotask(() => interrupt(group)), { once: true })
    return group
  }
}
