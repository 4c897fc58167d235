import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EngineName } from './engines.ts'
import type { RunOptions } from './run.ts'

export type SeedRequest = {
  readonly seed: number
  readonly options: Pick<RunOptions, 'ablate' | 'control'>
}

export type SeedResult = {
  /** The violated invariant; null without a violation. */
  readonly invariant: string | null
  readonly detail: string | null
  readonly hash: string
}

export type SeedThread = AsyncDisposable & {
  /** Runs one seed. Call it again only after the result. */
  readonly run: (seed: number, options?: SeedRequest['options']) => Promise<SeedResult>
}

/**
 * Runs seeds in a thread of its own. Tests do not run them in the thread of the test runner, which follows every promise there: that takes
 * a quarter more processor time.
 */
export function openSeedThread(engine: EngineName): SeedThread {
  const worker = new Worker(new URL('seed-worker.ts', import.meta.url), { workerData: engine })
  // A thread that fails ends before anybody asks for it.
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const stopped = ended.then(() => {
    throw new Error('the thread of the seeds has ended')
  })
  stopped.catch(() => {})
  return {
    run: async (seed, options = {}) => {
      worker.postMessage({ seed, options } satisfies SeedRequest)
      const [result] = (await Promise.race([once(worker, 'message'), stopped])) as [SeedResult]
      return result
    },
    [Symbol.asyncDispose]: async () => {
      worker.postMessage(null)
      await ended
    },
  }
}
