import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './command.ts'

/**
 * Three of these have connected stores, one of them an outage of days; two have a greedy account. `npm run test:simulation` runs any seeds,
 * also long ones.
 */
const SEEDS = { from: 32, count: 15 }

test('the pipeline keeps its guarantees under every fault schedule', async () => {
  const { status, output } = await runCommand([
    ...['--engine', 'sqlite', '--from', `${SEEDS.from}`, '--seeds', `${SEEDS.count}`],
  ])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS.count} seeds, 0 with a violation; `, 'm'))
})
