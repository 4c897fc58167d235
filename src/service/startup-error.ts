/** The service cannot start as things are; the message is a sentence that says what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
