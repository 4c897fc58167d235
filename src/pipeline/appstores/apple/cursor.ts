import type { SourceName } from './source.ts'

/** Where paging continues: source, position, and the number of missing pages skipped just before. */
export type Cursor = { readonly source: SourceName; readonly position: number; readonly skipped: number }

export const FIRST: Cursor = { source: 'rss', position: 0, skipped: 0 }

export function writeCursor(cursor: Cursor): string {
  return `${cursor.source}:${cursor.position}:${cursor.skipped}`
}

/** Throws for a text that `writeCursor` did not write: cursors never leave the service. */
export function readCursor(text: string): Cursor {
  const found = /^(rss|rss_xml|web|row|page):(\d{1,6}):(\d)$/.exec(text)
  if (found === null) throw new Error(`Invalid cursor for Apple reviews: ${JSON.stringify(text)}`)
  return { source: found[1] as SourceName, position: Number(found[2]), skipped: Number(found[3]) }
}
