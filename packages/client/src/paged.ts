import type { Page } from './types/pages.ts'

/** A list in pages. Iterating gives the rows of all pages, one after the other, and asks for a page when it is needed. */
export type Paged<Row> = AsyncIterable<Row> & {
  /** The first page, or the one of `cursor` in the query. */
  readonly page: () => Promise<Page<Row>>
  /** This page and those after it. */
  readonly pages: () => AsyncIterable<Page<Row>>
}

/** `read` gets the page of a cursor; undefined for the first one. */
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
