import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { type Route, TABLE_TYPES } from '../contract/route.ts'
import { type CsvRecord, encodingOf, recordsOf } from '../runtime/csv.ts'
import { ApiError } from './errors.ts'

/** JSON Lines has no registered media type; these are in use. */
const JSON_LINES: readonly string[] = [TABLE_TYPES.jsonl, 'application/x-ndjson', 'application/jsonlines']

/** The apostrophe that an export adds to a cell that looks like a formula (`export.ts`). */
const GUARDED = /^'(?=[=+\-@＝＋－＠\s\p{Cc}\p{Cf}])/u

type RowsOfRoute = NonNullable<Route['rows']>

/** A review with all texts at their limits takes 110 KB. A row of this length, also of brackets, is parsed in some 5 ms. */
const ROW_BYTES_MAX = 256 * 1024
/** An export has about 30. */
const COLUMNS_MAX = 1_000
/** Rows until other requests get a turn. A row takes about 30 µs, one of many columns ten times as long. */
const ROWS_PER_TURN = 50

/**
 * The rows of a body in JSON Lines or CSV, each parsed by `schema`. The first line of CSV names the columns, and shows the separator; an
 * empty cell is null. Reads no further than the first problem, and lets other requests in meanwhile. Throws 415 for another content type,
 * and 400 for the first invalid row and for the first of too many.
 */
export async function parseRows(
  { schema, numbers, max: rowsMax }: Omit<RowsOfRoute, 'bytesMax'>,
  contentType: string | undefined,
  bytes: Uint8Array,
): Promise<z.infer<RowsOfRoute['schema']>[]> {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isCsv = type === TABLE_TYPES.csv
  if (!isCsv && !JSON_LINES.includes(type)) {
    const allowed = Object.values(TABLE_TYPES).join(' or ')
    throw new ApiError('media_type', `The body must be rows, sent with Content-Type: ${allowed}.`)
  }
  if (!isUtf8(bytes)) throw new ApiError('invalid', 'The body is not UTF-8.')
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: z.infer<RowsOfRoute['schema']>[] = []
  for await (const row of isCsv ? csvRows(body, numbers) : jsonRows(body)) {
    if (rows.length === rowsMax)
      throw new ApiError(
        'invalid',
        `The body has more than ${rowsMax} rows, the most that are accepted at once.`,
      )
    const result = schema.safeParse(row)
    if (!result.success) {
      const sentences = new Set(result.error.issues.map(({ message }) => message))
      throw new ApiError('invalid', `Row ${rows.length + 1}: ${[...sentences].join(' ')}`)
    }
    rows.push(result.data)
  }
  if (rows.length === 0) throw new ApiError('invalid', 'The body has no rows.')
  return rows
}

async function* jsonRows(body: Buffer): AsyncGenerator<unknown> {
  let number = 0
  for await (const line of inTurns(body, linesOf)) {
    number += 1
    try {
      yield JSON.parse(line)
    } catch {
      throw new ApiError('invalid', `Row ${number} is not valid JSON.`)
    }
  }
}

async function* csvRows(body: Buffer, numbers: readonly string[]): AsyncGenerator<unknown> {
  let columns: readonly string[] | null = null
  let line = 0
  const unmarked = body.subarray(encodingOf(body).markBytes)
  const separator = separatorOf(unmarked.toString('utf8', 0, HEAD_BYTES))
  const split = (part: Buffer, isLast: boolean) => recordsOf(part, 'utf-8', isLast, separator)
  for await (const record of inTurns(unmarked, split)) {
    if (columns === null) {
      columns = columnsOf(record)
      continue
    }
    line += 1
    const { fields, wellFormed } = record
    if (!wellFormed)
      throw new ApiError(
        'invalid',
        `Row ${line} is not valid CSV: put a text with quotes in quotes, and double each quote in it.`,
      )
    if (fields.length !== columns.length)
      throw new ApiError(
        'invalid',
        `Row ${line} is not valid CSV: it has ${fields.length} cells, but there are ${columns.length} columns.`,
      )
    yield Object.fromEntries(
      columns.map((column, at) => [column, cellValue(fields[at] ?? '', numbers.includes(column))]),
    )
  }
}

/** Enough for the names of an export. */
const HEAD_BYTES = 4_096

/** Spreadsheets save with semicolons where a comma is the decimal sign, and as text with tabs. The names of columns have none of these. */
function separatorOf(start: string): string {
  const [line = ''] = start.trimStart().split(/[\r\n]/, 1)
  return [',', ';', '\t'].find((each) => line.includes(each)) ?? ','
}

function columnsOf({ fields, wellFormed }: CsvRecord): string[] {
  if (!wellFormed) throw new ApiError('invalid', 'The line with the names of the columns is not valid CSV.')
  if (fields.length > COLUMNS_MAX)
    throw new ApiError(
      'invalid',
      `The body has ${fields.length} columns: at most ${COLUMNS_MAX} are accepted.`,
    )
  return fields.map((field) => field.trim())
}

function cellValue(cell: string, isNumber: boolean): string | number | null {
  if (cell === '') return null
  return isNumber ? Number(cell) : cell.replace(GUARDED, '')
}

const BLANKS: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\r\n'))

/** The lines that are not blank. Returns the bytes up to the first incomplete one. */
function* linesOf(part: Buffer, isLast: boolean): Generator<string, number> {
  let start = 0
  for (;;) {
    while (BLANKS.has(part[start])) start += 1
    const end = part.indexOf('\n', start)
    if (end === -1) break
    yield part.toString('utf8', start, end)
    start = end + 1
  }
  if (!isLast) return start
  if (start < part.length) yield part.toString('utf8', start)
  return part.length
}

/** Splits a body part by part, with a turn of the event loop after each part and after some rows. */
async function* inTurns<Row>(
  body: Buffer,
  split: (part: Buffer, isLast: boolean) => Generator<Row, number>,
): AsyncGenerator<Row> {
  let count = 0
  for (let offset = 0; offset < body.length; ) {
    const end = Math.min(offset + ROW_BYTES_MAX, body.length)
    const rows = split(body.subarray(offset, end), end === body.length)
    let next = rows.next()
    for (; next.done !== true; next = rows.next()) {
      yield next.value
      count += 1
      if (count % ROWS_PER_TURN === 0) await setImmediate()
    }
    if (next.value === 0)
      throw new ApiError(
        'invalid',
        `The row that begins after ${offset} bytes is longer than ${ROW_BYTES_MAX} bytes.`,
      )
    offset += next.value
    await setImmediate()
  }
}
