import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEngine } from './engines.ts'
import { reportOf } from './report.ts'
import { runSeed } from './run.ts'

const engine = await openEngine('postgres')
after(() => engine[Symbol.asyncDispose]())

const SEEDS = 12

test('several nodes on one database keep the promises of one', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await runSeed(engine, seed)
    assert.equal(result.violation, null, reportOf(engine.name, result))
  }
})

test('a seed with several nodes replays exactly', async () => {
  const hashes = [await runSeed(engine, 4), await runSeed(engine, 4)].map(({ hash }) => hash)
  assert.equal(hashes[0], hashes[1])
})
