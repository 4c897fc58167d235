import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents; existing ones stay unchanged. Throws the system's error. `mkdir` with `recursive`
 * never returns where folders cannot be created, as under /proc (Node 24.21, measured).
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process created it, or it is a broken link. Then opening a file in it fails.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
