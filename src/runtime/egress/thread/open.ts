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
 * between the threads. A mistake of ours inside the thread ends the process, as it would without a thread.
 */
export function openEgressThread(options: ThreadOptions): Egress {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options })
  const waiting = new Map<number, (answer: EgressAnswer) => void>()
  const tell = (message: ToThread) => worker.postMessage(message)
  const groupOf = createGroups((group) => tell({ kind: 'interrupt', group }))
  let orders: Order[] = []
  let lastId = 0
  let closed = false

  worker.on('message', (answers: FromThread) => {
    for (const { id, answer } of answers) {
      waiting.get(id)?.(received(answer))
      waiting.delete(id)
    }
    if (waiting.size === 0 && !closed) worker.unref()
  })
  worker.on('error', (error) => {
    throw error
  })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  // A process that has nothing else to do may end.
  worker.unref()

  const flush = () => {
    if (orders.length > 0) tell({ kind: 'orders', orders })
    orders = []
  }

  return {
    request: ({ signal, ...request }) => {
      if (closed || signal?.aborted) return interrupted()
      return new Promise((resolve) => {
        if (waiting.size === 0) worker.ref()
        lastId += 1
        waiting.set(lastId, resolve)
        // Those of one turn go together: a claim starts many.
        if (orders.length === 0) queueMicrotask(flush)
        const group = signal === undefined ? null : groupOf(signal)
        orders.push({ id: lastId, orderedAtMs: sharedNowMs(), request, group })
      })
    },
    [Symbol.asyncDispose]: async () => {
      if (!closed) {
        closed = true
        worker.ref()
        flush()
        tell({ kind: 'close' })
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
