import { parentPort, workerData } from 'node:worker_threads'
import { giveBackIdleMemory } from '../../../runtime/idle-memory.ts'
import type { CreateEngine, Engine, FromWorker, ToWorker, WorkerOptions } from './wire.ts'

/** The thread of `createEngineWorker`: builds the engine, then enriches reviews one after another. */

if (parentPort === null) throw new Error('This module is the thread of an engine.')
const port = parentPort
giveBackIdleMemory()
const post = (message: FromWorker) => port.postMessage(message)
const { createEngine } = (await import((workerData as WorkerOptions).engine)) as {
  createEngine: CreateEngine
}
let engine: Engine | null = await createEngine()

let last = Promise.resolve()
let isEnding = false
port.on('message', (message: ToWorker) => {
  if (message === 'end') {
    isEnding = true
    void last.then(end)
    return
  }
  last = last.then(async () => {
    for (const { id, input } of message) {
      if (isEnding || engine === null) return
      try {
        post({ kind: 'enriched', id, enrichment: await engine(input) })
      } catch (error) {
        post({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) })
      }
    }
  })
})
post({ kind: 'ready' })

/** Collects first: the process keeps the pages of a thread's heap that it has at its end. */
function end() {
  engine = null
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  port.close()
}
