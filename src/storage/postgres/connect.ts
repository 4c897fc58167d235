import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../../runtime/log.ts'
import { isRetryable, translated } from './errors.ts'

type Scalar = null | number | string | boolean | Uint8Array

/** No Date: instants are whole milliseconds. Arrays are for `unnest`, so that a batch is one statement. */
export type Value = Scalar | readonly Scalar[]

/**
 * The separator between JSON texts, which never contain it. One long text is cheaper on both sides than an array of texts, in
 * which each quotation mark would be escaped and unescaped.
 */
export const BETWEEN_TEXTS = '\u001f'

/** Connections of one node at most, without the listening one. PostgreSQL allows 100 in total by default. */
const CONNECTIONS_MAX = 10

const CONNECT_TIMEOUT_MS = 5_000

/** A longer statement is a bug or a failing database: it must not block a loop forever. */
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000

/** If the network loses the answer, the server's limit does not help: then the connection is closed. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/** For a migration of big tables. */
const MIGRATION_TIMEOUT_MS = 24 * 3_600_000

/** The locks of a node that pauses inside a transaction are released after this. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

/**
 * A prepared statement keeps its plan as long as its connection. A plan from when the table was empty reads the whole
 * table, even with millions of rows (65 ms for a look-up among 40,000 reviews). All frequent statements have an index.
 * Without an index, e.g. for a table of few rows, PostgreSQL before 18 overestimates the cost and compiles the plan
 * (JIT). That took 126 ms for a statement of 0.1 ms (15.18), so JIT is off: no statement here runs long enough.
 */
const SESSION = 'set enable_seqscan = off; set jit = off'

/** How often a transaction that lost a deadlock is repeated before it counts as unavailable. */
const TRIES_MAX = 4

/** Statements, inside a transaction or each as its own. */
export type Queries = {
  /** Every row. `Row` is the caller's promise about the selected columns. */
  all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]>
  get<Row>(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** How many rows changed. */
  run(sql: string, ...values: readonly Value[]): Promise<number>
}

export type Transaction = Queries & {
  /**
   * A statement whose result is not needed: it is sent at once, and the following ones, up to the commit, are sent without
   * waiting for it, so that several cost one round trip. When it fails, the transaction fails.
   */
  send(sql: string, ...values: readonly Value[]): void
  /** Statements without values or answer, for migrations: they may take long. */
  exec(sql: string): Promise<void>
  /** Records that work was created: after the commit, listening nodes are notified. */
  notifyWork(): void
}

export type ConnectOptions = {
  readonly url: string
  readonly log: Log
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  /** Called after a commit that created work. */
  readonly onWork?: () => void
}

/** The driver's types lack the timeout of a single query. */
type PatientQuery = pg.QueryConfig & { readonly query_timeout: number }

/** A pool of connections. Connections that break are replaced when they are next needed. */
export class Database implements Queries, AsyncDisposable {
  readonly #pool: pg.Pool
  readonly #names = new Map<string, string>()
  readonly #onWork: () => void
  #ended: Promise<void> | null = null

