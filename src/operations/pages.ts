/** All pages of a list. `read` gets the cursor of a page, null for the first; `next` is null for the last page. */
export async function* pages<Page, Cursor>(
  read: (cursor: Cursor | null) => Promise<Page>,
  next: (page: Page) => Cursor | null,
): AsyncGenerator<Page> {
  let cursor: Cursor | null = null
  do {
    const page: Page = await read(cursor)
    yield page
    cursor = next(page)
  } while (cursor !== null)
}

/** The cursor after rows in the order of their numbers; null when there are fewer than `limit`. */
export function nextBySeq(rows: readonly { readonly seq: number }[], limit: number): number | null {
  return rows.length < limit ? null : (rows.at(-1)?.seq ?? null)
}
