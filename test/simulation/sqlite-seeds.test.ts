import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './command.ts'

/**
 * Six have connected stores, two of them an outage, and two a greedy account. None simulates more than twenty minutes before its drain:
 * seeds 1 and 31 alone take as long as all of these. `npm run test:simulation` runs any seeds.
 */
const SEEDS = { from: 32, count: 30 }

test('the pipeline keeps its guarantees under every fault schedule', async () => {
  const { status, output } = await runCommand([
    ...['--engine', 'sqlite', '--from', `${SEEDS.from}`, '--seeds', `${SEEDS.count}`],
  ])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS.count} seeds, 0 with a violation; `, 'm'))
})
