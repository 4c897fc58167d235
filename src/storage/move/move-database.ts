import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { Database, type Transaction } from '../postgres/connect.ts'
import { copyTable } from './copy-table.ts'
import { MoveError } from './move-error.ts'
import { requireEmpty, type TargetColumn, targetTables } from './postgres-target.ts'
import { type SourceTable, SqliteSource } from './sqlite-source.ts'

/** Progress of the current table. Its copy is compared after its last row. */
export type MoveProgress = { readonly table: string; readonly rows: number; readonly total: number }

export type MovedTable = { readonly table: string; readonly rows: number }

export type MoveOptions = {
  /** The path of the SQLite database. */
  readonly file: string
  readonly url: string
  readonly clock: Clock
  readonly log: Log
  readonly serviceVersion: string
  /** A node of the source counts as running if it was seen since then. */
  readonly silentMs: number
  /** Creates the tables in the empty target. */
  readonly prepare: () => Promise<void>
  readonly onProgress: (progress: MoveProgress) => void
}

const APPLICATION = 'review-radar migrate'

/**
 * Copies a SQLite database to an empty PostgreSQL database, completely or not at all: in one transaction of the target
 * and with the source locked. Reads every table back and compares it. Returns the rows by table. Throws `MoveError`,
 * `SchemaError` or `StorageUnavailable`.
 */
export async function moveDatabase(options: MoveOptions): Promise<MovedTable[]> {
  const { file, url, clock, log, serviceVersion, silentMs, prepare, onProgress } = options
  using source = new SqliteSource(file)
  source.checkSchema(serviceVersion)
  const running = source.nodesSince(new Date(clock.now().getTime() - silentMs))
  if (running.length > 0) {
    throw new MoveError(
      `A service runs on ${file}, or was killed less than ${silentMs / 1_000} s ago (${running.join(', ')}): what it did meanwhile would be missing in the copy. Stop it, then move.`,
    )
  }
  await using target = new Database({ url, log, applicationName: APPLICATION })
  // Before `prepare`, which would migrate the database of another program.
  const before = await targetTables(target)
  if (before.has('schema_migrations')) await requireEmpty(target, before.keys())
  await prepare()
  const tables = source.tables()
  const moved = await target.transaction((tx) => copyAll(source, tx, tables, onProgress))
  // Without statistics, the first queries would be planned for empty tables.
  for (const { table } of moved) await target.transaction((tx) => tx.exec(`analyze "${table}"`))
  return moved
}

async function copyAll(
  source: SqliteSource,
  tx: Transaction,
  tables: readonly SourceTable[],
  onProgress: (progress: MoveProgress) => void,
): Promise<MovedTable[]> {
  const targets = await targetTables(tx)
  const names = [...targets.keys()]
  await tx.exec(`lock table ${names.map((name) => `"${name}"`).join(', ')} in exclusive mode`)
  await requireEmpty(tx, names)
  const moved: MovedTable[] = []
  for (const table of tables) {
    const total = source.count(table)
    onProgress({ table: table.name, rows: 0, total })
    const rows = await copyTable(source, tx, table, columnsFor(table, targets), (done) =>
      onProgress({ table: table.name, rows: done, total }),
    )
    moved.push({ table: table.name, rows })
  }
  return moved
}

/** The columns of the target in the order of the source. Both engines have the same columns. */
function columnsFor(
  table: SourceTable,
  targets: ReadonlyMap<string, readonly TargetColumn[]>,
): readonly TargetColumn[] {
  const columns = targets.get(table.name) ?? []
  const found = table.columns.map((name) => columns.find((column) => column.name === name))
  const missing = table.columns.filter((_, at) => found[at] === undefined)
  if (missing.length > 0) {
    throw new MoveError(
      `The PostgreSQL database has no place for ${table.name} (${missing.join(', ')}): one of the two was made by another version. Move with the version that the service ran.`,
    )
  }
  return found.filter((column) => column !== undefined)
}
