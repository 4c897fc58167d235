/** The engine cannot be reached; the call may or may not have taken effect. Retryable. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
}

/** The database was written by a newer version of the service, by one that this one cannot upgrade, or by another program. Not retryable. */
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
    | 'reply templates'
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
