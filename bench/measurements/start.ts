import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import type { BenchEngine } from '../engines.ts'
import { median } from '../figures.ts'
import { fillReviews } from '../fill.ts'
import { SECRET_KEY } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'

const RADAR = fileURLToPath(new URL('../../bin/radar', import.meta.url))
const START_TIMEOUT_MS = 60_000

/** The time from the start of `radar serve` to the first successful `/readyz`. */
export const start: Measurement = {
  name: 'start',
  about: 'time from start to ready, with an empty and with a large database',
  async run(bench) {
    const reviews = bench.options.short ? 100_000 : 1_000_000
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      await timed(bench, engine, `start.${name}.empty`)
      await fillReviews(
        engine,
        reviews,
        Array.from({ length: 100 }, (_, index) => `org.example.app${index}`),
      )
      await timed(bench, engine, `start.${name}.${reviews}`)
    }
  },
}

async function timed(bench: Bench, engine: BenchEngine, name: string): Promise<void> {
  const times: number[] = []
  for (let time = 0; time < (bench.options.short ? 3 : 7); time++) times.push(await readyMs(bench, engine))
  bench.report({ name, value: median(times), unit: 'ms', note: `${times.length} starts` })
}

async function readyMs(bench: Bench, engine: BenchEngine): Promise<number> {
  const port = await freePort()
  const startedMs = performance.now()
  const service = spawn(process.execPath, [RADAR, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      RADAR_PORT: String(port),
      RADAR_DATA_DIR: await bench.folder(),
      RADAR_DATABASE_URL: engine.url,
      RADAR_SECRET_KEY: SECRET_KEY,
    },
  })
  try {
    while (!(await isReady(port))) {
      if (service.exitCode !== null || performance.now() - startedMs > START_TIMEOUT_MS)
        throw new Error('not ready')
      await setTimeout(5)
    }
    return performance.now() - startedMs
  } finally {
    await end(service)
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

async function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null) return
  const exit = once(service, 'exit')
  service.kill('SIGTERM')
  await exit
}
