import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ABLATIONS } from './ablations.ts'
import { openSeedThread } from './seed-thread.ts'

const seeds = openSeedThread('sqlite')
after(() => seeds[Symbol.asyncDispose]())

/** The number of seeds that must detect a defect. */
const DEFECT_SEEDS = 12

test('a seed replays exactly', async () => {
  for (const seed of [3, 7, 12]) {
    const hashes = [await seeds.run(seed), await seeds.run(seed)].map(({ hash }) => hash)
    assert.equal(hashes[0], hashes[1], `seed ${seed}`)
  }
})

for (const [ablate, { engine: only, plan }] of Object.entries(ABLATIONS)) {
  if (only === 'postgres') continue
  test(`a few seeds detect the defect "${ablate}"`, async () => {
    for (let seed = 1; seed <= DEFECT_SEEDS; seed += 1) {
      const { invariant } = await seeds.run(seed, { ablate })
      if (invariant === null) continue
      if (plan === undefined) return
      const control = await seeds.run(seed, { ablate, control: true })
      assert.equal(control.detail, null, 'the run without the defect also fails')
      return
    }
    assert.fail('no seed detected the defect')
  })
}
