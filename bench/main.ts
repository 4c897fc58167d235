import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { type BenchEngine, ENGINES, type EngineName, openEngine } from './engines.ts'
import { type Figure, lineOf } from './figures.ts'
import type { Bench, Measurement, Options } from './measurement.ts'
import { appPage } from './measurements/app-page.ts'
import { busyHook } from './measurements/busy-hook.ts'
import { claims } from './measurements/claims.ts'
import { deliveries } from './measurements/deliveries.ts'
import { detection } from './measurements/detection.ts'
import { enrichment } from './measurements/enrichment.ts'
import { idle } from './measurements/idle.ts'
import { latency } from './measurements/latency.ts'
import { memory } from './measurements/memory.ts'
import { nodes } from './measurements/nodes.ts'
import { readApi } from './measurements/read-api.ts'
import { receivers } from './measurements/receivers.ts'
import { reviewFeed } from './measurements/review-feed.ts'
import { seen } from './measurements/seen.ts'
import { start } from './measurements/start.ts'
import { targets } from './measurements/targets.ts'

/** In the order of the flow, with long measurements at the end. */
const MEASUREMENTS: readonly Measurement[] = [
  detection,
  enrichment,
  deliveries,
  receivers,
  busyHook,
  nodes,
  latency,
  targets,
  memory,
  idle,
  start,
  reviewFeed,
  readApi,
  appPage,
  claims,
  seen,
]

const USAGE = `usage: npm run bench -- [--only NAME]... [--engine sqlite|postgres|both] [--short] [--json] [--profile FOLDER]

${MEASUREMENTS.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    engine: { type: 'string', default: 'both' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const unknown = values.only?.find((name) => !MEASUREMENTS.some((one) => one.name === name))
const engines = values.engine === 'both' ? ENGINES : ENGINES.filter((name) => name === values.engine)
if (values.help || unknown !== undefined || engines.length === 0) {
  const invalid = unknown ?? (engines.length === 0 ? values.engine : null)
  if (invalid !== null) process.stderr.write(`Unknown measurement or engine ${JSON.stringify(invalid)}.\n`)
  process.stdout.write(USAGE)
  process.exitCode = values.help ? 0 : 2
} else {
  await main({ short: values.short, engines, profileFolder: values.profile ?? null })
}

async function main(options: Options): Promise<void> {
  await using opened = new AsyncDisposableStack()
  let postgres: Promise<TestPostgres> | null = null
  const startedPostgres = () => {
    postgres ??= startPostgres().then((server) => opened.use(server))
    return postgres
  }
  const log = (line: string) => void process.stderr.write(`${line}\n`)
  const selected = MEASUREMENTS.filter(({ name }) => values.only?.includes(name) ?? true)
  const processor = cpus()[0]?.model ?? 'unknown processor'
  log(
    `${cpus().length} x ${processor}, Node ${process.version}${options.short ? ', short: figures not comparable' : ''}`,
  )
  for (const measurement of selected) {
    log(`\n${measurement.name}: ${measurement.about}`)
    await measure(measurement, options, startedPostgres, log)
  }
}

async function measure(
  measurement: Measurement,
  options: Options,
  startedPostgres: () => Promise<TestPostgres>,
  log: (line: string) => void,
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'radar-bench-'))
    opened.defer(() => rm(made, { recursive: true, force: true }))
    return made
  }
  const engine = async (name: EngineName): Promise<BenchEngine> => {
    const made = await openEngine(name, {
      folder: await folder(),
      newDatabase: async () => (await startedPostgres()).newDatabase(),
    })
    opened.use(made.storage)
    return made
  }
  const report = (figure: Figure) =>
    void process.stdout.write(`${values.json ? JSON.stringify(figure) : lineOf(figure)}\n`)
  const bench: Bench = { options, engine, folder, log, report }
  await measurement.run(bench)
}
