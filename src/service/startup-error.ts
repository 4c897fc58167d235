/** The service cannot start; the message is a sentence that says what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
