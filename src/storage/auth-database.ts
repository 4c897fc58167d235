import { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import type { Log } from '../runtime/log.ts'
import { LockQueue } from './sqlite/lock-queue.ts'
import type { WaitingDialect } from './sqlite/people/auth-dialect.ts'

/** A separate connection for the sign-in library, which stores users and sessions in its own tables. */
export type AuthDatabase = AsyncDisposable & {
  readonly database: { readonly dialect: WaitingDialect; readonly type: 'sqlite' } | pg.Pool
  /** Runs `migrate` under a lock, so that two nodes that start together do not create a table twice. */
  readonly alone: (migrate: () => Promise<void>) => Promise<void>
}

/** Sign-ins are rare. */
const CONNECTIONS_MAX = 3

/** A number that no other program uses: ASCII for `radar`. */
const LOCK_KEY = 0x72_61_64_61_72

/** Opens the database of a URL that `openStorage` has opened before. Throws when that fails. */
export async function openAuthDatabase(url: string, log: Log): Promise<AuthDatabase> {
  if (url.startsWith('sqlite:')) {
    // Loaded only when used, since it loads the query builder of the library.
    const { waitingDialect } = await import('./sqlite/people/auth-dialect.ts')
    const file = url.slice('sqlite:'.length)
    // Without a timeout, since SQLite would wait for a lock inside the call and block the process.
    const database = new DatabaseSync(file, { timeout: 0 })
    const queue = new LockQueue(file)
    return {
      database: { dialect: waitingDialect(database, queue), type: 'sqlite' },
      alone: (migrate) => migrate(),
      [Symbol.asyncDispose]: async () => {
        queue.close()
        if (database.isOpen) database.close()
      },
    }
  }
  // Loaded only when used: a service on SQLite needs no driver for PostgreSQL.
  const [{ default: driver }, { clientConfig }] = await Promise.all([
    import('pg'),
    import('./postgres/client.ts'),
  ])
  const pool = new driver.Pool({ ...(await clientConfig(url, 'radar sign-in')), max: CONNECTIONS_MAX })
  pool.on('error', (error) => log.warn('storage.connection_lost', { detail: error.message }))
  return {
    database: pool,
    alone: async (migrate) => {
      const client = await pool.connect()
      try {
        // Until the end of a transaction, since behind a pooler a lock of the session could stay with another one.
        await client.query('begin')
        await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
        await migrate()
        await client.query('commit')
      } finally {
        // Closing the connection ends the transaction, also after an error.
        client.release(true)
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
