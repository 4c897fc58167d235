import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './command.ts'

/**
 * Seven seeds have connected stores or simulate more than twenty minutes before the drain; seed 31 takes half as long as all others. Two
 * have a greedy account. `npm run test:simulation` runs any seeds.
 */
const SEEDS = { from: 31, count: 31 }

test('the pipeline keeps its guarantees under every fault schedule', async () => {
  const { status, output } = await runCommand([
    ...['--engine', 'sqlite', '--from', `${SEEDS.from}`, '--seeds', `${SEEDS.count}`],
  ])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS.count} seeds, 0 with a violation; `, 'm'))
})
