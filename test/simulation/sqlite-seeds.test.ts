import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './command.ts'

/** With `sqlite-more-seeds.test.ts` 200 seeds, in two files that run side by side. `npm run test:simulation` accepts any number of seeds. */
const SEEDS = 100

test('the pipeline keeps its guarantees under every fault schedule', async () => {
  const { status, output } = await runCommand(['--engine', 'sqlite', '--seeds', `${SEEDS}`])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS} seeds, 0 with a violation; `, 'm'))
})
