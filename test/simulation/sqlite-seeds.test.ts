import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEngine } from './engines.ts'
import { reportOf } from './report.ts'
import { runSeed } from './run.ts'

const engine = await openEngine('sqlite')
after(() => engine[Symbol.asyncDispose]())

/** About 75 seconds on one core. `npm run test:simulation` accepts any number of seeds. */
const SEEDS = 200

test('the pipeline keeps its guarantees under every fault schedule', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await runSeed(engine, seed)
    assert.equal(result.violation, null, reportOf(engine.name, result))
  }
})
