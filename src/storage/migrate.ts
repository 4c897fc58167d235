import { readdirSync, readFileSync } from 'node:fs'
import { SchemaRefused } from './port/errors.ts'

/** One numbered file, `0001_core.sql`. Both engines carry the same numbers and names. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string }

/** What the table `schema_migrations` says was done. */
export type AppliedMigration = { readonly version: number; readonly name: string }

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/

/** The migrations of a folder, in order. Throws when a number is missing or given twice: that is a bug. */
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
      throw new Error(`migration ${index + 1} is missing or there twice in ${folder}`)
  }
  return migrations
}

/**
 * The migrations still to do. Throws `SchemaRefused`, with a sentence for the operator, when the database was
 * written by a newer version, or when what was done there is not what these files say.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
  serviceVersion: string,
): readonly Migration[] {
  const newest = applied.at(-1)
  if (newest !== undefined && newest.version > known.length) {
    throw new SchemaRefused(
      `The database has schema ${newest.version} (${newest.name}), written by a newer version of Review Radar; ` +
        `this version (${serviceVersion}) knows schema ${known.length}. Start the newer version, or restore a backup made before the upgrade.`,
    )
  }
  for (const [index, { version, name }] of applied.entries()) {
    const ours = known[index]
    if (ours?.version !== version || ours.name !== name) {
      throw new SchemaRefused(
        `The database's table schema_migrations says ${version} (${name}) where Review Radar expects ` +
          `${index + 1} (${ours?.name ?? 'nothing'}): it was not written by Review Radar. Name another database.`,
      )
    }
  }
  return known.slice(applied.length)
}

/** The sentence for a database that holds tables but no `schema_migrations`. */
export function notOurs(where: string): SchemaRefused {
  return new SchemaRefused(
    `${where} holds tables that Review Radar did not make. Name an empty database, or the one Review Radar uses.`,
  )
}
