import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../../runtime/log.ts'
import { checkSteps, isRead, mustCheckSteps, SELECT_STEPPED } from '../clock-steps.ts'
import { clientConfig, IS_DIRECT, processIdOf } from './client.ts'
import { isReadOnly, isRetryable, translated } from './errors.ts'

type Scalar = null | number | string | boolean | Uint8Array

/** No Date, because instants are whole milliseconds. Arrays are for `unnest`, so that a batch is one statement. */
export type Value = Scalar | readonly Scalar[]

/**
 * A separator that JSON texts never contain. One long text is cheaper on both sides than an array of texts, which needs
 * escapes for each quotation mark.
 */
export const BETWEEN_TEXTS = '\u001f'

/** The most connections of one node, without the listening one. PostgreSQL allows 100 in total by default. */
const CONNECTIONS_MAX = 10

/**
 * A connection keeps each prepared statement and its plan until it closes, some 20 KB each. Texts of lists vary with their filters; beyond
 * this number a text is parsed at each use.
 */
const NAMED_STATEMENTS_MAX = 1_000

/** A longer statement is a bug or a failing database. It must not block a loop forever. */
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000

/** The server's timeout does not help if the network loses the answer. Then the client closes the connection. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/** For a migration of large tables. */
const MIGRATION_TIMEOUT_MS = 24 * 3_600_000

/** Releases the locks of a node that stalls inside a transaction. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

/**
 * A prepared statement keeps its plan as long as its connection. A plan made for an empty table scans the whole table
 * later (65 ms for a lookup among 40,000 reviews), so sequential scans are off; all frequent statements have an index.
 * Without an index, PostgreSQL before 18 then overestimates the cost and compiles the plan (JIT). That took 126 ms for
 * a statement of 0.1 ms (15.18), so JIT is off: no statement here runs long enough to need it.
 */
const SESSION: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  jit: 'off',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
}

/** After the connection, since poolers refuse most of them at its start. One round trip. */
const SET_SESSION = `select ${Object.entries(SESSION)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ')} where ${IS_DIRECT}`

/** Behind a pooler the next transaction of a connection may have another session, so each one has the settings itself. */
const SET_TRANSACTION = Object.entries(SESSION)
  .map(([name, value]) => `set local ${name} = ${value}`)
  .join('; ')

/** How often a transaction that loses a deadlock is tried before the database counts as unavailable. */
const TRIES_MAX = 4

/** Runs statements, inside a transaction or each on its own. */
export type Queries = {
  /** All rows. The caller ensures that `Row` matches the selected columns. */
  all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]>
  get<Row>(sql: string, ...values: readonly Value[]): Promise<Row | undefined>
  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly Value[]): Promise<number>
}

export type Transaction = Queries & {
  /**
   * Sends a statement without waiting for its result. The following ones, up to the commit, do not wait for it either,
   * so that several cost one round trip. If it fails, the transaction fails.
   */
  send(sql: string, ...values: readonly Value[]): void
  /** Runs statements without parameters or results, which may take long: migrations. */
  exec(sql: string): Promise<void>
  /** Notifies listening nodes of new work after the commit. */
  notifyWork(): void
}

export type ConnectOptions = {
  readonly url: string
  readonly log: Log
  /** The name in `pg_stat_activity`. */
  readonly applicationName: string
  /** Called after a commit that created work. */
  readonly onWork?: () => void
}

type Body<T> = (
  tx: Transaction,
  query: (sql: string, values: readonly Value[]) => Promise<pg.QueryResult>,
) => Promise<T>

/** The driver's types lack the timeout of a single query. */
type PatientQuery = pg.QueryConfig & { readonly query_timeout: number }

/**
 * A pool of connections. A broken connection, and one to a server that became read-only, is replaced when one is needed next. Behind a
 * pooler such as PgBouncer, in session or transaction mode, each call is one transaction, and statements have no names.
 */
export class Database implements Queries, AsyncDisposable {
  readonly #pool: Promise<pg.Pool>
  readonly #named = new Map<string, { readonly name: string; readonly text: string }>()
  readonly #onWork: () => void
  #pooled = false
  #ended: Promise<void> | null = null

