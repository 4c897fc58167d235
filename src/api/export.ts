import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** Loaded at the first export, so that it takes no memory before. */
const require = createRequire(import.meta.url)

/**
 * The start of a cell that a spreadsheet may evaluate as a formula: one of four signs or their full-width forms. Programs strip white
 * space, control and invisible format characters (such as U+FEFF or U+200B) before the sign. Such a cell gets an apostrophe, which
 * spreadsheets show as text. The `escape_formulas` of the library does not cover stripped characters.
 */
const FORMULA = /^[=+\-@＝＋－＠\s\p{Cc}\p{Cf}]/u

export type CsvCell = string | number | boolean | null

/** Rows in the format of RFC 4180, each ended by CRLF, without cells that a spreadsheet would evaluate as a formula. */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  const { stringify }: typeof import('csv-stringify/sync') = require('csv-stringify/sync')
  return stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      cast: { boolean: String, string: (cell) => (FORMULA.test(cell) ? `'${cell}` : cell) },
    },
  )
}

/** Marks the file as UTF-8 for spreadsheets; CSV parsers skip it. */
const BYTE_ORDER_MARK = '\u{FEFF}'

export type ExportFormat = 'csv' | 'jsonl'

/**
 * Streams rows as a download, page by page. A page of SQLite is read without a turn of the event loop, so a turn after each sends it and
 * lets other requests in. An error after the first page closes the connection, so that a partial file is not mistaken for a complete one.
 */
export function sendExport<Row>(
  reply: FastifyReply,
  name: string,
  format: ExportFormat,
  table: {
    readonly columns: readonly string[]
    readonly cellsOf: (row: Row) => readonly CsvCell[]
    readonly jsonOf: (row: Row) => unknown
  },
  pages: AsyncIterable<readonly Row[]>,
): FastifyReply {
  async function* lines() {
    if (format === 'csv') {
      yield BYTE_ORDER_MARK + csvOf([table.columns])
      await setImmediate()
    }
    for await (const rows of pages) {
      yield format === 'csv'
        ? csvOf(rows.map(table.cellsOf))
        : rows.map((row) => `${JSON.stringify(table.jsonOf(row))}\n`).join('')
      await setImmediate()
    }
  }
  return reply
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .send(Readable.from(lines()))
}
