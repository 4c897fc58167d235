/** One page of a list. */
export type Page<Row> = {
  readonly data: readonly Row[]
  /** The cursor of the next page; null on the last page. */
  readonly next_cursor: string | null
}

export type PageQuery = {
  /** `next_cursor` of the previous page. Default: the first page. */
  readonly cursor?: string
  /** Rows per page, 1 to 200; 50 by default. */
  readonly limit?: number
}

export type Period = {
  /** At or after this instant: a Date or an RFC 3339 text. */
  readonly since?: string | Date
  /** Before this instant. */
  readonly until?: string | Date
}
