import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type AppliedMigration, foreignDatabaseError, newestVersion, pendingMigrations } from '../migrate.ts'
import { StorageUnavailable } from '../port/errors.ts'
import { sqliteSchema } from '../sqlite/migrate.ts'
import { MoveError } from './move-error.ts'
import type { SourceValue } from './values.ts'

export type SourceTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** The highest `seq` ever used, including deleted rows; null for a table without one. */
  readonly lastSeq: number | null
}

/** Tables of a running database, which are not moved. */
const NOT_MOVED: readonly string[] = ['schema_migrations', 'nodes', 'clock']

/** Columns for an index of SQLite alone. */
const COLUMNS_NOT_MOVED: Readonly<Record<string, readonly string[]>> = { occurrences: ['no_events_until'] }

const BUSY_TIMEOUT_MS = 5_000
/** https://www.sqlite.org/rescode.html */
const BUSY_CODE = 5

/**
 * A SQLite database, open for reading. While it is open, no other process can write to it, so that the copy is
 * complete.
 */
export class SqliteSource implements Disposable {
  readonly #file: string
  readonly #db: DatabaseSync

  /** Throws `MoveError` when there is no such file, `StorageUnavailable` while another process writes to it. */
  constructor(file: string) {
    if (!existsSync(file)) {
      throw new MoveError(
        `There is no database ${file} to move. Set RADAR_DATA_DIR or RADAR_DATABASE_URL as for the service that used it.`,
      )
    }
    this.#file = file
    this.#db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      this.#db.exec('begin immediate')
    } catch (error) {
      this.#db.close()
      throw translated(file, error)
    }
  }

  /** Throws `SchemaError` for a schema that this version cannot migrate, and `MoveError` for one that it has not migrated yet. */
  checkSchema(serviceVersion: string, schema = sqliteSchema()): void {
    if (this.#all("select 1 from sqlite_schema where name = 'schema_migrations'").length === 0)
      throw foreignDatabaseError(this.#file)
    const applied = this.#all<AppliedMigration>(
      'select version, name from schema_migrations order by version',
    )
    const pending = pendingMigrations(schema, applied, { where: this.#file, serviceVersion })
    if (pending.length === 0) return
    throw new MoveError(
      `The database ${this.#file} has schema ${applied.at(-1)?.version}, this version knows ${newestVersion(schema)}. "radar migrate" without --to brings it up to date; then move it.`,
    )
  }

  /** Ids of the nodes that were seen at `since` or later. */
  nodesSince(since: Date): string[] {
    return this.#all<{ id: string }>('select id from nodes where seen_at >= ?', since.getTime()).map(
      ({ id }) => id,
    )
  }

  /** Every table to move, referenced tables first. */
  tables(): SourceTable[] {
    const names = this.#all<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!' order by name",
    )
      .map(({ name }) => name)
      .filter((name) => !NOT_MOVED.includes(name))
    const ordered = new Set<string>()
    const place = (name: string, children: readonly string[]): void => {
      if (ordered.has(name)) return
      if (children.includes(name))
        throw new Error(`tables reference each other in a cycle: ${children.join(', ')}`)
      for (const parent of this.#parentsOf(name)) place(parent, [...children, name])
      ordered.add(name)
    }
    for (const name of names) place(name, [])
    return [...ordered].map((name) => ({
      name,
      columns: this.#all<{ name: string }>('select name from pragma_table_info(?) order by cid', name)
        .map((column) => column.name)
        .filter((column) => !COLUMNS_NOT_MOVED[name]?.includes(column)),
      lastSeq: this.#lastSeqOf(name),
    }))
  }

  count({ name }: SourceTable): number {
    return this.#all<{ count: number }>(`select count(*) as count from "${name}"`)[0]?.count ?? 0
  }

  /** Every row, its values in the order of the table's columns. */
  rows({ name, columns }: SourceTable): Iterable<readonly SourceValue[]> {
    const statement = this.#db.prepare(
      `select ${columns.map((each) => `"${each}"`).join(', ')} from "${name}"`,
    )
    statement.setReturnArrays(true)
    return statement.iterate() as Iterable<unknown> as Iterable<readonly SourceValue[]>
  }

  [Symbol.dispose](): void {
    if (this.#db.isTransaction) this.#db.exec('rollback')
    this.#db.close()
  }

  #parentsOf(name: string): string[] {
    return this.#all<{ parent: string }>('select "table" as parent from pragma_foreign_key_list(?)', name)
      .map(({ parent }) => parent)
      .filter((parent) => parent !== name)
  }

  #lastSeqOf(name: string): number | null {
    return this.#all<{ seq: number }>('select seq from sqlite_sequence where name = ?', name)[0]?.seq ?? null
  }

  #all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    return this.#db.prepare(sql).all(...values) as Row[]
  }
}

function translated(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error
  const because =
    error.errcode === BUSY_CODE
      ? 'another process is writing to it. Stop the service, then move its database'
      : `${error.message}. Name the file that the service used`
  return new StorageUnavailable(`The database ${file} cannot be moved: ${because}.`, { cause: error })
}