  constructor({ url, log, applicationName, onWork = () => {} }: ConnectOptions) {
    this.#onWork = onWork
    this.#pool = this.#open(url, log, applicationName)
    this.#pool.catch(() => {}) // each call reports it
  }

  /** How many statements have a name, on any connection. */
  get statementNames(): number {
    return this.#named.size
  }

  async all<Row>(sql: string, ...values: readonly Value[]): Promise<Row[]> {
    return (await this.#runAlone(sql, values)).rows as Row[]
  }

  async get<Row>(sql: string, ...values: readonly Value[]): Promise<Row | undefined> {
    return (await this.#runAlone(sql, values)).rows[0] as Row | undefined
  }

  async run(sql: string, ...values: readonly Value[]): Promise<number> {
    return (await this.#runAlone(sql, values)).rowCount ?? 0
  }

  /**
   * Runs `body` as one transaction (read committed). A throw rolls back. A body that loses a deadlock runs again, so
   * its only effects must be its statements, and it must await nothing else.
   */
  async transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#runTransaction('begin', body)
  }

  /**
   * The same for leases: the commit does not wait for the disk. A crash of the server may undo it, which ends the
   * lease. The next commit of `transaction` also writes this one to the disk.
   */
  async leasing<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#runTransaction('begin; set local synchronous_commit = off', body)
  }

  /** Runs several reads on one snapshot. */
  async snapshot<T>(body: (tx: Queries) => Promise<T>): Promise<T> {
    return this.#runTransaction('begin isolation level repeatable read read only', body)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#pool.then(
      (pool) => pool.end(),
      () => {},
    )
    await this.#ended
  }

