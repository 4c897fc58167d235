import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './command.ts'

/** A minute on one core. `npm run test:simulation` runs any number of seeds. */
const SEEDS = 60

test('the pipeline keeps its guarantees under every fault schedule', async () => {
  const { status, output } = await runCommand(['--engine', 'sqlite', '--seeds', `${SEEDS}`])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS} seeds, 0 with a violation; `, 'm'))
})
