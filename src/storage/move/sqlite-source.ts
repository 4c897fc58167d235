import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type AppliedMigration, notOurs, pendingMigrations, readMigrations } from '../migrate.ts'
import { StorageUnavailable } from '../port/errors.ts'
import { SQLITE_MIGRATIONS } from '../sqlite/migrate.ts'
import { MoveRefused } from './move-refused.ts'
import type { SourceValue } from './values.ts'

export type SourceTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** The highest `seq` ever given, also to rows that are gone; null for a table that gives none. */
  readonly lastSeq: number | null
}

/** What belongs to a running database rather than to what it holds. */
const NOT_MOVED: readonly string[] = ['schema_migrations', 'nodes', 'clock']

const BUSY_TIMEOUT_MS = 5_000
/** https://www.sqlite.org/rescode.html */
const BUSY_CODE = 5

/**
 * A SQLite database from which everything is read and nothing written. While it is open nobody else writes to it
 * either, so that nothing can happen there that would be missing in the copy.
 */
export class SqliteSource implements Disposable {
  readonly #file: string
  readonly #db: DatabaseSync

  /** Throws `MoveRefused` when there is no such file, `StorageUnavailable` when somebody else is writing to it. */
  constructor(file: string) {
    if (!existsSync(file)) {
      throw new MoveRefused(
        `There is no database ${file} to move. Set RADAR_DATA_DIR or RADAR_DATABASE_URL as for the service that used it.`,
      )
    }
    this.#file = file
    this.#db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      this.#db.exec('begin immediate')
    } catch (error) {
      this.#db.close()
      throw told(file, error)
    }
  }

  /** Throws `SchemaRefused` for a schema newer than ours, `MoveRefused` for an older one. */
  checkSchema(serviceVersion: string): void {
    const migrations = readMigrations(SQLITE_MIGRATIONS)
    if (this.#all("select 1 from sqlite_schema where name = 'schema_migrations'").length === 0)
      throw notOurs(this.#file)
    const applied = this.#all<AppliedMigration>(
      'select version, name from schema_migrations order by version',
    )
    if (pendingMigrations(migrations, applied, serviceVersion).length === 0) return
    throw new MoveRefused(
      `The database ${this.#file} has schema ${applied.length}, this version knows ${migrations.length}. "radar migrate" without --to brings it up to date; then move it.`,
    )
  }

  /** Ids of the nodes that told of themselves at `since` or later. */
  nodesSince(since: Date): string[] {
    return this.#all<{ id: string }>('select id from nodes where seen_at >= ?', since.getTime()).map(
      ({ id }) => id,
    )
  }

  /** Every table that is moved, those that others refer to first. */
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
        throw new Error(`tables refer to each other in a ring: ${children.join(', ')}`)
      for (const parent of this.#parentsOf(name)) place(parent, [...children, name])
      ordered.add(name)
    }
    for (const name of names) place(name, [])
    return [...ordered].map((name) => ({
      name,
      columns: this.#all<{ name: string }>('select name from pragma_table_info(?) order by cid', name).map(
        (column) => column.name,
      ),
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

function told(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error
  const because =
    error.errcode === BUSY_CODE
      ? 'another process is writing to it. Stop the service, then move its database'
      : `${error.message}. Name the file that the service used`
  return new StorageUnavailable(`The database ${file} cannot be moved: ${because}.`, { cause: error })
}
