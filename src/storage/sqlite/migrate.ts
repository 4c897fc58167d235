import type { Clock } from '../../runtime/clock.ts'
import { type AppliedMigration, foreignDatabaseError, nextStep, readSchema, type Schema } from '../migrate.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'

export function sqliteSchema(): Schema {
  return readSchema(new URL('./', import.meta.url), { version: 43, name: 'event_ids' })
}

/**
 * Creates the schema of an empty database, or runs the pending migrations, each in its own transaction, so that a failure
 * keeps earlier ones. Safe when several processes start together, because each checks again inside its transaction.
 * Returns the number of steps that ran.
 */
export async function migrateSqlite(
  connection: Connection,
  clock: Clock,
  serviceVersion: string,
  schema: Schema = sqliteSchema(),
): Promise<number> {
  let done = 0
  while (await connection.whenUnlocked(() => migrateOne(connection, clock, serviceVersion, schema))) done += 1
  return done
}

function migrateOne(connection: Connection, clock: Clock, serviceVersion: string, schema: Schema): boolean {
  return connection.transaction(() => {
    const step = nextStep(schema, appliedMigrations(connection), { where: connection.file, serviceVersion })
    if (step === null) return false
    connection.exec(step.sql)
    for (const { version, name } of step.leadsTo) {
      connection.run(
        'insert into schema_migrations (version, name, applied_at) values (?, ?, ?)',
        version,
        name,
        msOf(clock.now()),
      )
    }
    return true
  })
}

/** Null for an empty database. */
export function appliedMigrations(connection: Connection): AppliedMigration[] | null {
  const tables = connection.all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'",
  )
  if (tables.length === 0) return null
  const columns = connection.all<{ name: string }>("select name from pragma_table_info('schema_migrations')")
  if (!['version', 'name'].every((wanted) => columns.some(({ name }) => name === wanted))) {
    throw foreignDatabaseError('The database file')
  }
  return connection.all<AppliedMigration>('select version, name from schema_migrations order by version')
}
