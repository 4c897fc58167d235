import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../../../test/support/until.ts'
import { silentLog } from '../../../runtime/log.ts'
import { createEngineWorker, type EngineWorkerOptions, type ReadResult } from './engine-worker.ts'

const never = new AbortController().signal
const hostile = new URL('../../../../test/support/hostile-engine.ts', import.meta.url)

function open(change: Partial<EngineWorkerOptions> = {}) {
  return createEngineWorker({ engine: hostile, restartMs: 10, ...change }, silentLog)
}

const inputOf = (body: string) => ({ title: null, body, rating: 3, storefront: null, app: null })

/** The result of each text; for a failed text the reason. */
async function read(worker: ReturnType<typeof open>, texts: readonly string[], signal = never) {
  return (await worker.read(texts.map(inputOf), signal)).map(shown)
}

function shown(result: ReadResult): string {
  if (result.kind === 'read') return result.enrichment.summary_en
  return result.kind === 'failed' ? result.failure : result.kind
}

test('reviews are enriched in the order of the request', async () => {
  await using worker = open()
  const texts = ['a', 'wait', 'b', 'c']
  assert.deepEqual(await read(worker, texts), texts)
  assert.deepEqual(await Promise.all([read(worker, ['d', 'wait']), read(worker, ['e'])]), [
    ['d', 'wait'],
    ['e'],
  ])
})

test('a review that takes too long fails, the others are enriched, and this thread is not blocked', async () => {
  await using worker = open({ reviewMsMax: 300 })
  await read(worker, ['built'])
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  assert.deepEqual(await read(worker, ['a', 'hang', 'b', 'hang', 'c']), [
    'a',
    'over_budget',
    'b',
    'over_budget',
    'c',
  ])
  lag.disable()
  assert.ok(lag.percentile(50) < 100e6, `the event loop lagged by ${lag.percentile(50) / 1e6} ms`)
})

for (const [what, text] of [
  ['ends the thread', 'exit'],
  ['takes all memory', 'eat memory'],
] as const) {
  test(`a review that ${what} fails, and the others are enriched`, async () => {
    await using worker = open({ memoryMibMax: 64 })
    assert.deepEqual(await read(worker, ['a', text, 'b']), ['a', 'worker_died', 'b'])
    assert.equal(worker.pending(), null)
  })
}

test('a review that makes the engine throw fails, and the others are enriched', async () => {
  await using worker = open()
  assert.deepEqual(await read(worker, ['a', 'throw', 'b']), ['a', 'engine_failed', 'b'])
})

test('a signal ends the wait at once, and later requests are still answered', async () => {
  await using worker = open({ reviewMsMax: 300 })
  await read(worker, ['built'])
  const stop = new AbortController()
  const interrupted = read(worker, ['hang', 'a'], stop.signal)
  const other = read(worker, ['b'])
  stop.abort()
  assert.deepEqual(await interrupted, ['unreached', 'unreached'])
  assert.deepEqual(await other, ['b'])
  assert.deepEqual(await read(worker, ['c'], stop.signal), ['unreached'])
})

test('it is pending until the engine is built, and then calls back once', async () => {
  await using worker = open()
  assert.match(worker.pending() ?? '', /being built/)
  let called = 0
  await new Promise<void>((resolve) =>
    worker.begin(() => {
      called += 1
      resolve()
    }),
  )
  assert.equal(worker.pending(), null)
  worker.begin(() => {
    called += 1
  })
  assert.equal(called, 2)
})

test('an engine that cannot be built is pending with the reason, and building is retried', async () => {
  const events: string[] = []
  const log = { ...silentLog, error: (event: string) => void events.push(event) }
  const engine = new URL('../../../../test/support/unbuildable-engine.ts', import.meta.url)
  await using worker = createEngineWorker({ engine, restartMs: 10 }, log)
  worker.begin(() => assert.fail('it is not built'))
  await until(
    'it was tried again',
    () => events.filter((event) => event === 'enrichment.not_built').length > 1,
  )
  assert.match(worker.pending() ?? '', /cannot be built: the tables are missing/)
})

test('closing it settles open requests', async () => {
  const worker = open({ endMsMax: 10 })
  const reading = read(worker, ['hang'])
  await worker[Symbol.asyncDispose]()
  assert.deepEqual(await reading, ['unreached'])
  assert.deepEqual(await read(worker, ['a']), ['unreached'])
})

/** A worker with an engine that blocks its thread until `finish` while it is built. */
async function openBuilding(change: Partial<EngineWorkerOptions>) {
  const folder = mkdtempSync(join(tmpdir(), 'radar-engine-'))
  const engine = new URL('../../../../test/support/blocking-engine.ts', import.meta.url)
  engine.searchParams.set('folder', folder)
  const worker = open({ engine, ...change })
  worker.begin(() => {})
  await until('it is being built', () => existsSync(join(folder, 'building')))
  return {
    worker,
    finish: () => writeFileSync(join(folder, 'finish'), ''),
    isBuilt: () => existsSync(join(folder, 'built')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

test('closing it during the build waits for the build, longer than a built engine may take to end', async () => {
  using building = await openBuilding({ endMsMax: 1 })
  const closed = building.worker[Symbol.asyncDispose]()
  // The time limit for building the engine passes.
  await setTimeout(50)
  building.finish()
  await closed
  assert.ok(building.isBuilt(), 'the thread was terminated during the build')
})

test('closing it terminates a build that does not end', async () => {
  using building = await openBuilding({ buildEndMsMax: 1 })
  await building.worker[Symbol.asyncDispose]()
  assert.ok(!building.isBuilt())
})
