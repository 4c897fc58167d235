/** The database cannot be moved. Nothing was changed. The message says what to do. */
export class MoveError extends Error {
  override readonly name = 'MoveError'
}
