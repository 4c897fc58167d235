import { isSourceName, type SourceName } from './source.ts'

export type Cursor = {
  /** Where paging continues. */
  readonly source: SourceName
  readonly position: number
  /** Missing pages skipped just before. */
  readonly skipped: number
  /** The pages before were newest first. Otherwise the order of this one is not checked again. */
  readonly newestFirst: boolean
}

export const FIRST: Cursor = { source: 'rss', position: 0, skipped: 0, newestFirst: true }

export function writeCursor({ source, position, skipped, newestFirst }: Cursor): string {
  return `${source}:${position}:${skipped}${newestFirst ? '' : ':any_order'}`
}

/** Throws for a text that `writeCursor` did not write: cursors never leave the service. */
export function readCursor(text: string): Cursor {
  const [, source = '', position, skipped, anyOrder] =
    /^(\w{1,10}):(\d{1,6}):(\d)(:any_order)?$/.exec(text) ?? []
  if (!isSourceName(source)) throw new Error(`Invalid cursor for Apple reviews: ${JSON.stringify(text)}`)
  return {
    source,
    position: Number(position),
    skipped: Number(skipped),
    newestFirst: anyOrder === undefined,
  }
}
