import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDefects } from './detect.ts'
import { openSeedThread } from './seed-thread.ts'

const seeds = openSeedThread('sqlite')
after(() => seeds[Symbol.asyncDispose]())

test('a seed replays exactly', async () => {
  for (const seed of [3, 7, 12]) {
    const hashes = [await seeds.run(seed), await seeds.run(seed)].map(({ hash }) => hash)
    assert.equal(hashes[0], hashes[1], `seed ${seed}`)
  }
})

testDefects('sqlite', seeds)
