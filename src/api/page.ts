/** A page of rows in the order of their numbers. Reads one more row than it returns, to know whether there is a next page. */
export async function pageOf<Row extends { readonly seq: number }, Shown>(
  list: (page: { readonly limit: number; readonly last: number | null }) => Promise<readonly Row[]>,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
  present: (rows: readonly Row[]) => Shown[] | Promise<Shown[]>,
): Promise<{ data: Shown[]; next_cursor: string | null }> {
  const found = await list({ limit: limit + 1, last: cursor === undefined ? null : Number(cursor) })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { data: await present(rows), next_cursor: last === undefined ? null : String(last.seq) }
}

/** A cursor of two numbers. The schema of the query has checked its form. */
export function numbersOf(cursor: string): readonly [number, number] {
  const [first, second] = cursor.split('.')
  return [Number(first), Number(second)]
}
