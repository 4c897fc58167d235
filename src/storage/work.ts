import { hexOf } from './values.ts'

/**
 * A unit of work is written once for both engines, as a generator: each `yield*` is one statement. SQLite runs the whole body without a
 * pause, so that no other call can join its transaction; PostgreSQL waits for each answer. A body can wait for nothing else. Code that an
 * engine needs for itself stays in its folder, and takes part as a `native` step.
 */
export type Work<T> = Generator<Step, T, unknown>

/** Neither Date nor boolean: instants are whole milliseconds, flags 0 or 1. */
export type Scalar = null | number | string | Uint8Array

/** A list is one parameter, for `among` and `each`. */
export type Value = Scalar | List

type List = readonly Scalar[]

type Step =
  | {
      readonly kind: 'all' | 'get' | 'run' | 'lock'
      readonly sql: Sql
      readonly values: readonly Value[]
    }
  | {
      readonly kind: 'rows'
      readonly sql: SqlPair
      readonly rows: readonly (readonly Scalar[])[]
    }
  | { readonly kind: 'together'; readonly works: readonly Work<unknown>[] }
  | { readonly kind: 'notify' }
  | { readonly kind: 'native'; readonly act: (db: unknown) => unknown }

/** All rows. Parameters are `?1`, `?2`, … on both engines. The caller ensures that `Row` matches the selected columns. */
export function* all<Row>(sql: Sql, ...values: readonly Value[]): Work<Row[]> {
  return (yield { kind: 'all', sql, values }) as Row[]
}

export function* get<Row>(sql: Sql, ...values: readonly Value[]): Work<Row | undefined> {
  return (yield { kind: 'get', sql, values }) as Row | undefined
}

/** Returns the number of changed rows. */
export function* run(sql: Sql, ...values: readonly Value[]): Work<number> {
  return (yield { kind: 'run', sql, values }) as number
}

/** Locks rows until the commit. SQLite has one writer and does nothing. */
export function* lock(sql: Sql, ...values: readonly Value[]): Work<void> {
  yield { kind: 'lock', sql, values }
}

/**
 * A statement for many rows, the fastest way of each engine: on SQLite once for each row, with its values, and on PostgreSQL once, with one
 * list for each place in the rows (`unnest`). Returns the number of changed rows.
 */
export function* runRows(sql: SqlPair, rows: readonly (readonly Scalar[])[]): Work<number> {
  return rows.length === 0 ? 0 : ((yield { kind: 'rows', sql, rows }) as number)
}

/** The results of several works, none of which needs another. PostgreSQL gets their statements at once. */
export function* together<Works extends readonly Work<unknown>[]>(
  ...works: Works
): Work<{ -readonly [Place in keyof Works]: Works[Place] extends Work<infer T> ? T : never }> {
  return (yield { kind: 'together', works }) as never
}

/** Notifies the other nodes of new work after the commit. On SQLite there are none. Only in a transaction. */
export function* notifyWork(): Work<void> {
  yield { kind: 'notify' }
}

/** A step of one engine, with its connection or transaction. Synchronous on SQLite. */
export function* native<Engine, T>(act: (db: Engine) => T | Promise<T>): Work<T> {
  return (yield { kind: 'native', act: act as (db: unknown) => unknown }) as T
}

/**
 * What an engine gives to the tables. A method of the port uses one of these once. Leases and new events have transactions of their own
 * (`leasing`, `creatingEvents`), which only code of an engine needs.
 */
export type Db = {
  /** A throw rolls back. PostgreSQL may run `body` again, after a deadlock, so it has no effects but its statements. */
  readonly transaction: <T>(body: () => Work<T>) => Promise<T>
  /**
   * A transaction for what `find` returns; undefined without one when it returns undefined, which is then all that the call costs. On
   * SQLite nothing comes between.
   */
  readonly transactionFor: <Found, T>(
    find: () => Work<Found | undefined>,
    body: (found: Found) => Work<T>,
  ) => Promise<T | undefined>
  /** Several reads on one snapshot, without a write lock. */
  readonly snapshot: <T>(body: () => Work<T>) => Promise<T>
  /** One statement, or several that each are a transaction. */
  readonly alone: <T>(work: Work<T>) => Promise<T>
  /**
   * One of many steps of a call that may take long, like `alone`. SQLite blocks the process, so other calls run before each step, and a
   * lock of the file repeats only the step.
   */
  readonly step: <T>(body: () => Work<T>) => Promise<T>
}

type ListType = 'text' | 'bigint' | 'integer' | 'bytea'

/** What the engines write differently. `list` is a parameter such as `?1`, and `type` the type of its elements on PostgreSQL. */
export type Dialect = {
  /** At the end of a select; nothing on SQLite, which has one writer. */
  readonly forUpdate: (rest?: string) => string
  readonly forShare: string
  /** A join that SQLite makes in the written order. */
  readonly thenJoin: string
  /** `id ${d.among('?1', 'text')}`: whether the id is in a list. */
  readonly among: (list: string, type: ListType) => string
  /** A table `<name>s` with the elements of a list as its column `<name>`. */
  readonly each: (list: string, type: ListType, name: string) => string
  /** A table from JSON, a list of objects: `columns` by name, with their type on PostgreSQL. */
  readonly rows: (json: string, name: string, columns: Readonly<Record<string, ListType>>) => string
  /** After the name of a table: the index to use. PostgreSQL chooses well without. */
  readonly indexedBy: (index: string) => string
  /** A text, to order by its bytes. */
  readonly bytewise: (text: string) => string
  /** The smallest or largest of these values; on SQLite null when one is null. */
  readonly least: (...values: readonly string[]) => string
  readonly greatest: (...values: readonly string[]) => string
  /** Bytes as lowercase hex, and hex as bytes. */
  readonly hex: (bytes: string) => string
  readonly unhex: (text: string) => string
  /** The engine's text. */
  readonly of: (sql: Sql) => string
}

