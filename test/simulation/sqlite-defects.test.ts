import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ABLATIONS } from './ablations.ts'
import { openEngine } from './engines.ts'
import { runSeed } from './run.ts'

const engine = await openEngine('sqlite')
after(() => engine[Symbol.asyncDispose]())

/** The number of seeds that must detect a defect. */
const DEFECT_SEEDS = 12

test('a seed replays exactly', async () => {
  for (const seed of [3, 7, 12]) {
    const hashes = [await runSeed(engine, seed), await runSeed(engine, seed)].map(({ hash }) => hash)
    assert.equal(hashes[0], hashes[1], `seed ${seed}`)
  }
})

for (const [ablate, { engine: only, plan }] of Object.entries(ABLATIONS)) {
  if (only === 'postgres') continue
  test(`a few seeds detect the defect "${ablate}"`, async () => {
    for (let seed = 1; seed <= DEFECT_SEEDS; seed += 1) {
      const { violation } = await runSeed(engine, seed, { ablate })
      if (violation === null) continue
      if (plan === undefined) return
      const control = await runSeed(engine, seed, { ablate, control: true })
      assert.equal(control.violation, null, 'the run without the defect also fails')
      return
    }
    assert.fail('no seed detected the defect')
  })
}
