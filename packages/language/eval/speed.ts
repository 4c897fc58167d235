/**
 * Loads the engine, reads the labelled files and prints one JSON line. Runs in a child process, so that nothing else uses memory. Speed is
 * per second of processor time. Memory is the growth of resident bytes after garbage collection.
 */
import { createLanguageEngine } from '../src/engine.ts'
import { inputOf, readLabelled } from './labelled.ts'

export type Speed = {
  readonly reviewsPerSecond: number
  readonly loadMs: number
  readonly memoryAddedBytes: number
}

const MEASURED_MS = 3_000

if (import.meta.main) {
  const reviews = process.argv.slice(2).flatMap(readLabelled)
  const collect = globalThis.gc ?? (() => {})
  collect()
  const rssBefore = process.memoryUsage.rss()
  const loadStarted = performance.now()
  const engine = await createLanguageEngine()
  const loadMs = performance.now() - loadStarted
  const read = async () => {
    for (const review of reviews) await engine(inputOf(review, true))
  }
  await read()
  const started = performance.now()
  const cpuBefore = process.cpuUsage()
  let rounds = 0
  while (performance.now() - started < MEASURED_MS) {
    await read()
    rounds++
  }
  // Processor time, so that other load does not count.
  const { user, system } = process.cpuUsage(cpuBefore)
  const tookMs = (user + system) / 1_000
  collect()
  const speed: Speed = {
    reviewsPerSecond: Math.round((rounds * reviews.length * 1_000) / tookMs),
    loadMs: Math.round(loadMs),
    memoryAddedBytes: process.memoryUsage.rss() - rssBefore,
  }
  process.stdout.write(`${JSON.stringify(speed)}\n`)
}
