import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** A database of a service, for tests that read all its tables or write what no interface can. */
export type OpenedDatabase = AsyncDisposable & {
  readonly run: (statement: { readonly sqlite: string; readonly postgres: string }) => Promise<void>
  /** The columns, as `table.column`, with a text that has one of `values` in it, and how many rows do. */
  readonly rowsWith: (values: readonly string[]) => Promise<Record<string, number>>
}

/** Opens the database of a service with these settings. */
export async function openDatabase({
  RADAR_DATABASE_URL,
  RADAR_DATA_DIR,
}: Readonly<Record<string, string>>): Promise<OpenedDatabase> {
  return RADAR_DATABASE_URL === undefined
    ? openSqlite(`${RADAR_DATA_DIR}/radar.db`)
    : openPostgres(RADAR_DATABASE_URL)
}

/** Every table and column of the schema, so that a new one cannot be forgotten. */
function openSqlite(file: string): OpenedDatabase {
  const db = new DatabaseSync(file, { timeout: 10_000 })
  return {
    run: async ({ sqlite }) => db.exec(sqlite),
    async rowsWith(values) {
      const found: Record<string, number> = {}
      const columns = db
        .prepare(
          `select t.name as "table", c.name as "column" from sqlite_schema t join pragma_table_info(t.name) c
           where t.type = 'table'`,
        )
        .all()
      for (const { table, column } of columns) {
        const has = values.map(() => `instr(cast("${column}" as text), ?) > 0`).join(' or ')
        const count = db.prepare(`select count(*) as n from "${table}" where ${has}`).get(...values)
        if (Number(count?.n) > 0) found[`${table}.${column}`] = Number(count?.n)
      }
      return found
    },
    [Symbol.asyncDispose]: async () => db.close(),
  }
}

async function openPostgres(url: string): Promise<OpenedDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    run: async ({ postgres }) => void (await client.query(postgres)),
    async rowsWith(values) {
      const found: Record<string, number> = {}
      const { rows: columns } = await client.query(
        'select table_name, column_name from information_schema.columns where table_schema = current_schema()',
      )
      for (const { table_name: table, column_name: column } of columns) {
        const has = values.map((_, at) => `strpos("${column}"::text, $${at + 1}) > 0`).join(' or ')
        const { rows } = await client.query(`select count(*)::int as n from "${table}" where ${has}`, [
          ...values,
        ])
        if (rows[0].n > 0) found[`${table}.${column}`] = rows[0].n
      }
      return found
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
