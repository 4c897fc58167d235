/** One page of a list. */
export type Page<Row> = {
  readonly data: readonly Row[]
  /** For the next page; null on the last one. */
  readonly next_cursor: string | null
}

export type PageQuery = {
  /** `next_cursor` of the page before; absent for the first page. */
  readonly cursor?: string
  /** Rows of a page, 1 to 200; 50 by default. */
  readonly limit?: number
}

export type Period = {
  /** At or after this instant: a Date, or RFC 3339. */
  readonly since?: string | Date
  /** Before this instant. */
  readonly until?: string | Date
}
