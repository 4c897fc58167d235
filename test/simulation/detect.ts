import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ABLATIONS } from './ablations.ts'
import type { EngineName } from './engines.ts'
import type { SeedThread } from './seed-thread.ts'

/** Tried after the stored seed of a defect. Seed 1 simulates more than an hour, all of these together two. */
const OTHER_SEEDS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** One test for each deliberate defect that has a seed for this engine. */
export function testDefects(engine: EngineName, seeds: SeedThread): void {
  for (const [ablate, { plan, foundAs, seeds: stored }] of Object.entries(ABLATIONS)) {
    const first = stored[engine]
    if (first === undefined) continue
    test(`a few seeds detect the defect "${ablate}"`, async () => {
      for (const seed of new Set([first, ...OTHER_SEEDS])) {
        const { invariant } = await seeds.run(seed, { ablate })
        if (invariant === null || foundAs?.includes(invariant) === false) continue
        if (plan === undefined) return
        const control = await seeds.run(seed, { ablate, control: true })
        assert.equal(control.detail, null, 'the run without the defect also fails')
        return
      }
      assert.fail('no seed detected the defect')
    })
  }
}
