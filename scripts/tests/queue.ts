import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Test files that several processes take one after the other. An entry is a file in `waiting`, numbered in the order of the queue; the
 * process whose rename to `taken` succeeds has it.
 */
export type TestQueue = {
  /** The next test file; null when all are taken. */
  readonly take: () => string | null
  /** Records that the tests of the file have ended, and how long they took. */
  readonly end: (file: string, ms: number) => void
  /** How long the tests of the file took; null before they have ended. */
  readonly msOf: (file: string) => number | null
}

export function createTestQueue(folder: string, files: readonly string[]): TestQueue {
  for (const state of ['waiting', 'taken', 'ended']) mkdirSync(join(folder, state), { recursive: true })
  for (const [at, file] of files.entries())
    writeFileSync(join(folder, 'waiting', String(at).padStart(6, '0')), file)
  return openTestQueue(folder)
}

export function openTestQueue(folder: string): TestQueue {
  const endedPath = (file: string) => join(folder, 'ended', encodeURIComponent(file))
  return {
    take() {
      for (const name of readdirSync(join(folder, 'waiting')).sort()) {
        const taken = join(folder, 'taken', name)
        try {
          renameSync(join(folder, 'waiting', name), taken)
          return readFileSync(taken, 'utf8')
        } catch {
          // Another process was faster.
        }
      }
      return null
    },
    end: (file, ms) => writeFileSync(endedPath(file), String(ms)),
    msOf: (file) => (existsSync(endedPath(file)) ? Number(readFileSync(endedPath(file), 'utf8')) : null),
  }
}
