import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { install } from './installation.ts'
import { run } from './run.ts'

/**
 * `npm run test:crash` repeatedly kills and stops the service, also during its start. Meanwhile reviews, edits and rating
 * drops arrive, deliveries fail and are retried, dead letters are replayed, and retention deletes rows. A program
 * pulls the same events. The exit status is 1 if an event is lost, unexpected or repeated without a cause, or pulled twice or never.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    engine: { type: 'string', default: 'sqlite' },
    nodes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    /** 1 runs bin/radar in real time, so that interrupted work continues after a minute. */
    speed: { type: 'string', default: '10' },
    'settle-every': { type: 'string', default: '5' },
    'requests-per-minute': { type: 'string', default: '600000' },
    'idle-apps': { type: 'string', default: '0' },
  },
})

const { engine } = values
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine must be sqlite or postgres.')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const seed = Number(values.seed)
const limit = Number(values['requests-per-minute'])
const startedAt = performance.now()

await using installation = await install({
  engine,
  nodes: Number(values.nodes),
  seed,
  speed: Number(values.speed),
  requestsPerMinute: limit,
  enrichment: true,
  idleApps: Number(values['idle-apps']),
})
try {
  const figures = await run(installation, {
    rounds: Number(values.rounds),
    seed,
    settleEvery: Number(values['settle-every']),
    print: (line) => console.log(line),
  })
  await rm(installation.logFile)
  const { apple, google } = figures.storeRequestsPerMinuteMax
  if (Math.max(apple, google) > limit) {
    throw new Error(
      `The limit of ${limit} requests per minute was exceeded: ${apple} to Apple, ${google} to Google.`,
    )
  }
  console.log(
    JSON.stringify(
      { ...values, ...figures, tookS: Math.round((performance.now() - startedAt) / 1000) },
      null,
      2,
    ),
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error(`See the log of the nodes: ${installation.logFile}`)
  process.exitCode = 1
}
