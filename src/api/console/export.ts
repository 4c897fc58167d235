import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Starts of cells that a spreadsheet may run as a formula: the four signs, their full-width forms, and whatever a
 * program strips before it looks for them (white space, control and invisible format characters such as U+FEFF or
 * U+200B). Such a cell gets an apostrophe, which spreadsheets show as text.
 */
const FORMULA = /^[=+\-@＝＋－＠\s\p{Cc}\p{Cf}]/u

/** One line of RFC 4180: quoted where it must be, ended by CRLF, and no cell that would be run as a formula. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(cell: string | number | boolean | null): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Tells table programs that the file is UTF-8; parsers of CSV skip it. */
const BYTE_ORDER_MARK = '\u{FEFF}'

export type ExportFormat = 'csv' | 'jsonl'

/**
 * Sends rows as a download while they are read, page by page. An error after the first page cuts the connection, so
 * that nobody takes half a file for a whole one.
 */
export function sendExport<Row>(
  reply: FastifyReply,
  name: string,
  format: ExportFormat,
  table: {
    readonly columns: readonly string[]
    readonly cellsOf: (row: Row) => readonly (string | number | boolean | null)[]
    readonly jsonOf: (row: Row) => unknown
  },
  pages: AsyncIterable<readonly Row[]>,
): FastifyReply {
  async function* lines() {
    if (format === 'csv') yield BYTE_ORDER_MARK + csvLine(table.columns)
    for await (const rows of pages) {
      yield rows
        .map((row) =>
          format === 'csv' ? csvLine(table.cellsOf(row)) : `${JSON.stringify(table.jsonOf(row))}\n`,
        )
        .join('')
    }
  }
  return reply
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .send(Readable.from(lines()))
}
