import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/**
 * Makes an existing file readable and writable by its owner alone. The mode it had when that was wider, so that the
 * operator can be told; null when there was nothing to do or there is no such file. Throws what the system says when
 * this user may not change it.
 */
export function narrowToOwner(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  // What is no plain file (a device, a folder) has rules of its own.
  if (stats === undefined || !stats.isFile() || (stats.mode & OTHERS) === 0) return null
  chmodSync(file, stats.mode & 0o700)
  return (stats.mode & 0o777).toString(8).padStart(4, '0')
}

/**
 * Makes an empty file that only its owner may read, unless there is a file already. Makes none where that is not
 * possible: whoever opens it next learns why.
 */
export function createForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY))
  } catch {
    // There already, or in a folder that cannot be written.
  }
}
