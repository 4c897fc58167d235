export type Readiness = {
  readonly ready: boolean
  /** One sentence per problem; empty when ready. */
  readonly reasons: readonly string[]
  /** Problems that do not stop the node from working. */
  readonly warnings: readonly string[]
}
