import type { z } from 'zod'
import { type Route, TABLE_TYPES } from '../contract/route.ts'
import { ApiError } from './errors.ts'

/** JSON Lines has no registered media type; these are in use. */
const JSON_LINES: readonly string[] = [TABLE_TYPES.jsonl, 'application/x-ndjson', 'application/jsonlines']

/** The apostrophe that an export adds to a cell that looks like a formula (`export.ts`). */
const GUARDED = /^'(?=[=+\-@＝＋－＠\s\p{Cc}\p{Cf}])/u

type RowsOfRoute = NonNullable<Route['rows']>

/**
 * The rows of a body in JSON Lines or CSV, each parsed by `schema`. The first line of CSV names the columns; an empty cell is null. Throws
 * 415 for another content type, and 400 for the first invalid row.
 */
export async function parseRows(
  { schema, numbers, max }: Omit<RowsOfRoute, 'bytesMax'>,
  contentType: string | undefined,
  bytes: Uint8Array,
): Promise<z.infer<RowsOfRoute['schema']>[]> {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isCsv = type === TABLE_TYPES.csv
  if (!isCsv && !JSON_LINES.includes(type)) {
    const allowed = Object.values(TABLE_TYPES).join(' or ')
    throw new ApiError('media_type', `The body must be rows, sent with Content-Type: ${allowed}.`)
  }
  const text = textOf(bytes)
  const rows = isCsv ? await csvRows(text, numbers) : jsonRows(text)
  if (rows.length === 0) throw new ApiError('invalid', 'The body has no rows.')
  if (rows.length > max) {
    throw new ApiError('invalid', `The body has ${rows.length} rows: at most ${max} are accepted at once.`)
  }
  return rows.map((row, index) => {
    const result = schema.safeParse(row)
    if (result.success) return result.data
    const sentences = new Set(result.error.issues.map(({ message }) => message))
    throw new ApiError('invalid', `Row ${index + 1}: ${[...sentences].join(' ')}`)
  })
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('invalid', 'The body is not UTF-8.')
  }
}

function jsonRows(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    try {
      return JSON.parse(line)
    } catch {
      throw new ApiError('invalid', `Row ${index + 1} is not valid JSON.`)
    }
  })
}

async function csvRows(text: string, numbers: readonly string[]): Promise<unknown[]> {
  // Loaded at the first import, so that it takes no memory before.
  const { parse } = await import('csv-parse/sync')
  try {
    return parse(text, {
      bom: true,
      columns: true,
      skip_empty_lines: true,
      cast: (cell, { header, column }) => {
        if (header) return cell.trim()
        if (cell === '') return null
        return numbers.includes(String(column)) ? Number(cell) : cell.replace(GUARDED, '')
      },
    })
  } catch (error) {
    throw new ApiError(
      'invalid',
      `The body is not valid CSV: ${error instanceof Error ? error.message : error}`,
    )
  }
}
