import type { SourceName } from './source.ts'

/** Where a walk continues: its source and position, and the holes it has just skipped. */
export type Cursor = { readonly source: SourceName; readonly position: number; readonly holes: number }

export const FIRST: Cursor = { source: 'rss', position: 0, holes: 0 }

export function writeCursor(cursor: Cursor): string {
  return `${cursor.source}:${cursor.position}:${cursor.holes}`
}

/** Throws for a text that `writeCursor` did not write: cursors never leave the service. */
export function readCursor(text: string): Cursor {
  const found = /^(rss|rss_xml|web|row|page):(\d{1,6}):(\d)$/.exec(text)
  if (found === null) throw new Error(`Not a cursor of an Apple walk: ${JSON.stringify(text)}`)
  return { source: found[1] as SourceName, position: Number(found[2]), holes: Number(found[3]) }
}
