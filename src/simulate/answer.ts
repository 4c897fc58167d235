/** A request to a simulated store. `at` is its time, because the store has no clock. */
export type SimulatedRequest = {
  readonly method: string
  /** Path and query, or a complete URL, whose host is ignored. */
  readonly url: string
  /** With lowercase names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly at: Date
}

/** Instructions for the server of a simulated store. */
export type SimulatedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Delay before the first byte. */
  readonly delayMs?: number
  /** Close the connection instead of answering. */
  readonly drop?: boolean
}
