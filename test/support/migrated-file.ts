import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../src/storage/sqlite/open.ts'

let migrated: Promise<string> | undefined

/** Copies an empty SQLite file with the newest schema to `file`. Creating the schema takes ten times as long. */
export async function copyMigratedFile(file: string): Promise<void> {
  migrated ??= createMigratedFile()
  copyFileSync(await migrated, file)
}

/** Once for each process of tests. */
async function createMigratedFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-migrated-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'migrated.db')
  await (await openSqlite({ file }))[Symbol.asyncDispose]()
  return file
}
