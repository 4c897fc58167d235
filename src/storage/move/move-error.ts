/** A database cannot be moved; nothing was changed. The message says what to do. */
export class MoveError extends Error {
  override readonly name = 'MoveError'
}
