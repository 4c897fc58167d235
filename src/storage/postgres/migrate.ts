import type { Clock } from '../../runtime/clock.ts'
import { type AppliedMigration, foreignDatabaseError, nextStep, readSchema, type Schema } from '../migrate.ts'
import { SchemaError } from '../port/errors.ts'
import { msOf } from '../values.ts'
import type { Database, Queries } from './connect.ts'

/** Migration 43 was for SQLite alone, so the first one is 44 here too. */
export function postgresSchema(): Schema {
  return readSchema(new URL('./', import.meta.url), { version: 42, name: 'source_periods' })
}

/** One node migrates while the others wait. The number is "radar" in ASCII. */
const MIGRATION_LOCK = 0x7261646172

/**
 * Creates the schema of an empty database, or runs the pending migrations, each in its own transaction, so that a failure
 * keeps earlier ones. Safe when several processes start together, because each checks again inside its transaction.
 * Returns the number of steps that ran.
 */
export async function migratePostgres(
  database: Database,
  clock: Clock,
  serviceVersion: string,
  schema: Schema = postgresSchema(),
): Promise<number> {
  let done = 0
  while (await migrateOne(database, clock, serviceVersion, schema)) done += 1
  return done
}

async function migrateOne(
  database: Database,
  clock: Clock,
  serviceVersion: string,
  schema: Schema,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // A migration of a large table, or the wait for another node, may take longer than other statements.
    await tx.exec(
      `set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
    )
    const row = await tx.get<{ name: string; encoding: string }>(
      "select current_database()::text as name, current_setting('server_encoding') as encoding",
    )
    const { name: where, encoding } = row ?? { name: '', encoding: '' }
    const applied = await appliedMigrations(tx)
    if (applied === null && encoding !== 'UTF8') {
      throw new SchemaError(
        `The database ${where} has the encoding ${encoding}, which cannot store all reviews. Create one with "create database ${where} encoding 'UTF8' template template0".`,
      )
    }
    const step = nextStep(schema, applied, { where, serviceVersion })
    if (step === null) return false
    await tx.exec(step.sql)
    for (const { version, name } of step.leadsTo) {
      await tx.run(
        'insert into schema_migrations (version, name, applied_at) values ($1, $2, $3)',
        version,
        name,
        msOf(clock.now()),
      )
    }
    return true
  })
}

/** Null for an empty database. */
async function appliedMigrations(tx: Queries): Promise<AppliedMigration[] | null> {
  const tables = await tx.all('select 1 from pg_tables where schemaname = current_schema()')
  if (tables.length === 0) return null
  const columns = await tx.all<{ name: string }>(
    `select column_name::text as name from information_schema.columns
     where table_schema = current_schema() and table_name = 'schema_migrations'`,
  )
  if (!['version', 'name'].every((wanted) => columns.some(({ name }) => name === wanted))) {
    throw foreignDatabaseError('The database')
  }
  return tx.all<AppliedMigration>('select version, name from schema_migrations order by version')
}
