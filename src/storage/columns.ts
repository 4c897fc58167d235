import { bytesOf, dateOf, flagOf, hexOf, msOf, parsed } from './values.ts'
import { all, get, run, runRows, type Scalar, type Sql, type Value, type Work } from './work.ts'

/** How a value is stored in a column. Both engines store the same form. */
export type Column<T> = {
  read(stored: Scalar): T
  store(value: T): Scalar
  /** On PostgreSQL, in a list. */
  readonly type: 'text' | 'bigint' | 'double precision' | 'bytea'
  /** What a select reads, if it is not the column of the property's name. */
  readonly sql?: string
}

/** The columns of a select have the names of properties, so that values stored as they are need no conversion. */
const same = (stored: Scalar) => stored as never

export const text: Column<string> = word()

/** A text of a closed vocabulary. */
export function word<T extends string>(): Column<T> {
  return { read: same, store: (value) => value, type: 'text' }
}

export const integer: Column<number> = { read: same, store: (value) => value, type: 'bigint' }

export const real: Column<number> = { ...integer, type: 'double precision' }

/** Whole milliseconds since the epoch. */
export const instant: Column<Date> = {
  read: (stored) => dateOf(stored as number),
  store: msOf,
  type: 'bigint',
}

/** 1 or 0. */
export const flag: Column<boolean> = { read: (stored) => stored === 1, store: flagOf, type: 'bigint' }

/** 32 bytes, as lowercase hex outside of the database. */
export const sha256: Column<string> = {
  read: (stored) => hexOf(stored as Uint8Array),
  store: bytesOf,
  type: 'bytea',
}

/** JSON that this service wrote. Its type is not checked. */
export function json<T>(): Column<T> {
  return {
    read: (stored) => parsed<T>(stored as string),
    store: (value) => JSON.stringify(value),
    type: 'text',
  }
}

export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    ...column,
    read: column.read === same ? same : (stored) => (stored === null ? null : column.read(stored)),
    store: (value) => (value === null ? null : column.store(value)),
  }
}

/** A column with another name than its property, of another table or computed: `named('a.name', text)`. */
export function named<T>(sql: string, column: Column<T>): Column<T> {
  return { ...column, sql }
}

/**
 * Columns by property. An object in an object is stored in columns with both names: `{ actor: { kind: text } }` in `actor_kind`.
 */
export type Shape = { readonly [property: string]: Column<unknown> | Shape }

/** An object with a value for each column. */
export type ObjectOf<S extends Shape> = {
  readonly [P in keyof S]: S[P] extends Column<infer T> ? T : S[P] extends Shape ? ObjectOf<S[P]> : never
}

/** The columns of a table that make an object. `fromSql` follows the selected columns: `from hooks where id = ?1`. */
export type Columns<S extends Shape> = {
  /** To build larger sets of columns. */
  readonly shape: S
  /** The selected columns, for statements that do not begin with them. */
  readonly list: string
  /** The object of a row with these columns. If it has no objects within, it also has the other columns of the row. */
  readonly of: (row: Row) => ObjectOf<S>
  /** The stored form, in the order of the columns. */
  readonly values: (object: ObjectOf<S>) => Scalar[]
  readonly all: (fromSql: Sql, ...values: readonly Value[]) => Work<ObjectOf<S>[]>
  /** The first row, or null. */
  readonly find: (fromSql: Sql, ...values: readonly Value[]) => Work<ObjectOf<S> | null>
  /** Inserts one row. `rest` ends the statement, such as `on conflict do nothing`. Returns the number of inserted rows. */
  readonly insert: (table: string, object: ObjectOf<S>, rest?: string) => Work<number>
  readonly insertAll: (table: string, objects: readonly ObjectOf<S>[], rest?: Sql) => Work<number>
  /** Sets all columns of the rows with these values in `keys`, some of the columns. Returns their number. */
  readonly updateAll: (
    table: string,
    keys: readonly string[],
    objects: readonly ObjectOf<S>[],
  ) => Work<number>
  /** Sets all columns of the rows for which `where` is true. Returns their number. */
  readonly update: (
    table: string,
    object: ObjectOf<S>,
    where: string,
    ...values: readonly Value[]
  ) => Work<number>
}

export type Row = { readonly [name: string]: Scalar }

