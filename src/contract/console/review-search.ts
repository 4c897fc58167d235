/** What a search of reviews suggests, of the last year. */
export type ReviewSuggestions = {
  /** Most requested first. */
  readonly features: readonly {
    readonly slug: string
    readonly phrase: string | null
    readonly count: number
  }[]
  /** The one with the newest review first. */
  readonly versions: readonly { readonly version: string; readonly count: number; readonly firstAt: string }[]
}