const SQLITE: Dialect = {
  forUpdate: () => '',
  forShare: '',
  thenJoin: 'cross join',
  among: (list, type) => `in (select ${type === 'bytea' ? 'unhex(value)' : 'value'} from json_each(${list}))`,
  each: (list, _, name) => `(select value as ${name} from json_each(${list})) ${name}s`,
  rows: (json, name, columns) =>
    `(select ${Object.keys(columns)
      .map((column) => `value ->> '${column}' as ${column}`)
      .join(', ')} from json_each(${json})) ${name}`,
  indexedBy: (index) => `indexed by ${index}`,
  bytewise: (text) => text,
  least: (...values) => `min(${values.join(', ')})`,
  greatest: (...values) => `max(${values.join(', ')})`,
  hex: (bytes) => `lower(hex(${bytes}))`,
  unhex: (text) => `unhex(${text})`,
  of: (text) => (typeof text === 'string' ? text : text.sqlite),
}

const POSTGRES: Dialect = {
  forUpdate: (rest = '') => `for update ${rest}`,
  forShare: 'for share',
  thenJoin: 'join',
  among: (list, type) => `= any(${list}::${type}[])`,
  each: (list, type, name) => `unnest(${list}::${type}[]) as ${name}s (${name})`,
  rows: (json, name, columns) =>
    `json_to_recordset(${json}::json) as ${name} (${Object.entries(columns)
      .map((column) => column.join(' '))
      .join(', ')})`,
  indexedBy: () => '',
  bytewise: (text) => `${text} collate "C"`,
  least: (...values) => `least(${values.join(', ')})`,
  greatest: (...values) => `greatest(${values.join(', ')})`,
  hex: (bytes) => `encode(${bytes}, 'hex')`,
  unhex: (text) => `decode(${text}, 'hex')`,
  of: (text) => (typeof text === 'string' ? text : text.postgres),
}

/** Most statements are the same text on both engines. */
export type Sql = string | SqlPair

export type SqlPair = { readonly sqlite: string; readonly postgres: string }

/** A statement whose text depends on the engine. */
export function sql(build: (d: Dialect) => string): SqlPair {
  return { sqlite: build(SQLITE), postgres: build(POSTGRES) }
}

/**
 * The conditions with a value, joined by `and`, and their values. The `?` of a condition becomes the place of its value; an absent value
 * or null means no condition.
 */
export function where(given: readonly (readonly [condition: string, value: Value | undefined])[]): {
  readonly conditions: string
  readonly values: readonly Value[]
} {
  const present = given.filter(
    (each): each is readonly [string, Value] => each[1] !== undefined && each[1] !== null,
  )
  return {
    conditions: present.map(([condition], index) => condition.replace('?', `?${index + 1}`)).join(' and '),
    values: present.map(([, value]) => value),
  }
}

type SyncRunner = {
  all(sql: string, ...values: readonly Scalar[]): unknown[]
  get(sql: string, ...values: readonly Scalar[]): unknown
  run(sql: string, ...values: readonly Scalar[]): number
}

/** Runs a unit of work on SQLite. */
export function runSync<T>(db: SyncRunner, work: Work<T>): T {
  let step = work.next()
  while (!step.done) {
    let result: unknown
    try {
      result = resultOf(db, step.value)
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(result)
  }
  return step.value
}

function resultOf(db: SyncRunner, step: Step): unknown {
  if (step.kind === 'native') return step.act(db)
  if (step.kind === 'together') return step.works.map((work) => runSync(db, work))
  if (step.kind === 'lock' || step.kind === 'notify') return undefined
  if (step.kind === 'rows') return step.rows.reduce((sum, row) => sum + db.run(step.sql.sqlite, ...row), 0)
  const text = typeof step.sql === 'string' ? step.sql : step.sql.sqlite
  return db[step.kind](text, ...step.values.map(scalarOf))
}

/** Lists become JSON, which `among` and `each` read, with bytes in hex. */
function scalarOf(value: Value): Scalar {
  if (!Array.isArray(value)) return value as Scalar
  return JSON.stringify(value[0] instanceof Uint8Array ? value.map(hexOf) : value)
}

type AsyncRunner = {
  all(sql: string, ...values: readonly (Scalar | List)[]): Promise<unknown[]>
  get(sql: string, ...values: readonly (Scalar | List)[]): Promise<unknown>
  run(sql: string, ...values: readonly (Scalar | readonly Scalar[])[]): Promise<number>
  /** Only in a transaction. */
  notifyWork?(): void
}

/** Runs a unit of work on PostgreSQL. */
export async function runAsync<T>(db: AsyncRunner, work: Work<T>): Promise<T> {
  let step = work.next()
  while (!step.done) {
    let result: unknown
    try {
      result = await answerOf(db, step.value)
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(result)
  }
  return step.value
}

function answerOf(db: AsyncRunner, step: Step): unknown {
  if (step.kind === 'native') return step.act(db)
  if (step.kind === 'together') return Promise.all(step.works.map((work) => runAsync(db, work)))
  if (step.kind === 'notify') {
    if (db.notifyWork === undefined) throw new Error('only a transaction notifies of work')
    return db.notifyWork()
  }
  const text = typeof step.sql === 'string' ? step.sql : step.sql.postgres
  if (step.kind === 'rows') {
    const [first = []] = step.rows
    return db.run(text, ...first.map((_, place) => step.rows.map((row) => row[place] as Scalar)))
  }
  return db[step.kind === 'lock' ? 'run' : step.kind](text, ...step.values)
}
