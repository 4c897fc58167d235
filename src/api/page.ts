import { nextBySeq } from '../operations/pages.ts'

/** A page of rows in the order of their numbers. Reads one more row than it returns, to know whether there is a next page. */
export async function pageBySeq<Row extends { readonly seq: number }>(
  list: (limit: number) => Promise<readonly Row[]>,
  limit: number,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  const found = await list(limit + 1)
  const rows = found.slice(0, limit)
  const next = found.length > limit ? nextBySeq(rows, limit) : null
  return { rows, next: next === null ? null : String(next) }
}
