import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { install } from './installation.ts'
import { run } from './run.ts'

/** A few rounds of `npm run test:crash`. The assertions are in run.ts. */

const ROUNDS = 3
const SEED = 7

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`kills lose no event and cause no unexpected event or unexplained duplicate (${engine})`, async () => {
    await using installation = await install({
      engine,
      nodes: 1,
      seed: SEED,
      speed: 10,
      requestsPerMinute: 600_000,
      // Kills between enrichment and its commit are the same on both engines.
      enrichment: engine === 'sqlite',
      idleApps: 0,
    })
    const figures = await run(installation, {
      rounds: ROUNDS,
      seed: SEED,
      settleEvery: ROUNDS,
      print: () => {},
    })
    assert.ok(figures.kills >= ROUNDS)
    assert.ok(figures.inFlightAtKills > 0, 'a kill interrupts deliveries')
    assert.ok(figures.events > 0)
    await rm(installation.logFile)
  })
}
