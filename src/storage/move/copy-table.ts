import type { Transaction } from '../postgres/connect.ts'
import { Checksum, type Comparable } from './checksum.ts'
import { MoveError } from './move-error.ts'
import type { TargetColumn } from './postgres-target.ts'
import type { SourceTable, SqliteSource } from './sqlite-source.ts'
import { readBack, type SourceValue, writtenAs } from './values.ts'

/** The maximum size of one statement: about 50 ms each, with a few times this size in memory. */
const BATCH_ROWS = 5_000
const BATCH_CHARS = 4_000_000

/**
 * Copies one table, then reads the copy back and compares counts and checksums. Returns the number of rows. Throws
 * `MoveError` when the copy differs.
 */
export async function copyTable(
  source: SqliteSource,
  tx: Transaction,
  table: SourceTable,
  columns: readonly TargetColumn[],
  onRows: (rows: number) => void,
): Promise<number> {
  const written = await write(source, tx, table, columns, onRows)
  const copied = await read(tx, table, columns)
  if (written.rows !== source.count(table) || !written.equals(copied)) {
    throw new MoveError(
      `The copy of the table ${table.name} is not equal to the original (${written.rows} rows written, ${copied.rows} read back), so nothing was moved. Look at the disk and memory of the PostgreSQL server, then try again.`,
    )
  }
  for (const column of columns.filter(({ identity }) => identity)) await continueSequence(tx, table, column)
  return written.rows
}

async function write(
  source: SqliteSource,
  tx: Transaction,
  table: SourceTable,
  columns: readonly TargetColumn[],
  onRows: (rows: number) => void,
): Promise<Checksum> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const places = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')
  const sql = `insert into "${table.name}" (${names}) select * from unnest(${places})`
  const checksum = new Checksum()
  for (const batch of batches(source.rows(table))) {
    const compared: Comparable[][] = batch.map(() => [])
    const values = columns.map(({ name, type }, at) =>
      batch.map((row, index) => {
        const value = row[at]
        if (value === undefined) throw new Error(`a row of ${table.name} has no ${name}`)
        const each = writtenAs(value, type)
        compared[index]?.push(each.compared)
        return each.written
      }),
    )
    await tx.run(sql, ...values)
    for (const row of compared) checksum.add(row)
    onRows(checksum.rows)
  }
  return checksum
}

function* batches(rows: Iterable<readonly SourceValue[]>): Generator<(readonly SourceValue[])[]> {
  let batch: (readonly SourceValue[])[] = []
  let chars = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of row) chars += value === null || typeof value === 'number' ? 8 : value.length
    if (batch.length < BATCH_ROWS && chars < BATCH_CHARS) continue
    yield batch
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield batch
}

async function read(
  tx: Transaction,
  { name }: SourceTable,
  columns: readonly TargetColumn[],
): Promise<Checksum> {
  const checksum = new Checksum()
  const cursor = `"read back ${name}"`
  const wanted = columns.map((column) => `"${column.name}"`).join(', ')
  await tx.exec(`declare ${cursor} no scroll cursor for select ${wanted} from "${name}"`)
  while (true) {
    const rows = await tx.all<Record<string, unknown>>(`fetch ${BATCH_ROWS} from ${cursor}`)
    for (const row of rows) checksum.add(columns.map((column) => readBack(row[column.name], column.type)))
    if (rows.length < BATCH_ROWS) break
  }
  await tx.exec(`close ${cursor}`)
  return checksum
}

/** New numbers start after the highest number ever used, including those of deleted rows. */
async function continueSequence(tx: Transaction, table: SourceTable, { name }: TargetColumn): Promise<void> {
  await tx.all(
    `select setval(pg_get_serial_sequence($1, $2), last) from (
       select greatest(max("${name}"), $3::bigint) as last from "${table.name}"
     ) highest where last > 0`,
    `"${table.name}"`,
    name,
    table.lastSeq,
  )
}
