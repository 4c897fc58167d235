import { bytesOf, dateOf, flagOf, hexOf, msOf, parsed } from './values.ts'
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

/** JSON that this service wrote. Its type is not checked. */
export function json<T>(): Column<T> {
  return { read: (stored) => parsed<T>(stored as string), store: (value) => JSON.stringify(value) }
}

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

/** Columns by property. A property of its own shape is stored in columns with its name: `{ actor: { kind: text } }` in `actor_kind`. */
export type Shape = { readonly [property: string]: Column<unknown> | Shape }

/** An object with a value for each column. */
export type ObjectOf<S extends Shape> = {
  readonly [P in keyof S]: S[P] extends Column<infer T> ? T : S[P] extends Shape ? ObjectOf<S[P]> : never
}

/** The columns of a table that make an object. `fromSql` follows the selected columns: `from hooks where id = ?1`. */
export type Columns<S extends Shape> = {
  /** To build larger sets of columns. */
  readonly shape: S
  readonly all: (fromSql: Sql, ...values: readonly Value[]) => Work<ObjectOf<S>[]>
  /** The first row, or null. */
  readonly find: (fromSql: Sql, ...values: readonly Value[]) => Work<ObjectOf<S> | null>
  /** Inserts one row. `rest` ends the statement, such as `on conflict do nothing`. Returns the number of inserted rows. */
  readonly insert: (table: string, object: ObjectOf<S>, rest?: string) => Work<number>
  /** Sets all columns of the rows for which `where` is true. Returns their number. */
  readonly update: (
    table: string,
    object: ObjectOf<S>,
    where: string,
    ...values: readonly Value[]
  ) => Work<number>
}

/**
 * A property `createdAt` is stored in the column `created_at`. Selects name the table by its `alias`, when they read several.
 */
export function columns<const S extends Shape>(shape: S, alias?: string): Columns<S> {
  const fields = fieldsOf(shape)
  const prefix = alias === undefined ? '' : `${alias}.`
  const select = `select ${fields
    .map(({ name, column }) => (column.sql === undefined ? `${prefix}${name}` : `${column.sql} as ${name}`))
    .join(', ')} `
  const names = fields.map(({ name, column }) => column.sql ?? name).join(', ')
  const placesAfter = (count: number) => fields.map((_, index) => `?${count + index + 1}`).join(', ')
  const valuesOf = (object: ObjectOf<S>) =>
    fields.map(({ path, column }) => column.store(path.reduce<unknown>(memberOf, object)))
  const objectOf = (row: Row) => built(shape, row, '') as ObjectOf<S>

  return {
    shape,
    *all(fromSql, ...values) {
      return (yield* all<Row>(begunWith(select, fromSql), ...values)).map(objectOf)
    },
    *find(fromSql, ...values) {
      const row = yield* get<Row>(begunWith(select, fromSql), ...values)
      return row === undefined ? null : objectOf(row)
    },
    insert: (table, object, rest = '') =>
      run(`insert into ${table} (${names}) values (${placesAfter(0)}) ${rest}`, ...valuesOf(object)),
    update: (table, object, where, ...values) =>
      run(
        `update ${table} set (${names}) = (${placesAfter(values.length)}) where ${where}`,
        ...values,
        ...valuesOf(object),
      ),
  }
}

type Row = { readonly [name: string]: Scalar }

type Field = {
  readonly path: readonly string[]
  readonly name: string
  readonly column: Column<unknown>
}

function fieldsOf(shape: Shape, path: readonly string[] = []): Field[] {
  return Object.entries(shape).flatMap(([property, column]) => {
    const inner = [...path, property]
    return isColumn(column)
      ? [{ path: inner, name: inner.map(nameOf).join('_'), column }]
      : fieldsOf(column, inner)
  })
}

function built(shape: Shape, row: Row, prefix: string): unknown {
  return Object.fromEntries(
    Object.entries(shape).map(([property, column]) => {
      const name = prefix + nameOf(property)
      return [property, isColumn(column) ? column.read(row[name] as Scalar) : built(column, row, `${name}_`)]
    }),
  )
}

function isColumn(column: Column<unknown> | Shape): column is Column<unknown> {
  return typeof column.read === 'function'
}

function memberOf(object: unknown, property: string): unknown {
  return (object as Record<string, unknown>)[property]
}

function begunWith(start: string, rest: Sql): Sql {
  return typeof rest === 'string'
    ? start + rest
    : { sqlite: start + rest.sqlite, postgres: start + rest.postgres }
}

function nameOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
