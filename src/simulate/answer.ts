/** What a simulated store is asked. `at` is when, since a simulated store has no clock of its own. */
export type SimulatedRequest = {
  readonly method: string
  /** Path and query, or a whole URL: the host is not looked at. */
  readonly url: string
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly at: Date
}

/** What the server that carries a simulated store should do. */
export type SimulatedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Wait so long before the first byte. */
  readonly delayMs?: number
  /** Close the connection instead of answering. */
  readonly drop?: boolean
}
