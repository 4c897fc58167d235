import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/**
 * Restricts an existing file to its owner. Returns its former mode when that was wider, for a message to the operator;
 * null when nothing changed or there is no such file. Throws the system's error when this user may not change it.
 */
export function narrowToOwner(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false })
  // Devices and folders stay unchanged.
  if (stats === undefined || !stats.isFile() || (stats.mode & OTHERS) === 0) return null
  chmodSync(file, stats.mode & 0o700)
  return (stats.mode & 0o777).toString(8).padStart(4, '0')
}

/**
 * Creates an empty file that only its owner may read, unless it exists. Ignores errors, because the next open reports
 * them.
 */
export function createForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY))
  } catch {
    // The file exists, or its folder is not writable.
  }
}
