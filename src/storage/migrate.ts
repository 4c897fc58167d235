import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SchemaError } from './port/errors.ts'

/** A row of `schema_migrations`. */
export type AppliedMigration = { readonly version: number; readonly name: string }

/** A numbered file, `0044_name.sql`. Both engines have the same numbers and names. */
export type Migration = AppliedMigration & { readonly sql: string }

/** The schema of an engine. A new database is created from the page, one of an earlier version by the migrations. */
export type Schema = {
  /** Where the migrations begin: the last one of version 0.5.0. */
  readonly base: AppliedMigration
  /** Creates all tables as they are after the migrations (`schema.sql`). */
  readonly page: string
  readonly migrations: readonly Migration[]
}

/** Statements, with the rows of `schema_migrations` that they lead to. */
export type SchemaStep = { readonly sql: string; readonly leadsTo: readonly AppliedMigration[] }

/** For the messages to the operator. */
type Context = {
  /** The database, e.g. the path of its file. */
  readonly where: string
  readonly serviceVersion: string
}

const FIRST_MIGRATION = 44
/** The last version with the migrations from 1 on, which had the same numbers up to 43. */
const VERSION_WITH_EARLIER_MIGRATIONS = '0.5.0'
const EARLIEST: AppliedMigration = { version: 1, name: 'core' }

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/

/**
 * Reads `schema.sql` and `migrations/` of an engine's folder. Throws when the number of a migration is missing or occurs twice, which is a
 * bug.
 */
export function readSchema(folder: URL, base: AppliedMigration): Schema {
  return {
    base,
    page: readFileSync(new URL('schema.sql', folder), 'utf8'),
    migrations: readMigrations(new URL('migrations/', folder)),
  }
}

/** git has no empty folders, so without migrations there is none. */
function readMigrations(folder: URL): Migration[] {
  const migrations = (existsSync(folder) ? readdirSync(folder) : []).sort().map((file) => {
    const match = FILE_NAME.exec(file)
    if (match?.[1] === undefined || match[2] === undefined)
      throw new Error(`not the name of a migration: ${file}`)
    return { version: Number(match[1]), name: match[2], sql: readFileSync(new URL(file, folder), 'utf8') }
  })
  for (const [index, { version }] of migrations.entries()) {
    const expected = FIRST_MIGRATION + index
    if (version !== expected) throw new Error(`migration ${expected} is missing or occurs twice in ${folder}`)
  }
  return migrations
}

export function newestVersion({ base, migrations }: Schema): number {
  return (migrations.at(-1) ?? base).version
}

/**
 * The next step of a database with these rows of `schema_migrations`, or with no tables at all (`applied` is null). Null
 * when it has the newest schema. Throws like `pendingMigrations`.
 */
export function nextStep(
  schema: Schema,
  applied: readonly AppliedMigration[] | null,
  context: Context,
): SchemaStep | null {
  if (applied === null) return { sql: schema.page, leadsTo: [schema.base, ...schema.migrations] }
  const [next] = pendingMigrations(schema, applied, context)
  return next === undefined ? null : { sql: next.sql, leadsTo: [next] }
}

/**
 * The pending migrations. Throws `SchemaError`, with a message for the operator, when the database was written by a
 * newer version, or by one before the migrations, or its migrations differ from these.
 */
export function pendingMigrations(
  schema: Schema,
  applied: readonly AppliedMigration[],
  { where, serviceVersion }: Context,
): readonly Migration[] {
  const newest = applied.at(-1)
  if (newest !== undefined && newest.version > newestVersion(schema)) {
    throw new SchemaError(
      `The database has schema ${newest.version} (${newest.name}), written by a newer version of Review Radar; ` +
        `this version (${serviceVersion}) knows schema ${newestVersion(schema)}. Start the newer version, or restore a backup from before the upgrade.`,
    )
  }
  const known = [schema.base, ...schema.migrations]
  // Databases from before the page also have a row for each migration that it replaced.
  const sinceBase = applied.filter(({ version }) => version >= schema.base.version)
  for (const [index, each] of sinceBase.entries()) requireSame(each, known[index])
  if (sinceBase.length > 0) return schema.migrations.slice(sinceBase.length - 1)
  requireSame(applied[0], EARLIEST)
  throw new SchemaError(
    `The database ${where} has schema version ${newest?.version}. Start Review Radar ${VERSION_WITH_EARLIER_MIGRATIONS} ` +
      `once to upgrade it, then start this version (${serviceVersion}).`,
  )
}

function requireSame(found: AppliedMigration | undefined, expected: AppliedMigration | undefined): void {
  if (found?.version === expected?.version && found?.name === expected?.name) return
  const rowOf = (each: AppliedMigration | undefined) =>
    each === undefined ? 'nothing' : `${each.version} (${each.name})`
  throw new SchemaError(
    `The database's table schema_migrations says ${rowOf(found)} where Review Radar expects ${rowOf(expected)}: ` +
      'it was not written by Review Radar. Name another database.',
  )
}

/** The error for a database with tables but without `schema_migrations`. */
export function foreignDatabaseError(where: string): SchemaError {
  return new SchemaError(
    `${where} contains tables that Review Radar did not create. Name an empty database, or the one Review Radar uses.`,
  )
}
