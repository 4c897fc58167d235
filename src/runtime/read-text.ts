import { readFileSync } from 'node:fs'

/** The text of a file that an operator names; null if it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