  constructor({ url, log, applicationName, onWork = () => {} }: ConnectOptions) {
    this.#onWork = onWork
    this.#pool = new pg.Pool({
      ...clientConfig(url, applicationName),
      max: CONNECTIONS_MAX,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      pipeline: true, // a transaction's begin goes out together with its first statement
      onConnect: (client) => client.query(SESSION),
    })
    this.#pool.on('error', (error) => log.warn('storage.connection_lost', { detail: error.message }))
  }

  async all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]> {
    return (await this.#alone(sql, values)).rows as Row[]
  }

  async get<Row>(sql: string, ...values: readonly Value[]): Promise<Row | undefined> {
    return (await this.#alone(sql, values)).rows[0] as Row | undefined
  }

  async run(sql: string, ...values: readonly Value[]): Promise<number> {
    return (await this.#alone(sql, values)).rowCount ?? 0
  }

  /**
   * Runs `body` as one transaction (read committed); a throw rolls everything back. A body that loses a deadlock is
   * repeated from its start, so it must have no effect but its statements, and must await nothing else.
   */
  async transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#between('begin', body)
  }

  /**
   * The same for leases: the commit does not wait for the disk, so a crash of the server may undo it, which ends the
   * lease. A later commit by `transaction` writes this one to the disk too.
   */
  async leasing<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#between('begin; set local synchronous_commit = off', body)
  }

  /** The same for several reads of one state. */
  async snapshot<T>(body: (tx: Queries) => Promise<T>): Promise<T> {
    return this.#between('begin isolation level repeatable read read only', body)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#pool.end()
    await this.#ended
  }

  async #alone(sql: string, values: readonly Value[]): Promise<pg.QueryResult> {
    try {
      return await this.#pool.query(this.#prepared(sql, values))
    } catch (error) {
      throw translated(error)
    }
  }

  async #between<T>(begin: string, body: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(begin, body)
      } catch (error) {
        if (tries >= TRIES_MAX || !isRetryable(error)) throw translated(error)
      }
    }
  }

  async #once<T>(begin: string, body: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    let open = true
    let notifyWork = false
    const onBroken = (error: Error) => {
      broken = error
    }
    client.on('error', onBroken)
    const sent: Promise<unknown>[] = []
    const query = (sql: string, values: readonly Value[]) => {
      if (!open) throw new Error('a transaction was used after its end')
      return client.query(this.#prepared(sql, values))
    }
    try {
      const begun = client.query(begin)
      begun.catch(() => {}) // reported by the first statement, which fails the same way
      const result = await body({
        all: async <Row>(sql: string, ...values: readonly Value[]) =>
          (await query(sql, values)).rows as Row[],
        get: async <Row>(sql: string, ...values: readonly Value[]) =>
          (await query(sql, values)).rows[0] as Row | undefined,
        run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
        send: (sql, ...values) => {
          const answer = query(sql, values)
          answer.catch(() => {}) // reported by the next statement or the commit, which fails too
          sent.push(answer)
        },
        exec: async (sql) => {
          const patient: PatientQuery = { text: sql, query_timeout: MIGRATION_TIMEOUT_MS }
          await client.query(patient)
        },
        notifyWork: () => {
          notifyWork = true
        },
      })
      open = false
      const committed = client.query('commit')
      committed.catch(() => {}) // when it could not be sent, neither could the statements before it
      await begun
      await Promise.all(sent)
      const { command } = await committed
      if (command !== 'COMMIT')
        throw new Error('a transaction with a failed statement was about to be committed')
      if (notifyWork) this.#onWork()
      return result
    } catch (error) {
      open = false
      await client.query('rollback').catch(onBroken)
      throw error
    } finally {
      client.off('error', onBroken)
      client.release(broken)
    }
  }

  /** Every text is prepared once per connection, under a name that is unique also behind a pooler. */
  #prepared(sql: string, values: readonly Value[]): pg.QueryConfig {
    let name = this.#names.get(sql)
    if (name === undefined) {
      name = createHash('sha256').update(sql).digest('hex').slice(0, 32)
      this.#names.set(sql, name)
    }
    return { name, text: sql, values: values.map(storable) }
  }
}

/** The options of every connection to this database, including the listening one. */
export function clientConfig(url: string, applicationName: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  }
}

const INT8_OID = 20
const NUMERIC_OID = 1700

/** Counts, instants and sums are numbers; an inexact one is a bug. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8_OID || oid === NUMERIC_OID) return numberOf
  return pg.types.getTypeParser(oid, format as 'text')
}

function numberOf(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a whole number we can hold`)
  return number
}

/** The driver's form of values: lists as one text. */
function storable(value: Value): Scalar {
  if (typeof value === 'string') return withoutNul(value)
  return Array.isArray(value) ? arrayLiteral(value) : (value as Scalar)
}

/** PostgreSQL's text holds every character but NUL, which is replaced like other characters that do not exist. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text
}

/**
 * The same as the driver's own conversion, which works element by element. A batch of results has ten arrays, and one call for
 * a whole array takes two fifths of the time.
 */
function arrayLiteral(values: readonly Scalar[]): string {
  return values.every(isSameInJson)
    ? `{${JSON.stringify(values).slice(1, -1)}}`
    : `{${values.map(elementOf).join(',')}}`
}

/** Control characters and halves of surrogate pairs, whose JSON escapes PostgreSQL does not read. */
const ESCAPED_IN_JSON = /[\p{Cc}\p{Cs}]/u

/** PostgreSQL reads such an element of a list in its JSON form, including `null`. */
function isSameInJson(value: Scalar): boolean {
  if (typeof value === 'string') return !ESCAPED_IN_JSON.test(value)
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean' || value === null
}

function elementOf(value: Scalar): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `"${withoutNul(value).replace(/["\\]/g, '\\$&')}"`
  return typeof value === 'object'
    ? `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}"`
    : String(value)
}
