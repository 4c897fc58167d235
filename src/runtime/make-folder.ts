import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents; existing ones stay as they are. Throws the system's error. Not `mkdir` with
 * `recursive`: it never returns where no folders can be made, as under /proc (Node 24.21, measured).
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process created it, or it is a broken link: opening a file in it will fail then.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
