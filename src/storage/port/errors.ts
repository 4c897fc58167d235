/** The engine cannot be reached now; what was asked may or may not have been done. Worth trying again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The database was written by a newer version of the service, or is not ours. Not worth trying again. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}
