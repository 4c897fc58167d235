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
