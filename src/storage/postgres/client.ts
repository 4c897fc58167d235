import pg from 'pg'
import { readText } from '../../runtime/read-text.ts'
import { StorageUnavailable } from '../port/errors.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** `undefined` for no TLS. */
type Tls = Exclude<pg.ClientConfig['ssl'], boolean>

/** Parameters of a URL that are read here, and not by the driver, which gives `sslmode` another meaning than libpq does. */
const TLS_PARAMETERS = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat']

/**
 * The options of all connections to this database, including the listening one. With `sslmode=prefer`, which is the default, or `allow`, a
 * connection shows first whether the server wants TLS. Throws `StorageUnavailable` when a file of the URL cannot be read.
 */
export async function clientConfig(url: string, applicationName: string): Promise<pg.ClientConfig> {
  const config = {
    connectionString: withoutTls(url),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  }
  const configs = tlsOf(url).map((tls) => ({ ...config, ssl: tls ?? false }))
  for (const each of configs.slice(0, -1)) if (await connects(each)) return each
  return configs.at(-1) ?? config
}

/**
 * The server process of a connection as the other end named it when it began. A pooler names another one than `pg_backend_pid()`, since its
 * connections have no process of their own. The driver's types lack it.
 */
export function processIdOf(client: pg.ClientBase): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}

async function connects(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** libpq's meaning of `sslmode` (https://www.postgresql.org/docs/current/libpq-ssl.html), in the order in which it tries them. */
function tlsOf(url: string): readonly Tls[] {
  const parameters = URL.parse(url)?.searchParams
  const host = parameters?.get('host') || URL.parse(url)?.hostname || ''
  if (/^(\/|%2f)/i.test(host)) return [undefined] // a socket of this machine
  const files = filesOf(parameters)
  // As libpq: a root certificate that is given is checked in each mode.
  const chain = { ...files, rejectUnauthorized: files.ca !== undefined, checkServerIdentity: () => undefined }
  switch (modeOf(parameters)) {
    case 'disable':
      return [undefined]
    case 'allow':
      return [undefined, chain]
    case 'require':
      return [chain]
    case 'no-verify': // of the driver
      return [{ ...chain, rejectUnauthorized: false }]
    case 'verify-ca':
      return [{ ...chain, rejectUnauthorized: true }]
    case 'verify-full':
      return [files]
    default:
      return [chain, undefined]
  }
}

/** `ssl=true` is the driver's, and has always meant `verify-full`. */
function modeOf(parameters: URLSearchParams | undefined): string {
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
