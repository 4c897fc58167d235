import pg from 'pg'
import { isCertificateCode } from '../../runtime/authorities.ts'
import { DiskFull, isDiskFull, StorageUnavailable } from '../port/errors.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const RETRYABLE: ReadonlySet<string> = new Set(['40001', '40P01'])

const READ_ONLY = '25006'

/** By SQLSTATE, or by its class of two characters. */
const UNAVAILABLE: ReadonlyMap<string, string> = new Map([
  ['08', 'the connection broke'],
  [READ_ONLY, 'it is read-only, or a standby'],
  ['25P03', 'a transaction was idle for too long'],
  ['28', 'authentication failed'],
  ['3D000', 'there is no database of that name'],
  [
    '42501',
    'the role may not do this; to create the tables it needs CREATE on the schema, e.g. "grant create on schema public to <role>"',
  ],
  ['40', 'transactions conflicted repeatedly'],
  ['53', 'it has run out of connections, memory or disk'],
  ['55P03', 'another transaction held a lock for too long'],
  ['57014', 'a statement took too long'],
  ['57P', 'it is starting or stopping'],
  ['58', 'reading or writing its files failed'],
])

/** Error codes of Node without a connection. The driver's own errors have only messages. */
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
  /^(SASL: |Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|There was an error establishing an SSL|The server does not support SSL|read EC|write E)/

/** Whether two transactions conflicted, so that a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && RETRYABLE.has(error.code)
}

/**
 * Whether the server of a connection refuses every write. After a failover that is a former primary, or a standby that the name led to for
 * a moment; a new connection may reach the primary.
 */
export function isReadOnly(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === READ_ONLY
}

/**
 * Turns failures of the network and the server into `StorageUnavailable`. Returns any other error, which is a bug,
 * unchanged.
 */
export function translated(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && isDiskFull(error))
    return new DiskFull(`The disk of the PostgreSQL database is full (${error.message}).`, { cause: error })
  const reason = reasonOf(error)
  return reason === null
    ? error
    : new StorageUnavailable(`The PostgreSQL database cannot be used: ${reason}.`, { cause: error })
}

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    for (const length of [5, 3, 2]) {
      const reason = UNAVAILABLE.get(code.slice(0, length))
      if (reason !== undefined) return `${reason} (${error.message})`
    }
    return null
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NODE_CODES.has(code)) return `no connection (${error.message === '' ? code : error.message})`
  if (isCertificateCode(code))
    return `its certificate cannot be verified (${error.message}); set RADAR_DATABASE_CA_FILE to the certificate of its authority, which providers offer for download`
  return DRIVER_MESSAGE.test(error.message) ? `no connection (${error.message})` : null
}
