import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { bashCompletion } from './completion.ts'

const SCRIPT = bashCompletion([
  { name: 'serve', summary: 'Run it.', options: [] },
  {
    name: 'dead list',
    summary: "List what's dead.",
    options: [
      { option: 'since', value: 'TIME', help: '' },
      { option: 'store', value: 'STORE', choices: ['apple', 'google'], help: '' },
      { option: 'file', value: 'FILE', help: '' },
    ],
  },
  { name: 'dead replay', summary: 'Replay.', options: [{ option: 'rate', help: '' }] },
])

/** The suggestions of bash after `line`. */
function offered(line: string): string[] {
  const words = line.split(' ')
  const script = `${SCRIPT}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_radar; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n').filter(Boolean)
}

test('bash completes commands, subcommands and the options of a command', () => {
  assert.deepEqual(offered('radar '), ['help', 'serve', 'dead'])
  assert.deepEqual(offered('radar d'), ['dead'])
  assert.deepEqual(offered('radar dead '), ['list', 'replay'])
  assert.deepEqual(offered('radar dead list --'), ['--since', '--store', '--file', '--help'])
  assert.deepEqual(offered('radar dead replay some-event --r'), ['--rate'])
  assert.deepEqual(offered('radar unknown '), [])
})

test('bash completes the values of an option that has a fixed list, and no options in place of another value', () => {
  assert.deepEqual(offered('radar dead list --store '), ['apple', 'google'])
  assert.deepEqual(offered('radar dead list --since x --store g'), ['google'])
  assert.deepEqual(offered('radar dead list --since '), [])
  assert.deepEqual(offered('radar dead list --file '), [])
  assert.deepEqual(offered('radar dead list --store apple --s'), ['--since', '--store'])
  assert.deepEqual(offered('radar dead replay --store '), ['--rate', '--help'])
})
