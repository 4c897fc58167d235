import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Log } from '../runtime/log.ts'
import { clientConfig } from './postgres/connect.ts'

/** A handle of its own on our database, for the library that keeps users and sessions in tables of its own. */
export type AuthDatabase = AsyncDisposable & {
  readonly database: DatabaseSync | pg.Pool
  /** Runs `migrate` while no other process does: two nodes starting at once must not make one table twice. */
  readonly alone: (migrate: () => Promise<void>) => Promise<void>
}

/** As long as the other connection of this process waits (sqlite/connect.ts). */
const BUSY_TIMEOUT_MS = 5_000

/** Signing in is rare beside everything else. */
const CONNECTIONS_MAX = 3

/** Any number that no other program uses; ASCII for `radar`. */
const LOCK_KEY = 0x72_61_64_61_72

/** Opens the database of a URL that `openStorage` has opened before. Throws when it cannot. */
export function openAuthDatabase(url: string, log: Log): AuthDatabase {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: BUSY_TIMEOUT_MS })
    return {
      database,
      alone: (migrate) => migrate(),
      [Symbol.asyncDispose]: async () => {
        if (database.isOpen) database.close()
      },
    }
  }
  const pool = new pg.Pool({ ...clientConfig(url, 'radar sign-in'), max: CONNECTIONS_MAX })
  pool.on('error', (error) => log.warn('storage.connection_lost', { detail: error.message }))
  return {
    database: pool,
    alone: async (migrate) => {
      const client = await pool.connect()
      try {
        await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
        await migrate()
      } finally {
        // Ending the connection gives the lock back, also after an error.
        client.release(true)
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
