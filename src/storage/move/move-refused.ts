/** A database cannot be moved as things are; nothing was changed. The message is a sentence that says what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}
