import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './command.ts'

const FIRST_SEED = 101
const SEEDS = 100

test('the pipeline keeps its guarantees under every fault schedule (more seeds)', async () => {
  const seeds = ['--from', `${FIRST_SEED}`, '--seeds', `${SEEDS}`]
  const { status, output } = await runCommand(['--engine', 'sqlite', ...seeds])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS} seeds, 0 with a violation; `, 'm'))
})
