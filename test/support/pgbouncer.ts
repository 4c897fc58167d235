import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Why tests with a real PgBouncer are skipped; false where it is installed. */
export const WITHOUT_PGBOUNCER: string | false =
  spawnSync('pgbouncer', ['--version']).error === undefined || process.env.CI === 'true'
    ? false
    : 'pgbouncer is not installed (apt-get install pgbouncer)'

/** Fewer connections to the server than a node opens, so that transactions of one client get different sessions. */
const POOL_SIZE = 3

/** A real PgBouncer with its default settings in front of a server, in a process that the test ends. Its users have no password. */
export async function startPgbouncer(
  mode: 'session' | 'transaction',
  serverUrl: string,
): Promise<AsyncDisposable & { readonly through: (databaseUrl: string) => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort } = new URL(serverUrl)
  const files = {
    'users.txt': '"postgres" ""\n',
    'pgbouncer.ini': `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 40 : POOL_SIZE}
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  if (process.getuid?.() === 0)
    for (const name of ['.', ...Object.keys(files)]) chownSync(join(folder, name), 65_534, 65_534)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`pgbouncer exited with ${code}: ${log}`)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('process up')) resolve()
    })
  })
  return {
    through: (databaseUrl) => {
      const url = new URL(databaseUrl)
      url.host = `127.0.0.1:${port}`
      url.search = ''
      return url.href
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