/** A property `createdAt` is stored in the column `created_at`. `alias` is the name of the table in selects. */
export function columns<const S extends Shape>(shape: S, alias?: string): Columns<S> {
  const fields = fieldsOf(shape)
  const prefix = alias === undefined ? '' : `${alias}.`
  const list = fields
    .map(({ name, key }) =>
      prefix + name === key ? key : `${/^\w+$/.test(name) ? prefix : ''}${name} as "${key}"`,
    )
    .join(', ')
  const names = fields.map(({ name }) => name).join(', ')
  const placesAfter = (count: number) => fields.map((_, index) => `?${count + index + 1}`).join(', ')
  const lists = fields.map(({ type }, index) => `?${index + 1}::${type}[]`).join(', ')
  const of = readerOf(shape) as (row: Row) => ObjectOf<S>
  const values = (object: ObjectOf<S>) => fields.map(({ store }) => store(object))

  return {
    shape,
    list,
    of,
    values,
    *all(fromSql, ...parameters) {
      return (yield* all<Row>(select(list, fromSql), ...parameters)).map(of)
    },
    *find(fromSql, ...parameters) {
      const row = yield* get<Row>(select(list, fromSql), ...parameters)
      return row === undefined ? null : of(row)
    },
    insert: (table, object, rest = '') =>
      run(`insert into ${table} (${names}) values (${placesAfter(0)}) ${rest}`, ...values(object)),
    insertAll: (table, objects, rest = '') =>
      runRows(
        {
          sqlite: `insert into ${table} (${names}) values (${placesAfter(0)}) ${typeof rest === 'string' ? rest : rest.sqlite}`,
          postgres: `insert into ${table} (${names}) select * from unnest(${lists}) ${typeof rest === 'string' ? rest : rest.postgres}`,
        },
        objects.map(values),
      ),
    updateAll: (table, keys, objects) => {
      const set = fields.map(({ name }) => name).filter((name) => !keys.includes(name))
      const placeOf = (name: string) => `?${fields.findIndex((field) => field.name === name) + 1}`
      return runRows(
        {
          sqlite: `update ${table} set ${set.map((name) => `${name} = ${placeOf(name)}`).join(', ')}
            where ${keys.map((name) => `${name} = ${placeOf(name)}`).join(' and ')}`,
          postgres: `update ${table} set ${set.map((name) => `${name} = v.${name}`).join(', ')}
            from unnest(${lists}) as v (${names}) where ${keys.map((name) => `${table}.${name} = v.${name}`).join(' and ')}`,
        },
        objects.map(values),
      )
    },
    update: (table, object, where, ...parameters) =>
      run(
        `update ${table} set (${names}) = (${placesAfter(parameters.length)}) where ${where}`,
        ...parameters,
        ...values(object),
      ),
  }
}

function select(list: string, fromSql: Sql): Sql {
  return typeof fromSql === 'string'
    ? `select ${list} ${fromSql}`
    : { sqlite: `select ${list} ${fromSql.sqlite}`, postgres: `select ${list} ${fromSql.postgres}` }
}

type Field = {
  /** Of the column, or what a select reads instead. */
  readonly name: string
  /** The name in the rows of a select. */
  readonly key: string
  readonly type: Column<unknown>['type']
  /** The value of the field in the whole object, as it is stored. */
  readonly store: (object: unknown) => Scalar
}

function fieldsOf(shape: Shape, path = ''): Field[] {
  return Object.entries(shape).flatMap(([property, column]) => {
    if (isColumn(column)) {
      const { type, sql: name = path + nameOf(property) } = column
      const store = (object: unknown) => column.store(memberOf(object, property))
      return [{ name, key: property, type, store }]
    }
    return fieldsOf(column, `${path}${nameOf(property)}_`).map((field) => ({
      ...field,
      key: `${property}.${field.key}`,
      store: (object: unknown) => field.store(memberOf(object, property)),
    }))
  })
}

type Reader = (row: Row) => unknown

function readerOf(shape: Shape, prefix = ''): Reader {
  const entries = Object.entries(shape)
  const flat = entries.filter((entry): entry is [string, Column<unknown>] => isColumn(entry[1]))
  if (prefix === '' && flat.length === entries.length) {
    const converted = flat.filter(([, { read }]) => read !== same)
    // A copy of the row is several times faster than an object that grows by one property after the other.
    return (row) => {
      const object: Record<string, unknown> = { ...row }
      for (const [property, { read }] of converted) object[property] = read(row[property] as Scalar)
      return object
    }
  }
  const readers = entries.map(([property, column]): [string, Reader] => {
    const key = prefix + property
    return [
      property,
      isColumn(column) ? (row) => column.read(row[key] as Scalar) : readerOf(column, `${key}.`),
    ]
  })
  return (row) => Object.fromEntries(readers.map(([property, read]) => [property, read(row)]))
}

function isColumn(column: Shape[string]): column is Column<unknown> {
  return typeof column.read === 'function'
}

function memberOf(object: unknown, property: string): unknown {
  return (object as Record<string, unknown>)[property]
}

function nameOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
