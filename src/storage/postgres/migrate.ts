import type { Clock } from '../../runtime/clock.ts'
import {
  type AppliedMigration,
  foreignDatabaseError,
  type Migration,
  pendingMigrations,
  readMigrations,
} from '../migrate.ts'
import { msOf } from '../values.ts'
import type { Database, Queries } from './connect.ts'

export const POSTGRES_MIGRATIONS = new URL('./migrations/', import.meta.url)

/** One node migrates while the others wait. The number is "radar" in ASCII. */
const MIGRATION_LOCK = 0x7261646172

/**
 * Runs the pending migrations, each in its own transaction, so that a failure keeps earlier ones. Safe when several
 * processes start together, because each checks again inside its transaction. Returns the number of migrations that
 * ran.
 */
export async function migratePostgres(
  database: Database,
  clock: Clock,
  serviceVersion: string,
  migrations: readonly Migration[] = readMigrations(POSTGRES_MIGRATIONS),
): Promise<number> {
  let done = 0
  while (await migrateOne(database, clock, serviceVersion, migrations)) done += 1
  return done
}

async function migrateOne(
  database: Database,
  clock: Clock,
  serviceVersion: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // A migration of a large table, or the wait for another node, may take longer than other statements.
    await tx.exec(
      `set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
    )
    const [next] = pendingMigrations(migrations, await appliedMigrations(tx), serviceVersion)
    if (next === undefined) return false
    await tx.exec(next.sql)
    await tx.run(
      'insert into schema_migrations (version, name, applied_at) values ($1, $2, $3)',
      next.version,
      next.name,
      msOf(clock.now()),
    )
    return true
  })
}

async function appliedMigrations(tx: Queries): Promise<AppliedMigration[]> {
  const tables = await tx.all<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema()',
  )
  if (!tables.some(({ name }) => name === 'schema_migrations')) {
    if (tables.length > 0) throw foreignDatabaseError('The database')
    await tx.run(
      'create table schema_migrations (version integer primary key, name text not null, applied_at bigint not null)',
    )
    return []
  }
  const columns = await tx.all<{ name: string }>(
    `select column_name::text as name from information_schema.columns
     where table_schema = current_schema() and table_name = 'schema_migrations'`,
  )
  if (!['version', 'name'].every((wanted) => columns.some(({ name }) => name === wanted))) {
    throw foreignDatabaseError('The database')
  }
  return tx.all<AppliedMigration>('select version, name from schema_migrations order by version')
}
