import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds by test file. */
export type Durations = ReadonlyMap<string, number>

/** The durations of earlier runs on this machine; none if they cannot be read. */
export function readDurations(path: string): Durations {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>))
  } catch {
    return new Map()
  }
}

export function writeDurations(path: string, durations: Durations): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(durations), null, 2)}\n`)
}

/** Longest first, so that no long file is left when the others have ended. Unknown ones keep their order and come first. */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const msOf = (file: string) => durations.get(file) ?? Number.POSITIVE_INFINITY
  return files.toSorted((a, b) => (msOf(a) === msOf(b) ? 0 : msOf(b) - msOf(a)))
}
