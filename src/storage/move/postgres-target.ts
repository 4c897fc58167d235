import type { Queries } from '../postgres/connect.ts'
import { MoveError } from './move-error.ts'

export type TargetColumn = {
  readonly name: string
  /** The name in `information_schema`, e.g. `timestamp with time zone`, also for casts. */
  readonly type: string
  /** An identity column. */
  readonly identity: boolean
}

/** Columns by table, of the schema that the connection uses. */
export async function targetTables(db: Queries): Promise<Map<string, TargetColumn[]>> {
  const rows = await db.all<TargetColumn & { table: string }>(
    `select c.table_name::text as table, c.column_name::text as name, c.data_type::text as type,
       c.is_identity = 'YES' as identity
     from information_schema.columns c
     join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
     order by c.table_name, c.ordinal_position`,
  )
  const tables = new Map<string, TargetColumn[]>()
  for (const { table, ...column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  return tables
}

/** Throws `MoveError` when any table except that of the migrations has a row. */
export async function requireEmpty(db: Queries, tables: Iterable<string>): Promise<void> {
  for (const table of tables) {
    if (table === 'schema_migrations') continue
    const row = await db.get(`select 1 from "${table}" limit 1`)
    if (row === undefined) continue
    throw new MoveError(
      `The PostgreSQL database is not empty: its table ${table} holds rows. Name an empty one; if it was only tried out, drop it and create it anew.`,
    )
  }
}
