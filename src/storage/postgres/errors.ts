import pg from 'pg'
import { StorageUnavailable } from '../port/errors.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const REPEATABLE: ReadonlySet<string> = new Set(['40001', '40P01'])

/** By SQLSTATE, or by its class of two characters. */
const UNAVAILABLE: ReadonlyMap<string, string> = new Map([
  ['08', 'the connection broke'],
  ['25006', 'it takes no writes: it is a standby, or was made read-only'],
  ['25P03', 'a transaction stood still for too long'],
  ['28', 'it refuses the user or the password'],
  ['3D000', 'there is no database of that name'],
  ['40', 'transactions kept getting in each other’s way'],
  ['53', 'it has run out of connections, memory or disk'],
  ['55P03', 'something else has been writing for too long'],
  ['57014', 'a statement took too long'],
  ['57P', 'it is starting or stopping'],
  ['58', 'reading or writing its files failed'],
])

/** Messages of Node and the driver without a connection; the driver has no codes for its own. */
const NODE_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|There was an error establishing an SSL|The server does not support SSL|read EC|write E)/

/** Two transactions conflicted; a repetition may succeed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && REPEATABLE.has(error.code)
}

/** `StorageUnavailable` for failures of the network and the server; the same error for a bug. */
export function translated(error: unknown): unknown {
  const because = reasonOf(error)
  return because === null
    ? error
    : new StorageUnavailable(`The PostgreSQL database cannot be used: ${because}.`, { cause: error })
}

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    for (const length of [5, 3, 2]) {
      const because = UNAVAILABLE.get(code.slice(0, length))
      if (because !== undefined) return `${because} (${error.message})`
    }
    return null
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NODE_CODES.has(code)) return `no connection (${error.message === '' ? code : error.message})`
  return DRIVER_MESSAGE.test(error.message) ? `no connection (${error.message})` : null
}
