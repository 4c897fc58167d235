import { readdirSync, readFileSync } from 'node:fs'
import { SchemaError } from './port/errors.ts'

/** One numbered file, `0001_core.sql`. Both engines have the same numbers and names. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string }

/** A row of `schema_migrations`. */
export type AppliedMigration = { readonly version: number; readonly name: string }

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/

/** The migrations of a folder, in order. Throws when a number is missing or occurs twice, which is a bug. */
export function readMigrations(folder: URL): Migration[] {
  const migrations = readdirSync(folder)
    .sort()
    .map((file) => {
      const match = FILE_NAME.exec(file)
      if (match?.[1] === undefined || match[2] === undefined)
        throw new Error(`not the name of a migration: ${file}`)
      return { version: Number(match[1]), name: match[2], sql: readFileSync(new URL(file, folder), 'utf8') }
    })
  for (const [index, { version }] of migrations.entries()) {
    if (version !== index + 1)
      throw new Error(`migration ${index + 1} is missing or occurs twice in ${folder}`)
  }
  return migrations
}

/**
 * The pending migrations. Throws `SchemaError`, with a message for the operator, when the database was written by a
 * newer version or its migrations differ from these files.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
  serviceVersion: string,
): readonly Migration[] {
  const newest = applied.at(-1)
  if (newest !== undefined && newest.version > known.length) {
    throw new SchemaError(
      `The database has schema ${newest.version} (${newest.name}), written by a newer version of Review Radar; ` +
        `this version (${serviceVersion}) knows schema ${known.length}. Start the newer version, or restore a backup from before the upgrade.`,
    )
  }
  for (const [index, { version, name }] of applied.entries()) {
    const ours = known[index]
    if (ours?.version !== version || ours.name !== name) {
      throw new SchemaError(
        `The database's table schema_migrations says ${version} (${name}) where Review Radar expects ` +
          `${index + 1} (${ours?.name ?? 'nothing'}): it was not written by Review Radar. Name another database.`,
      )
    }
  }
  return known.slice(applied.length)
}

/** The error for a database with tables but without `schema_migrations`. */
export function foreignDatabaseError(where: string): SchemaError {
  return new SchemaError(
    `${where} contains tables that Review Radar did not create. Name an empty database, or the one Review Radar uses.`,
  )
}
