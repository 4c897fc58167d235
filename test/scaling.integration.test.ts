import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { families } from './scaling/families.ts'

/** Timeout of one family: each takes some milliseconds when its time is linear. */
const SILENCE_MS_MAX = 30_000

test('there are at least 200 different families of hostile texts', () => {
  const names = families().map(({ name }) => name)
  assert.ok(new Set(names).size >= 200, `${new Set(names).size} names`)
})

test('every parser of untrusted text takes linear time', async () => {
  assert.deepEqual(await slowOf('measure.ts'), [])
})

test('every regular expression of the product takes linear time', async () => {
  assert.deepEqual(await slowOf('measure-expressions.ts'), [])
})

/**
 * Runs a file that writes a line `family …` before each measurement, and others for what is slow. Returns those, or what it did not finish.
 */
async function slowOf(file: string): Promise<string[]> {
  const path = fileURLToPath(new URL(`./scaling/${file}`, import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const slow: string[] = []
  let family = 'none yet'
  let isDone = false
  const silence = setTimeout(() => {
    slow.push(`no answer within ${SILENCE_MS_MAX / 1_000} s for ${family}`)
    child.kill('SIGKILL')
  }, SILENCE_MS_MAX)
  for await (const line of createInterface(child.stdout)) {
    silence.refresh()
    if (line.startsWith('family ')) family = line.slice('family '.length)
    else if (line === 'done') isDone = true
    else slow.push(`${family}: ${line}`)
  }
  clearTimeout(silence)
  return isDone || slow.length > 0 ? slow : [`it ended at ${family}`]
}
