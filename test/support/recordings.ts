import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'

const FOLDER = resolve(import.meta.dirname, '../recordings')

/**
 * Recorded store answers of 2014 to 2026. They contain real reviews, so they are not in the repository but in the folder
 * RADAR_RECORDINGS, by default next to the checkout.
 */
const REAL_FOLDER =
  process.env.RADAR_RECORDINGS ?? resolve(import.meta.dirname, '../../..', 'shared', 'recordings')

/** Selects the expected value. Names, IDs and instants differ between synthetic and recorded answers. */
export type Either = <Value>(synthetic: Value, real: Value) => Value

/** The text of a synthetic store answer in `test/recordings`, which may be compressed. */
export function recording(name: string): string {
  const file = join(FOLDER, name)
  return existsSync(file)
    ? readFileSync(file, 'utf8')
    : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8')
}

/** The recorded answers with a check, of all test files in this process. */
const checked = new Set<string>()

/** Runs a check on a synthetic answer and, if available, on the recorded answer that it imitates. */
export function testShape(
  title: string,
  { synthetic, real }: { readonly synthetic: string; readonly real: string },
  check: (text: string, either: Either) => void,
): void {
  checked.add(real)
  test(title, () => check(recording(synthetic), (value) => value))
  const file = join(REAL_FOLDER, real)
  const skip = existsSync(file) ? false : `there is no recording ${file}`
  test(`${title}, recorded`, { skip }, () => check(readFileSync(file, 'utf8'), (_, value) => value))
}

/** Fails for a recorded answer that no synthetic one imitates, and for a check of a recording that is gone. */
export function testAllRecorded(title: string, store: 'apple' | 'google'): void {
  const skip = existsSync(REAL_FOLDER) ? false : `there are no recordings in ${REAL_FOLDER}`
  test(title, { skip }, () => {
    const ofStore = [...checked].filter((path) => path.startsWith(`${store}-`))
    assert.deepEqual(globSync(`${store}-*/*`, { cwd: REAL_FOLDER }).sort(), ofStore.sort())
  })
}
