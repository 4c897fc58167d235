/** One page of a list. */
export type Page<Row> = {
  readonly data: readonly Row[]
  /** The cursor of the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** A list in pages. Iteration yields the rows of all pages and requests each page when needed. */
export type Paged<Row> = AsyncIterable<Row> & {
  /** The first page, or the page at `cursor` of the query. */
  readonly page: () => Promise<Page<Row>>
  /** That page and all pages after it. */
  readonly pages: () => AsyncIterable<Page<Row>>
}

/** `read` requests the page at a cursor, or the first page for undefined. */
export function paged<Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
  first?: string,
): Paged<Row> {
  async function* pages(): AsyncGenerator<Page<Row>> {
    let cursor = first
    while (true) {
      const page = await read(cursor)
      yield page
      if (page.next_cursor === null) return
      cursor = page.next_cursor
    }
  }
  return {
    page: () => read(first),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.data
    },
  }
}
