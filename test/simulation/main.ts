import { parseArgs } from 'node:util'
import { openEngine } from './engines.ts'
import { replayCommand, reportOf } from './report.ts'
import { runSeed } from './run.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    hours: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    ablate: { type: 'string' },
    connections: { type: 'boolean' },
    trace: { type: 'boolean', default: false },
  },
})
const engineName = values.engine === 'postgres' ? 'postgres' : 'sqlite'
const hours = values.hours === undefined ? undefined : Number(values.hours)
/** The options of the command that replays a seed. */
const replayed = { hours, connections: values.connections }
const first = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
/** Seeds between two progress lines. */
const PROGRESS_SEEDS = 250
const print = (line: string) => process.stdout.write(`${line}\n`)

await using engine = await openEngine(engineName)
const startedAt = performance.now()
let simulatedMs = 0
let requests = 0
let lostByOutage = 0
let failed = 0
let ran = 0
let stopped = false
// A stopped run prints its results.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true))
for (let seed = first; seed < first + count && !stopped; seed += 1) {
  const result = await runSeed(engine, seed, {
    hours,
    ablate: values.ablate,
    connections: values.connections,
    print: values.trace ? print : null,
  })
  ran += 1
  simulatedMs += result.simulatedMs
  requests += result.requests
  lostByOutage += result.lostByOutage
  if (ran % PROGRESS_SEEDS === 0) print(summary(ran))
  if (count === 1) print(`trace ${result.hash}`)
  if (result.violation === null) continue
  failed += 1
  // The full report for the first violation, one line for each other.
  if (failed === 1) print(`\n${reportOf(engineName, result, replayed)}`)
  else
    print(`\nseed ${seed}: ${result.violation.message}\nreplay: ${replayCommand(engineName, seed, replayed)}`)
}
print(summary(ran))
process.exitCode = failed > 0 ? 1 : 0

function summary(seeds: number): string {
  const tookS = (performance.now() - startedAt) / 1000
  const simulatedHours = (simulatedMs / 3_600_000).toFixed(1)
  return `${seeds} seeds, ${failed} with a violation; ${simulatedHours} simulated hours in ${tookS.toFixed(1)} s; ${requests} requests to receivers; ${lostByOutage} events that Google no longer listed after an outage`
}
