import { parentPort, workerData } from 'node:worker_threads'
import { type EngineName, openEngine } from './engines.ts'
import { runSeed } from './run.ts'
import type { SeedRequest, SeedResult } from './seed-thread.ts'

/** Runs the requested seeds one after the other, until it gets null. See `seed-thread.ts`. */

const port = parentPort
if (port === null) throw new Error('seed-worker.ts runs in a worker thread')
const engine = await openEngine(workerData as EngineName)
port.on('message', async (request: SeedRequest | null) => {
  if (request === null) {
    await engine[Symbol.asyncDispose]()
    port.close()
    return
  }
  const { violation, hash } = await runSeed(engine, request.seed, request.options)
  port.postMessage({
    invariant: violation?.invariant ?? null,
    detail: violation?.message ?? null,
    hash,
  } satisfies SeedResult)
})
