/** The engine cannot be reached now; what was asked may or may not have been done. Worth trying again. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
}

/** The database was written by a newer version of the service, or is not ours. Not worth trying again. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}

/** Another process holds a lock on the database file for longer than a call waits. Nothing was done. */
export class StorageLocked extends StorageUnavailable {
  override readonly name: string = 'StorageLocked'
}

/** The change would take an account beyond a limit. Nothing was done, and nothing will be until the account has less. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
  readonly what: 'hooks' | 'storefronts'
  readonly max: number

  constructor(what: 'hooks' | 'storefronts', max: number) {
    super(`an account has at most ${max} ${what}`)
    this.what = what
    this.max = max
  }
}
