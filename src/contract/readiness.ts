export type Readiness = {
  readonly ready: boolean
  /** One sentence per problem; empty when ready. */
  readonly reasons: readonly string[]
  /** Problems to look at although the node works. */
  readonly warnings: readonly string[]
}
