import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../../../test/support/until.ts'
import { silentLog } from '../../../runtime/log.ts'
import { createEngineWorker } from './engine-worker.ts'

const ENGINE = new URL('../../../../packages/language/src/worker-engine.ts', import.meta.url)
const REVIEW = {
  title: null,
  body: 'It crashes. '.repeat(40),
  rating: 1,
  storefront: 'us' as const,
  app: null,
}

test('closing the worker at any time, even inside a native call, does not crash the process', async () => {
  for (const afterMs of [0, 200, 900, 910, 925]) {
    const worker = createEngineWorker({ engine: ENGINE }, silentLog)
    const ready = new Promise<void>((resolve) => worker.begin(resolve))
    if (afterMs >= 900) await ready
    const results = worker.enrich(
      Array.from({ length: 50 }, () => REVIEW),
      AbortSignal.timeout(60_000),
    )
    await setTimeout(afterMs >= 900 ? afterMs - 900 : afterMs)
    await worker[Symbol.asyncDispose]()
    assert.equal((await results).length, 50)
  }
})

test('an unused engine is unloaded and loaded again without a crash of the process', async () => {
  const unloads: string[] = []
  const log = { ...silentLog, info: (event: string) => void unloads.push(event) }
  await using worker = createEngineWorker({ engine: ENGINE, unusedMsMax: 0 }, log)
  for (const count of [1, 2, 3]) {
    const [result] = await worker.enrich([REVIEW], AbortSignal.timeout(60_000))
    assert.equal(result?.kind, 'enriched')
    await until('the engine is unloaded', () => unloads.length === count)
  }
})
