import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../../runtime/make-folder.ts'
import { createForOwner } from '../../../runtime/private-file.ts'
import { pendingMigrations } from '../../migrate.ts'
import { SchemaError, StorageUnavailable } from '../../port/errors.ts'
import { Connection } from '../connect.ts'
import { appliedMigrations, sqliteSchema } from '../migrate.ts'
import { ServiceLock } from './service-lock.ts'

/**
 * SQLite reads them together with a database file of the same name, whatever they belong to. The journal is of file systems without a log.
 */
const LOGS = ['-wal', '-journal']
const SHARED_MEMORY = '-shm'

/**
 * Replaces the database `file` by a copy of `backup`, which is checked first. The former one gets another name, with its log. Returns that
 * name; null without a former one. A failure or a kill leaves one of both in place, and a log that does not belong to it is noticed at the
 * next start (foreign-log.ts). Throws `SchemaError` for a backup that cannot be used, and `StorageUnavailable` while a service runs or when
 * a file cannot be written.
 */
export async function restoreSqlite(options: {
  readonly file: string
  readonly backup: string
  readonly serviceVersion: string
  readonly now: Date
}): Promise<string | null> {
  const { file, backup, serviceVersion, now } = options
  makeFolder(dirname(file))
  const copy = `${file}-restoring`
  const kept = `${file}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  using lock = new ServiceLock(file)
  let wasThere = false
  const alone = await lock.join(async () => {
    remove(copy)
    try {
      copyChecked(backup, copy, serviceVersion)
      wasThere = keep(file, kept)
      renameSync(copy, file)
      for (const suffix of [...LOGS, SHARED_MEMORY]) rmSync(file + suffix, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      throw new StorageUnavailable(`The database was not restored: ${error.message}.`, { cause: error })
    } finally {
      remove(copy)
    }
  })
  if (!alone) throw new StorageUnavailable(`A service runs on ${file}. Stop it, then restore.`)
  return wasThere ? kept : null
}

/** The copy has no log beside it. */
function copyChecked(backup: string, copy: string, serviceVersion: string): void {
  // A log beside the backup belongs to it: it is a copy of all files of a stopped service.
  for (const suffix of ['', ...LOGS].filter((each) => each === '' || existsSync(backup + each))) {
    createForOwner(copy + suffix)
    copyFileSync(backup + suffix, copy + suffix)
  }
  try {
    using db = new Connection(copy)
    const problem = db.get<{ integrity_check: string }>('pragma integrity_check(1)')?.integrity_check
    if (problem !== 'ok')
      throw new SchemaError(
        `The file ${copy} is damaged (${problem?.split('\n').at(-1)}). Use another backup.`,
      )
    const applied = appliedMigrations(db)
    if (applied === null) throw new SchemaError(`The file ${copy} is empty. Use another backup.`)
    pendingMigrations(sqliteSchema(), applied, { where: copy, serviceVersion })
    db.exec('pragma journal_mode = delete')
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    throw new SchemaError(`${error.message.replaceAll(copy, backup)} The database is unchanged.`, {
      cause: error,
    })
  }
}

/** Gives the database a second name. Some file systems have no links. */
function keep(from: string, to: string): boolean {
  for (const suffix of ['', ...LOGS].filter((each) => existsSync(from + each))) {
    try {
      linkSync(from + suffix, to + suffix)
    } catch {
      copyFileSync(from + suffix, to + suffix, constants.COPYFILE_EXCL)
    }
  }
  return existsSync(to)
}

function remove(file: string): void {
  for (const suffix of ['', ...LOGS, SHARED_MEMORY]) rmSync(file + suffix, { force: true })
}
