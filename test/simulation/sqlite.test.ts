import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ABLATIONS } from './ablations.ts'
import { openEngine } from './engines.ts'
import { reportOf } from './report.ts'
import { runSeed } from './run.ts'

const engine = await openEngine('sqlite')
after(() => engine[Symbol.asyncDispose]())

/** About 25 seconds of one core. */
const SEEDS = 100

test('the flow keeps its promises under every fault schedule', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await runSeed(engine, seed)
    assert.equal(result.violation, null, reportOf(engine.name, result))
  }
})

test('a seed replays exactly', async () => {
  for (const seed of [3, 7, 12]) {
    const hashes = [await runSeed(engine, seed), await runSeed(engine, seed)].map(({ hash }) => hash)
    assert.equal(hashes[0], hashes[1], `seed ${seed}`)
  }
})

for (const ablate of Object.keys(ABLATIONS)) {
  test(`a few seeds find the defect "${ablate}"`, async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const { violation } = await runSeed(engine, seed, { ablate })
      if (violation !== null) return
    }
    assert.fail('no seed found it')
  })
}
