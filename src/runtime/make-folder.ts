import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; one that is there stays as it is. Throws what the system says. Not `mkdir` with
 * `recursive`: Node's tries for ever where the system makes no folders, as under /proc (Node 24.21, measured).
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Somebody else made it just now, or it is a link to nowhere: who opens a file in it learns which.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
