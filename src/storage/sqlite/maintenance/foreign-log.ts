import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { SchemaError } from '../../port/errors.ts'

/** The write version of a database file: 1 without a write-ahead log, 2 with one (https://www.sqlite.org/fileformat.html, 1.3.3). */
const WRITE_VERSION_AT = 18
const WITHOUT_LOG = 1

/**
 * Throws `SchemaError` when the log beside a database file belongs to another one. SQLite would apply it and so mix both, or undo a
 * restore. Backups and restored files are without a log, and a file gets version 2 before its log exists, so both together mean that the
 * file was replaced.
 */
export function refuseForeignLog(file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (log === undefined || log.size === 0 || writeVersionOf(file) !== WITHOUT_LOG) return
  throw new SchemaError(
    `The file ${file} was replaced, but ${file}-wal still belongs to the former database, and SQLite would mix both. Nothing was changed. Move ${file}-wal and ${file}-shm to another folder, or use "radar restore" with the backup.`,
  )
}

function writeVersionOf(file: string): number | undefined {
  const bytes = Buffer.alloc(1)
  try {
    const opened = openSync(file, 'r')
    try {
      return readSync(opened, bytes, 0, 1, WRITE_VERSION_AT) === 1 ? bytes[0] : undefined
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined // the next open reports it
  }
}
