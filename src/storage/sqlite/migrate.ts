import type { Clock } from '../../runtime/clock.ts'
import {
  type AppliedMigration,
  foreignDatabaseError,
  type Migration,
  pendingMigrations,
  readMigrations,
} from '../migrate.ts'
import { msOf } from '../values.ts'
import type { Connection } from './connect.ts'

export const SQLITE_MIGRATIONS = new URL('./migrations/', import.meta.url)

/**
 * Runs the pending migrations, each in its own transaction, so that a failure keeps earlier ones. Safe when several
 * processes start together, because each checks again inside its transaction. Returns the number of migrations that
 * ran.
 */
export async function migrateSqlite(
  connection: Connection,
  clock: Clock,
  serviceVersion: string,
  migrations: readonly Migration[] = readMigrations(SQLITE_MIGRATIONS),
): Promise<number> {
  let done = 0
  while (await connection.whenUnlocked(() => migrateOne(connection, clock, serviceVersion, migrations)))
    done += 1
  return done
}

function migrateOne(
  connection: Connection,
  clock: Clock,
  serviceVersion: string,
  migrations: readonly Migration[],
): boolean {
  return connection.transaction(() => {
    const [next] = pendingMigrations(migrations, appliedMigrations(connection), serviceVersion)
    if (next === undefined) return false
    connection.exec(next.sql)
    connection.run(
      'insert into schema_migrations (version, name, applied_at) values (?, ?, ?)',
      next.version,
      next.name,
      msOf(clock.now()),
    )
    return true
  })
}

function appliedMigrations(connection: Connection): AppliedMigration[] {
  const tables = connection.all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'",
  )
  if (!tables.some(({ name }) => name === 'schema_migrations')) {
    if (tables.length > 0) throw foreignDatabaseError('The database file')
    connection.exec(
      'create table schema_migrations (version integer primary key, name text not null, applied_at integer not null) strict',
    )
    return []
  }
  const columns = connection.all<{ name: string }>("select name from pragma_table_info('schema_migrations')")
  if (!['version', 'name'].every((wanted) => columns.some(({ name }) => name === wanted))) {
    throw foreignDatabaseError('The database file')
  }
  return connection.all<AppliedMigration>('select version, name from schema_migrations order by version')
}
