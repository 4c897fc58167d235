import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '../../../../test/support/until.ts'
import { silentLog } from '../../../runtime/log.ts'
import { createEngineWorker, type EngineWorkerOptions, type WorkerResult } from './engine-worker.ts'

const never = new AbortController().signal
const hostile = new URL('../../../../test/support/hostile-engine.ts', import.meta.url)

function open(change: Partial<EngineWorkerOptions> = {}) {
  return createEngineWorker({ engine: hostile, restartMs: 10, ...change }, silentLog)
}

const inputOf = (body: string) => ({ title: null, body, rating: 3, storefront: null, app: null })

/** The summary of each text, or the reason of its failure. */
async function enrich(worker: ReturnType<typeof open>, texts: readonly string[], signal = never) {
  return (await worker.enrich(texts.map(inputOf), signal)).map(shown)
}

function shown(result: WorkerResult): string {
  if (result.kind === 'enriched') return result.enrichment.summary_en
  return result.kind === 'failed' ? result.failure : result.kind
}

test('reviews are enriched in the order of the request', async () => {
  await using worker = open()
  const texts = ['a', 'wait', 'b', 'c']
  assert.deepEqual(await enrich(worker, texts), texts)
  assert.deepEqual(await Promise.all([enrich(worker, ['d', 'wait']), enrich(worker, ['e'])]), [
    ['d', 'wait'],
    ['e'],
  ])
})

test('a review that takes too long fails without blocking this thread, and the others are enriched', async () => {
  await using worker = open({ reviewMsMax: 300 })
  await enrich(worker, ['built'])
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  assert.deepEqual(await enrich(worker, ['a', 'hang', 'b', 'hang', 'c']), [
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
  ['uses too much memory', 'eat memory'],
] as const) {
  test(`a review that ${what} fails, and the others are enriched`, async () => {
    await using worker = open({ memoryMibMax: 64 })
    assert.deepEqual(await enrich(worker, ['a', text, 'b']), ['a', 'worker_died', 'b'])
    assert.equal(worker.pending(), null)
  })
}

test('a review that makes the engine throw fails, and the others are enriched', async () => {
  await using worker = open()
  assert.deepEqual(await enrich(worker, ['a', 'throw', 'b']), ['a', 'engine_failed', 'b'])
})

test('an aborted request returns at once, and later requests are still answered', async () => {
  await using worker = open({ reviewMsMax: 300 })
  await enrich(worker, ['built'])
  const stop = new AbortController()
  const interrupted = enrich(worker, ['hang', 'a'], stop.signal)
  const other = enrich(worker, ['b'])
  stop.abort()
  assert.deepEqual(await interrupted, ['aborted', 'aborted'])
  assert.deepEqual(await other, ['b'])
  assert.deepEqual(await enrich(worker, ['c'], stop.signal), ['aborted'])
})

test('the worker is pending until the engine is ready, and then calls back once', async () => {
  await using worker = open()
  assert.match(worker.pending() ?? '', /is starting/)
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

test('the worker reports why an engine cannot start, and retries', async () => {
  const events: string[] = []
  const log = { ...silentLog, error: (event: string) => void events.push(event) }
  const engine = new URL('../../../../test/support/unbuildable-engine.ts', import.meta.url)
  await using worker = createEngineWorker({ engine, restartMs: 10 }, log)
  worker.begin(() => assert.fail('it has not started'))
  await until(
    'it was tried again',
    () => events.filter((event) => event === 'enrichment.not_built').length > 1,
  )
  assert.match(worker.pending() ?? '', /cannot start: the tables are missing/)
})

/** A worker that calls `onUnload` each time it unloads its engine, at once. */
function openUnused(onUnload: (worker: ReturnType<typeof open>) => void) {
  const log = {
    ...silentLog,
    info: (event: string) => event === 'enrichment.engine_unloaded' && onUnload(worker),
  }
  const worker = createEngineWorker({ engine: hostile, unusedMsMax: 1 }, log)
  return worker
}

test('an unused engine is unloaded without being pending, and the next review starts another thread', async () => {
  let unloads = 0
  await using worker = openUnused(() => {
    unloads += 1
  })
  worker.begin(() => {})
  await until('it is unloaded after its start', () => unloads === 1)
  assert.equal(worker.pending(), null)
  const first = await enrich(worker, ['thread'])
  await until('it is unloaded after a review', () => unloads === 2)
  assert.equal(worker.pending(), null)
  const second = await enrich(worker, ['thread'])
  assert.match(`${first} ${second}`, /^thread \d+ thread \d+$/)
  assert.notDeepEqual(first, second)
})

test('reviews that arrive while the thread ends are enriched, and closing the worker then settles them', async () => {
  const requests: Promise<string[]>[] = []
  await using worker = openUnused((unloading) => {
    if (requests.length < 3) requests.push(enrich(unloading, ['a', 'wait', 'b']))
    else void unloading[Symbol.asyncDispose]()
    requests.push(enrich(unloading, ['c']))
  })
  assert.deepEqual(await enrich(worker, ['first']), ['first'])
  await until('it was closed while it was unloaded', () => requests.length === 5)
  assert.deepEqual(await Promise.all(requests), [
    ['a', 'wait', 'b'],
    ['c'],
    ['a', 'wait', 'b'],
    ['c'],
    ['aborted'],
  ])
})

test('closing the worker waits for the end of a thread whose engine is unloaded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-engine-'))
  const closed = Promise.withResolvers<void>()
  const worker = openUnused(() => closed.resolve(worker[Symbol.asyncDispose]()))
  await enrich(worker, [join(folder, 'ended')])
  await closed.promise
  assert.ok(existsSync(join(folder, 'ended')))
  rmSync(folder, { recursive: true })
})

test('closing the worker settles open requests', async () => {
  const worker = open({ endMsMax: 10 })
  const results = enrich(worker, ['hang'])
  await worker[Symbol.asyncDispose]()
  assert.deepEqual(await results, ['aborted'])
  assert.deepEqual(await enrich(worker, ['a']), ['aborted'])
})

/** A worker whose engine blocks its thread during the start, until `finish`. */
async function openStarting(change: Partial<EngineWorkerOptions>) {
  const folder = mkdtempSync(join(tmpdir(), 'radar-engine-'))
  const engine = new URL('../../../../test/support/blocking-engine.ts', import.meta.url)
  engine.searchParams.set('folder', folder)
  const worker = open({ engine, ...change })
  worker.begin(() => {})
  await until('the engine is starting', () => existsSync(join(folder, 'building')))
  return {
    worker,
    finish: () => writeFileSync(join(folder, 'finish'), ''),
    hasStarted: () => existsSync(join(folder, 'built')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

test('closing the worker during the start of its engine waits for the start', async () => {
  using starting = await openStarting({ endMsMax: 1 })
  const closed = starting.worker[Symbol.asyncDispose]()
  // Longer than a started engine may take to end.
  await setTimeout(50)
  starting.finish()
  await closed
  assert.ok(starting.hasStarted(), 'the thread was terminated during the start')
})

test('closing the worker terminates a start that does not end', async () => {
  using starting = await openStarting({ startEndMsMax: 1 })
  await starting.worker[Symbol.asyncDispose]()
  assert.ok(!starting.hasStarted())
})
