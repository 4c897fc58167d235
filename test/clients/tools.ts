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
  orval: '8.38.0',
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

/** For clients in many languages. */
const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0'
/** What its Python client needs. */
const PYTHON_LIBRARIES = [
  'pydantic==2.14.4',
  'urllib3==2.8.0',
  'python-dateutil==4.0.0',
  'typing-extensions==4.16.0',
]

const GO_GENERATORS = {
  'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen': 'v2.8.2',
  'github.com/ogen-go/ogen/cmd/ogen': 'v1.25.0',
} as const

type Tool = { readonly folder: string } | { readonly missing: string }

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

/** The libraries of Python clients of openapi-generator. */
export function pythonLibraries() {
  return pythonProgram('python-libraries', ...PYTHON_LIBRARIES)
}

/** The folder with `openapi-generator-cli.jar`, or the reason why it cannot be had. Maven also builds the Java client. */
export async function openapiGenerator(): Promise<Tool> {
  const missing = await missingOf(['java', '-version'], ['javac', '-version'], ['mvn', '-version'])
  if (missing !== null) return { missing }
  const words = ['-q', '-B', 'dependency:copy', `-Dartifact=${OPENAPI_GENERATOR}`, '-Dmdep.stripVersion=true']
  const folder = await installed('openapi-generator', OPENAPI_GENERATOR, (into) =>
    run('mvn', [...words, `-DoutputDirectory=${into}`], into),
  )
  return { folder }
}

/** The folder with the generators in Go, or the reason why they cannot be installed. */
export async function goTools(): Promise<Tool> {
  const missing = await missingOf(['go', 'version'])
  if (missing !== null) return { missing }
  const folder = await installed('go', JSON.stringify(GO_GENERATORS), async (into) => {
    let last: RunResult = { status: 0, output: '' }
    for (const [path, version] of Object.entries(GO_GENERATORS)) {
      last = await run('go', ['install', `${path}@${version}`], into, { GOBIN: into })
      if (last.status !== 0) break
    }
    return last
  })
  return { folder }
}

/**
 * The reason why a C# client cannot be compiled; an empty folder otherwise. Mono's compiler does not suffice: the packages of the client
 * (Newtonsoft.Json, JsonSubTypes, Polly) come from NuGet, and no Debian package has them.
 */
export async function dotnetCompiler(): Promise<Tool> {
  const missing = await missingOf(['dotnet', '--version'])
  if (missing !== null) return { missing: `${missing}, and Mono has none of the packages of the client` }
  return { folder: '' }
}

async function missingOf(...commands: readonly (readonly [string, string])[]): Promise<string | null> {
  for (const [program, word] of commands)
    if ((await run(program, [word])).status !== 0) return `${program} is not installed here`
  return null
}

/** A virtual environment with these Python packages, or the reason why they cannot be installed. */
export async function pythonProgram(kind: string, ...requirements: readonly string[]): Promise<Tool> {
  if ((await run('python3', ['-c', 'import venv, ensurepip'])).status !== 0) {
    return { missing: 'python3 with venv and pip is not installed here' }
  }
  const folder = await installed(kind, requirements.join(), async (into) => {
    const made = await run('python3', ['-m', 'venv', into])
    if (made.status !== 0) return made
    return run(join(into, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...requirements])
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
