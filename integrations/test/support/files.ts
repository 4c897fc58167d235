import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const INTEGRATIONS = join(import.meta.dirname, '../..')

/** A JSON file below `integrations`. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(INTEGRATIONS, path), 'utf8'))
}
