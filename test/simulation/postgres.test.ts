import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { runCommand } from './command.ts'
import { testDefects } from './detect.ts'
import { openSeedThread } from './seed-thread.ts'

const seeds = openSeedThread('postgres')
after(() => seeds[Symbol.asyncDispose]())

/**
 * All of these have several nodes, and two of them connected stores and an outage. `npm run test:simulation -- --engine postgres` runs any
 * seeds.
 */
const SEEDS = { from: 16, count: 6 }

test('several nodes on one database keep the guarantees of a single node', async () => {
  const { status, output } = await runCommand([
    ...['--engine', 'postgres', '--from', `${SEEDS.from}`, '--seeds', `${SEEDS.count}`],
  ])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`^${SEEDS.count} seeds, 0 with a violation; `, 'm'))
})

test('a seed with several nodes replays exactly', async () => {
  const hashes = [await seeds.run(2), await seeds.run(2)].map(({ hash }) => hash)
  assert.equal(hashes[0], hashes[1])
})

test('an interrupted run ends after the current seed and prints its results', async () => {
  const main = ['test/simulation/main.ts', '--engine', 'postgres', '--seeds', '10000', '--trace']
  // In a separate process group, because a terminal sends Ctrl-C to the whole group.
  const run = spawn(process.execPath, main, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors] = [text(run.stdout), text(run.stderr)]
  const ended = once(run, 'exit')
  await once(run.stdout, 'readable')
  process.kill(-(run.pid ?? assert.fail('the run did not start')), 'SIGINT')
  assert.deepEqual(await ended, [0, null], await errors)
  assert.match((await out).trimEnd().split('\n').at(-1) ?? '', /^\d+ seeds, 0 with a violation; /)
})

testDefects('postgres', seeds)
