import pg from 'pg'
import { readText } from '../../runtime/read-text.ts'
import { StorageUnavailable } from '../port/errors.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** Firewalls and NAT gateways drop idle connections silently, some after four minutes. The system's default is two hours. */
const TCP_KEEPALIVE_MS = 60_000

/** `false` for no TLS. */
type Tls = NonNullable<pg.ClientConfig['ssl']>

const PROBES_MAX = 3
/** The driver's error without an answer in time. */
const TIMED_OUT = 'timeout expired'

/** SQLSTATE: pg_hba.conf permits no such connection. */
const NOT_PERMITTED = '28000'

/** Whether a connection's server process is that which it named when the connection began. A statement without rows shows a pooler. */
export const IS_DIRECT = 'pg_backend_pid() = $1'

/** Parameters of a URL that are read here, and not by the driver, which gives `sslmode` another meaning than libpq does. */
const TLS_PARAMETERS = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat']

/**
 * The options of all connections to this database, including the listening one. With `sslmode=prefer`, which is the default, or `allow`, a
 * connection shows first whether the server wants TLS. Throws `StorageUnavailable` when a file of the URL cannot be read.
 */
export async function clientConfig(
  url: string,
  applicationName: string,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
): Promise<pg.ClientConfig> {
  const config = {
    connectionString: withoutTls(url),
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: TCP_KEEPALIVE_MS,
    types: { getTypeParser },
  }
  const [first, other] = tlsOf(url)
  const ssl = other !== undefined && (await isRefused({ ...config, ssl: first })) ? other : first
  return { ...config, ssl }
}

/**
 * The server process of a connection as the other end named it when it began. A pooler names another one than `pg_backend_pid()`, since its
 * connections have no process of their own. The driver's types lack it.
 */
export function processIdOf(client: pg.ClientBase): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}

/**
 * Whether the server refuses connections with or without TLS. A server that is too busy to answer is asked again, since the answer decides
 * for all later connections. Another failure says nothing about TLS.
 */
async function isRefused(config: pg.ClientConfig, attempts = PROBES_MAX): Promise<boolean> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    return false
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code === NOT_PERMITTED
    if (error instanceof Error && error.message === TIMED_OUT && attempts > 1)
      return isRefused(config, attempts - 1)
    return error instanceof Error && error.message.startsWith('The server does not support SSL')
  } finally {
    await client.end().catch(() => {})
  }
}

/** libpq's meaning of `sslmode` (https://www.postgresql.org/docs/current/libpq-ssl.html), in the order in which it tries them. */
function tlsOf(url: string): readonly [Tls, Tls?] {
  const parameters = URL.parse(url)?.searchParams
  const host = parameters?.get('host') || URL.parse(url)?.hostname || ''
  if (/^(\/|%2f)/i.test(host)) return [false] // a socket of this machine
  const files = filesOf(parameters)
  // As libpq: a root certificate that is given is checked in each mode.
  const chain = { ...files, rejectUnauthorized: files.ca !== undefined, checkServerIdentity: () => undefined }
  switch (modeOf(parameters)) {
    case 'disable':
      return [false]
    case 'allow':
      return [false, chain]
    case 'require':
      return [chain]
    case 'no-verify': // of the driver
      return [{ ...chain, rejectUnauthorized: false }]
    case 'verify-ca':
      return [{ ...chain, rejectUnauthorized: true }]
    case 'verify-full':
      return [files]
    default:
      return [chain, false]
  }
}

/** `ssl=true` is the driver's, and has always meant `verify-full`. */
function modeOf(parameters: URLSearchParams | undefined): string {
  // libpq: weaker modes are refused with the authorities of the system.
  if (parameters?.get('sslrootcert') === 'system') return 'verify-full'
  const ssl = parameters?.get('ssl') ?? ''
  const bySsl = /^(true|1)$/.test(ssl) ? 'verify-full' : /^(false|0)$/.test(ssl) ? 'disable' : 'prefer'
  return parameters?.get('sslmode') || bySsl
}

function filesOf(parameters: URLSearchParams | undefined) {
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => {
    const file = parameters?.get(name)
    if (!file || (name === 'sslrootcert' && file === 'system')) return undefined
    const text = readText(file)
    if (text === null)
      throw new StorageUnavailable(
        `The PostgreSQL database cannot be used: ${name} is ${file}, which cannot be read.`,
      )
    return text
  })
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}

function withoutTls(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !TLS_PARAMETERS.some((name) => parsed.searchParams.has(name))) return url
  for (const name of TLS_PARAMETERS) parsed.searchParams.delete(name)
  return parsed.href
}

const INT8_OID = 20
const NUMERIC_OID = 1700

/** Parses counts, instants and sums as numbers. An inexact one is a bug. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8_OID || oid === NUMERIC_OID) return numberOf
  return pg.types.getTypeParser(oid, format as 'text')
}

function numberOf(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a safe integer`)
  return number
}
