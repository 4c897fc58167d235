import { type ExecFileException, execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Generators and linters. They have too many packages for the development dependencies, so these tests install them. */
const NPM_TOOLS = {
  '@hey-api/openapi-ts': '0.99.0',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
} as const

/** Frameworks supported by `packages/receiver`. */
const FRAMEWORKS = {
  '@types/express': '5.0.6',
  '@types/node': '24.19.2',
  express: '5.3.0',
  hono: '4.13.19',
  typescript: '5.9.3',
} as const

/** The official library for receivers of CloudEvents. */
const CLOUD_EVENTS = { cloudevents: '10.0.0' } as const

const PYTHON_GENERATOR = 'openapi-python-client==0.29.1'

export type RunResult = { readonly status: number; readonly output: string }

/** Runs a program to its end. Does not throw if it fails. */
export function run(
  file: string,
  args: readonly string[],
  cwd?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  // A tool may call another one in the same folder.
  const PATH = [dirname(file), process.env.PATH].join(delimiter)
  const environment = {
    ...process.env,
    ...settings,
    PATH,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  return new Promise((resolve) => {
    const options = { cwd, env: environment, maxBuffer: 64 * 1024 * 1024 }
    execFile(file, [...args], options, (error: ExecFileException | null, out, err) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ status, output: `${out}${err}${status === 0 ? '' : error?.message}` })
    })
  })
}

/** The folder with the npm tools, installed once per set of versions. */
export function npmTools(): Promise<string> {
  return npmPackages('npm', NPM_TOOLS)
}

/** The folder with the frameworks. */
export function frameworks(): Promise<string> {
  return npmPackages('frameworks', FRAMEWORKS)
}

/** The folder with the library of CloudEvents. */
export function cloudEventsLibrary(): Promise<string> {
  return npmPackages('cloudevents', CLOUD_EVENTS)
}

/** The folder with these npm packages, installed once per set of versions. */
export function npmPackages(kind: string, versions: Readonly<Record<string, string>>): Promise<string> {
  return installed(kind, JSON.stringify(versions), async (folder) => {
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
    return run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder)
  })
}

/** The folder with the Python generator, or the reason why it cannot be installed. */
export function pythonTool() {
  return pythonProgram('python', PYTHON_GENERATOR)
}

/** A virtual environment with this Python package, or the reason why it cannot be installed. */
export async function pythonProgram(
  kind: string,
  requirement: string,
): Promise<{ readonly folder: string } | { readonly missing: string }> {
  if ((await run('python3', ['-c', 'import venv, ensurepip'])).status !== 0) {
    return { missing: 'python3 with venv and pip is not installed here' }
  }
  const folder = await installed(kind, requirement, async (into) => {
    const made = await run('python3', ['-m', 'venv', into])
    if (made.status !== 0) return made
    return run(join(into, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', requirement])
  })
  return { folder }
}

/** Returns a folder filled by `install`. A marker file shows that it is complete, because a virtual environment cannot be moved. */
async function installed(
  kind: string,
  versions: string,
  install: (folder: string) => Promise<RunResult>,
): Promise<string> {
  const key = createHash('sha256').update(versions).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `radar-client-tools-${kind}-${key}`)
  const mark = join(folder, 'installed')
  if (existsSync(mark)) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { status, output } = await install(folder)
  if (status !== 0) throw new Error(`the tools of ${kind} could not be installed:\n${output}`)
  await writeFile(`${mark}.new`, versions)
  await rename(`${mark}.new`, mark)
  return folder
}
