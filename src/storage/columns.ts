import { bytesOf, dateOf, flagOf, hexOf, msOf } from './values.ts'
import { all, get, run, type Scalar, type Sql, type Value, type Work } from './work.ts'

/** How a value is stored in a column. Both engines store the same form. */
export type Column<T> = {
  read(stored: Scalar): T
  store(value: T): Scalar
  /** What a select reads, if it is not the column of the property's name. */
  readonly sql?: string
}

export const text: Column<string> = word()

/** A text of a closed vocabulary. */
export function word<T extends string>(): Column<T> {
  return { read: (stored) => stored as T, store: (value) => value }
}

export const number: Column<number> = { read: (stored) => stored as number, store: (value) => value }

/** Whole milliseconds since the epoch. */
export const instant: Column<Date> = { read: (stored) => dateOf(stored as number), store: msOf }

/** 1 or 0. */
export const flag: Column<boolean> = { read: (stored) => stored === 1, store: flagOf }

/** 32 bytes, as lowercase hex outside of the database. */
export const sha256: Column<string> = { read: (stored) => hexOf(stored as Uint8Array), store: bytesOf }

export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    ...column,
    read: (stored) => (stored === null ? null : column.read(stored)),
    store: (value) => (value === null ? null : column.store(value)),
  }
}

/** A column with another name than its property, or of another table: `named('a.name', text)`. */
export function named<T>(sql: string, column: Column<T>): Column<T> {
  return { ...column, sql }
}

type Shape = { readonly [property: string]: Column<unknown> }

/** An object with a value for each column. */
export type RowOf<S extends Shape> = {
  readonly [P in keyof S]: S[P] extends Column<infer T> ? T : never
}

/** The columns of a table that make an object, by property. `fromSql` follows the selected columns: `from hooks where id = ?1`. */
export type Columns<S extends Shape> = {
  /** To build larger sets of columns. */
  readonly shape: S
  readonly all: (fromSql: Sql, ...values: readonly Value[]) => Work<RowOf<S>[]>
  /** The first row, or null. */
  readonly find: (fromSql: Sql, ...values: readonly Value[]) => Work<RowOf<S> | null>
  /** Inserts one row. `rest` ends the statement, such as `on conflict do nothing`. Returns the number of inserted rows. */
  readonly insert: (table: string, row: RowOf<S>, rest?: string) => Work<number>
}

/**
 * A property `createdAt` is stored in the column `created_at`. Selects name the table by its `alias`, when they read several.
 */
export function columns<const S extends Shape>(shape: S, alias?: string): Columns<S> {
  const fields = Object.entries(shape).map(([property, column]) => ({
    property,
    name: nameOf(property),
    column,
  }))
  const prefix = alias === undefined ? '' : `${alias}.`
  const select = `select ${fields
    .map(({ name, column }) => (column.sql === undefined ? `${prefix}${name}` : `${column.sql} as ${name}`))
    .join(', ')} `
  const names = fields.map(({ name, column }) => column.sql ?? name).join(', ')
  const places = fields.map((_, index) => `?${index + 1}`).join(', ')
  const objectOf = (row: { readonly [name: string]: Scalar }) =>
    Object.fromEntries(
      fields.map(({ property, name, column }) => [property, column.read(row[name] as Scalar)]),
    ) as RowOf<S>

  return {
    shape,
    *all(fromSql, ...values) {
      return (yield* all<{ [name: string]: Scalar }>(begunWith(select, fromSql), ...values)).map(objectOf)
    },
    *find(fromSql, ...values) {
      const row = yield* get<{ [name: string]: Scalar }>(begunWith(select, fromSql), ...values)
      return row === undefined ? null : objectOf(row)
    },
    insert: (table, row, rest = '') =>
      run(
        `insert into ${table} (${names}) values (${places}) ${rest}`,
        ...fields.map(({ property, column }) => column.store(row[property])),
      ),
  }
}

function begunWith(start: string, rest: Sql): Sql {
  return typeof rest === 'string'
    ? start + rest
    : { sqlite: start + rest.sqlite, postgres: start + rest.postgres }
}

function nameOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
