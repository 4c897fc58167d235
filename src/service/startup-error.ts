/** The service cannot start. The message describes the problem and a solution. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
