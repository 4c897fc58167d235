/** The engine cannot be reached; the call may or may not have taken effect. Retryable. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
}

/** The disk of the database has no space, so nothing was changed. Reading still works. Retryable once there is space. */
export class DiskFull extends StorageUnavailable {
  override readonly name = 'DiskFull'
}

/** The primary code of SQLite, and the extended one of a log index that cannot grow (https://www.sqlite.org/rescode.html). */
const SQLITE_FULL = 13
const SQLITE_IOERR_SHMSIZE = 4874
/** Of Node and of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100']

/** Whether the engine, the operating system or one of the causes says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DiskFull || ('code' in error && FULL_CODES.includes(error.code))) return true
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
  return (code & 0xff) === SQLITE_FULL || code === SQLITE_IOERR_SHMSIZE || isDiskFull(error.cause)
}

/**
 * The database was written by a newer version of the service, by one that this one cannot upgrade, or by another program. Not retryable.
 */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** Another process locks the database file for longer than a call waits. Nothing was changed. */
export class StorageLocked extends StorageUnavailable {
  override readonly name: string = 'StorageLocked'
}

/**
 * The change would exceed a limit of the account, or of a hook (`watches`). Nothing was changed. Not retryable.
 * `invitations` and `replays` count only open ones.
 */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
  readonly what:
    | 'atom feeds'
    | 'hooks'
    | 'invitations'
    | 'replays'
    | 'views'
    | 'notes'
    | 'answer templates'
    | 'store connections'
    | 'storefronts'
    | 'tokens'
    | 'watches'
  readonly max: number

  constructor(what: LimitReached['what'], max: number) {
    super(`limit reached: at most ${max} ${what}`)
    this.what = what
    this.max = max
  }
}
