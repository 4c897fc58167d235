import { hexOf } from '../values.ts'
import type { Comparable } from './checksum.ts'

type Scalar = null | number | string | boolean | Uint8Array

/** A value of a SQLite column. */
export type SourceValue = null | number | string | Uint8Array

/**
 * Converts a value for a PostgreSQL column of this type (its name in `information_schema`), also for comparison. The
 * service's columns are equal on both engines, except `seen.review_key`. On SQLite, the tables of the sign-in library
 * store instants as texts and flags as numbers. Throws for a value that does not fit the column.
 */
export function writtenAs(
  value: SourceValue,
  type: string,
): { readonly written: Scalar; readonly compared: Comparable } {
  if (value === null) return { written: null, compared: null }
  if (typeof value === 'object') {
    const hex = hexOf(value)
    if (type === 'bytea') return { written: value, compared: hex }
    if (type === 'uuid' && value.length === 16) return { written: hex, compared: hex }
  } else if (type.startsWith('timestamp')) {
    const at = new Date(value)
    if (!Number.isNaN(at.getTime())) return { written: at.toISOString(), compared: at.getTime() }
  } else if (type === 'boolean') {
    if (value === 0 || value === 1) return { written: value === 1, compared: value === 1 }
  } else if (typeof value === 'number') {
    if (type !== 'text' && type !== 'bytea' && type !== 'uuid') return { written: value, compared: value }
  } else if (type === 'text' || type === 'character varying') {
    // Text that PostgreSQL cannot store is changed as the adapter does (postgres/connect.ts).
    return { written: value, compared: value.replaceAll('\0', '\u{FFFD}') }
  }
  throw new TypeError(`a ${typeof value} does not fit a column of the type ${type}`)
}

/** The same for a value read from a PostgreSQL column of this type. */
export function readBack(value: unknown, type: string): Comparable {
  if (value instanceof Date) return value.getTime()
  if (value instanceof Uint8Array) return hexOf(value)
  if (type === 'uuid' && typeof value === 'string') return value.replaceAll('-', '')
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value
  }
  throw new TypeError(`PostgreSQL returned a ${typeof value} for a column of the type ${type}`)
}
