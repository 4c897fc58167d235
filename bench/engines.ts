import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { systemClock } from '../src/runtime/clock.ts'
import { silentLog } from '../src/runtime/log.ts'
import { openStorage } from '../src/storage/open.ts'
import type { Storage } from '../src/storage/port/storage.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

/** A database, with its URL for a service and connections of this process. */
export type BenchEngine = {
  readonly name: EngineName
  readonly url: string
  readonly storage: Storage
  /** Runs a statement directly in the database, to fill and read tables. */
  readonly sql: (text: string) => Promise<Record<string, unknown>[]>
}

export async function openEngine(
  name: EngineName,
  places: { readonly folder: string; readonly newDatabase: () => Promise<string> },
): Promise<BenchEngine> {
  const file = join(places.folder, 'radar.db')
  const url = name === 'sqlite' ? `sqlite:${file}` : await places.newDatabase()
  const storage = await openStorage(url, { log: silentLog, clock: systemClock, nodeVersion: 'bench' })
  return { name, url, storage, sql: name === 'sqlite' ? sqliteSql(file) : postgresSql(url) }
}

function sqliteSql(file: string): BenchEngine['sql'] {
  return async (text) => {
    const db = new DatabaseSync(file, { timeout: 60_000 })
    try {
      return db.prepare(text).all()
    } finally {
      db.close()
    }
  }
}

function postgresSql(url: string): BenchEngine['sql'] {
  return async (text) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }
}