  async #open(url: string, log: Log, applicationName: string): Promise<pg.Pool> {
    const pool = new pg.Pool({
      ...(await clientConfig(url, applicationName)),
      max: CONNECTIONS_MAX,
      query_timeout: ANSWER_TIMEOUT_MS,
      pipeline: true, // sends the begin of a transaction together with its first statement
      onConnect: async (client) => {
        const { rowCount } = await client.query(SET_SESSION, [processIdOf(client)])
        this.#pooled = rowCount === 0
      },
    })
    pool.on('error', (error) => log.warn('storage.connection_lost', { detail: error.message }))
    return pool
  }

  async #runAlone(sql: string, values: readonly Value[]): Promise<pg.QueryResult> {
    if (this.#pooled || (mustCheckSteps() && !isRead(sql)))
      return this.#runTransaction('begin', (_, query) => query(sql, values))
    try {
      const answer = await this.#runOutside(sql, values)
      return answer ?? (await this.#runTransaction('begin', (_, query) => query(sql, values)))
    } catch (error) {
      throw translated(error)
    }
  }

  /** Null, and nothing was run, if the connection shows that there is a pooler. */
  async #runOutside(sql: string, values: readonly Value[]): Promise<pg.QueryResult | null> {
    const client = await (await this.#pool).connect()
    let broken: Error | undefined
    const onBroken = (error: Error) => {
      broken = error
    }
    client.on('error', onBroken)
    try {
      if (this.#pooled) return null
      // A read of a call with times (clock-steps.ts) in one round trip: it needs no lock until a commit.
      const stepped = mustCheckSteps() ? client.query(this.#prepared(SELECT_STEPPED, [])) : null
      const answer = client.query(this.#prepared(sql, values))
      answer.catch(() => {}) // reported below
      if (stepped !== null) checkSteps((await stepped).rows[0])
      return await answer
    } catch (error) {
      if (isReadOnly(error)) broken = error
      throw error
    } finally {
      client.off('error', onBroken)
      client.release(broken)
    }
  }

  async #runTransaction<T>(begin: string, body: Body<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#tryTransaction(begin, body)
      } catch (error) {
        if (tries >= TRIES_MAX || !isRetryable(error)) throw translated(error)
      }
    }
  }

  async #tryTransaction<T>(begin: string, body: Body<T>): Promise<T> {
    const client = await (await this.#pool).connect()
    const start = this.#pooled ? withSettings(begin) : begin
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
      const begun = client.query(start)
      begun.catch(() => {}) // the first statement fails the same way and reports it
      // Its lock on the table, without a row, lasts until the end. A step waits for it, so either this finds the step, or the step moves
      // what this transaction writes.
      const checked = mustCheckSteps()
        ? query(SELECT_STEPPED, []).then(({ rows }) => checkSteps(rows[0]))
        : null
      checked?.catch(() => {})
      // Answers come in order, so a body that was computed before a step ends with its first one.
      const answerTo = async (sql: string, values: readonly Value[]) => {
        const answer = await query(sql, values)
        await checked
        return answer
      }
      const tx: Transaction = {
        all: async <Row>(sql: string, ...values: readonly Value[]) =>
          (await answerTo(sql, values)).rows as Row[],
        get: async <Row>(sql: string, ...values: readonly Value[]) =>
          (await answerTo(sql, values)).rows[0] as Row | undefined,
        run: async (sql, ...values) => (await answerTo(sql, values)).rowCount ?? 0,
        send: (sql, ...values) => {
          const answer = query(sql, values)
          answer.catch(() => {}) // the next statement or the commit fails too and reports it
          sent.push(answer)
        },
        exec: async (sql) => {
          const patient: PatientQuery = { text: sql, query_timeout: MIGRATION_TIMEOUT_MS }
          await client.query(patient)
        },
        notifyWork: () => {
          notifyWork = true
        },
      }
      const result = await body(tx, answerTo)
      await checked
      open = false
      const committed = client.query('commit')
      committed.catch(() => {}) // if it cannot be sent, the statements before it fail too
      await begun
      await Promise.all(sent)
      const { command } = await committed
      if (command !== 'COMMIT')
        throw new Error('a transaction with a failed statement was about to be committed')
      if (notifyWork) this.#onWork()
      return result
    } catch (error) {
      open = false
      if (isReadOnly(error)) broken = error
      await client.query('rollback').catch(onBroken)
      throw error
    } finally {
      client.off('error', onBroken)
      client.release(broken)
    }
  }

  /**
   * Prepares each of the first texts once per connection. Behind a pooler the session of the next use may not have it; PgBouncer keeps
   * names apart from version 1.21 on.
   */
  #prepared(sql: string, values: readonly Value[]): pg.QueryConfig {
    if (this.#pooled) return { text: withDollars(sql), values: values.map(storable) }
    let named = this.#named.get(sql)
    if (named === undefined) {
      const text = withDollars(sql)
      if (this.#named.size >= NAMED_STATEMENTS_MAX) return { text, values: values.map(storable) }
      named = { name: createHash('sha256').update(text).digest('hex').slice(0, 32), text }
      this.#named.set(sql, named)
    }
    return { ...named, values: values.map(storable) }
  }
}

/** The begin of a transaction, with the settings of a session for it alone. Still one round trip. */
function withSettings(begin: string): string {
  const [first, ...others] = begin.split('; ')
  return [first, SET_TRANSACTION, ...others].join('; ')
}

/** Texts, quoted names and comments, which stay as they are, or a parameter. */
const PARAMETERS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?(\d+)/g

/** Parameters are `$1` here and `?1` in the statements of both engines. */
function withDollars(sql: string): string {
  return sql.replace(PARAMETERS, (found, place) => (place === undefined ? found : `$${place}`))
}

/** Converts a value for the driver: lists become one text. */
function storable(value: Value): Scalar {
  if (typeof value === 'string') return withoutNul(value)
  return Array.isArray(value) ? arrayLiteral(value) : (value as Scalar)
}

/** PostgreSQL cannot store NUL in a text, so it is replaced by U+FFFD. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text
}

/**
 * Equivalent to the driver's conversion of each element. A batch of results has ten arrays, and one call per array
 * takes two fifths of the time.
 */
function arrayLiteral(values: readonly Scalar[]): string {
  return values.every(isSameInJson)
    ? `{${JSON.stringify(values).slice(1, -1)}}`
    : `{${values.map(elementOf).join(',')}}`
}

/** Control characters and unpaired surrogates, whose JSON escapes PostgreSQL does not understand. */
const ESCAPED_IN_JSON = /[\p{Cc}\p{Cs}]/u

/** Whether the JSON form of a list element is also valid for PostgreSQL, including `null`. */
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
