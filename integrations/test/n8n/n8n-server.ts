import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunResult, run } from '../../../test/clients/tools.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { until } from '../../../test/support/until.ts'

/** A real n8n with the package, in a folder of its own, controlled as its editor does. */

export const N8N_VERSION = '2.41.0'
/** Packages that npm would install in versions that do not exist or do not work. */
const OVERRIDES = { xlsx: '0.18.5', '@n8n/agents': '0.26.1' }
const START_MS_MAX = 300_000

/** The folder with n8n, installed once. It takes 15 minutes and 2 GB. */
export async function installN8n(): Promise<string> {
  const folder = join(tmpdir(), `radar-n8n-${N8N_VERSION}`)
  const mark = join(folder, 'installed')
  if (existsSync(mark)) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }))
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  succeed(await run('npm', ['install', ...options, `n8n@${N8N_VERSION}`], folder))
  succeed(await run('npm', ['rebuild', 'sqlite3'], folder))
  await writeFile(mark, '')
  return folder
}

function succeed({ status, output }: RunResult): void {
  if (status !== 0) throw new Error(`n8n could not be installed:\n${output}`)
}

export type N8n = AsyncDisposable & {
  readonly url: string
  /** A call of the editor's API. Returns its `data`; throws for an error. */
  readonly rest: <T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<T>
  /**
   * Stops the process as a service manager does, calls `meanwhile`, and starts it again on the same data, with these variables from then
   * on.
   */
  readonly restart: (change?: {
    readonly meanwhile?: () => Promise<void>
    readonly settings?: Readonly<Record<string, string>>
  }) => Promise<void>
  readonly output: () => string
}

const OWNER = { email: 'owner@example.com', firstName: 'An', lastName: 'Owner', password: 'Passw0rd-1234' }

/** Starts n8n with this tarball as a community package. */
export async function startN8n(folder: string, tarball: string): Promise<N8n> {
  const data = await mkdtemp(join(tmpdir(), 'radar-n8n-data-'))
  const nodes = join(data, '.n8n/nodes')
  const installed = join(nodes, 'node_modules/n8n-nodes-review-radar')
  await mkdir(installed, { recursive: true })
  await writeFile(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}')
  succeed(await run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let output = ''
  let child: ChildProcess
  let changed: Readonly<Record<string, string>> = {}
  const start = async () => {
    output = ''
    child = spawn(process.execPath, [join(folder, 'node_modules/n8n/bin/n8n'), 'start'], {
      env: {
        ...process.env,
        N8N_USER_FOLDER: data,
        N8N_PORT: String(port),
        N8N_LISTEN_ADDRESS: '127.0.0.1',
        WEBHOOK_URL: `${url}/`,
        N8N_SECURE_COOKIE: 'false',
        N8N_DIAGNOSTICS_ENABLED: 'false',
        N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
        N8N_TEMPLATES_ENABLED: 'false',
        N8N_PERSONALIZATION_ENABLED: 'false',
        N8N_RUNNERS_BROKER_PORT: String(await freePort()),
        ...changed,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        output += bytes.toString()
      })
    const exited = once(child, 'exit').then(() => {
      throw new Error(`n8n ended:\n${output}`)
    })
    await Promise.race([
      exited,
      until('n8n is ready', () => output.includes('Editor is now accessible'), START_MS_MAX),
    ])
    // The end of a later stop is expected.
    exited.catch(() => {})
  }
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await start()

  let cookie = ''
  const rest = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await fetch(`${url}/rest${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'browser-id': 'test-browser', cookie, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text).data as T
  }
  await rest('POST', '/owner/setup', OWNER)
  return {
    url,
    rest,
    output: () => output,
    restart: async ({ meanwhile, settings = {} } = {}) => {
      await stop()
      await meanwhile?.()
      changed = { ...changed, ...settings }
      await start()
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      await rm(data, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
