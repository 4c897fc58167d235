import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/**
 * Runs the tests. `npm test` runs all, `npm test -- --unit` those of `npm run check`, and other arguments select files by a part of their
 * path. Prints each finished file, failures, and the slowest files. Unit tests share one process per core, because loading the modules
 * takes longer than most of them: 39 instead of 92 s of processor time for 186 files.
 *
 * A file that starts a server, a process, a database server or the language model is an integration test: `*.integration.test.ts`, or
 * anything in `test/e2e`, `test/crash` and `test/simulation`.
 */

const root = resolve(import.meta.dirname, '..')

const INTEGRATION = [
  'test/simulation/*.test.ts',
  'test/crash/**/*.test.ts',
  'src/**/*.integration.test.ts',
  'packages/**/*.integration.test.ts',
  'test/*.integration.test.ts',
  'test/e2e/**/*.test.ts',
]
const UNIT = [
  'src/**/*.test.ts',
  'packages/**/*.test.ts',
  'integrations/test/unit/*.test.ts',
  'console/util/**/*.test.ts',
  'test/*.test.ts',
]

/** Integration tests mostly wait, so more than one file per core keeps the cores busy. */
const FILES_PER_CORE = 2

/** Minimum free memory to keep test data in memory instead of on disk. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30

const SLOWEST_SHOWN = 10

const words = process.argv.slice(2)
const unitOnly = words.includes('--unit')
const parts = words.filter((word) => !word.startsWith('--'))

const integration = INTEGRATION.flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
const unit = UNIT.flatMap((pattern) => globSync(pattern, { cwd: root }).sort()).filter(
  (file) => !integration.includes(file),
)
const isSelected = (file: string) => parts.length === 0 || parts.some((part) => file.includes(part))
const integrationFiles = unitOnly ? [] : integration.filter(isSelected)
const unitFiles = unit.filter(isSelected)
if (integrationFiles.length + unitFiles.length === 0)
  throw new Error(`no test file matches ${parts.join(', ')}`)

await using opened = new AsyncDisposableStack()
const folder = mkdtempSync(join(parentFolder(), 'radar-tests-'))
const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
opened.defer(removeFolder)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    removeFolder()
    process.exit(1)
  })
// PostgreSQL runs as another user when the tests run as root.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder
// A cache of compiled code halves the start time of processes that tests start.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/review-radar')
if (!process.env.TEST_POSTGRES_URL && integrationFiles.length > 0) {
  const { startPostgresServer } = await import('../test/support/postgres-server.ts')
  process.env.TEST_POSTGRES_URL = opened.use(await startPostgresServer()).url
}

type Slow = { readonly file: string; readonly ms: number }
const durations: Slow[] = []

const files = [...integrationFiles, ...groupsOf(unitFiles)].map((file) => resolve(root, file))
const tests = run({
  cwd: root,
  files,
  concurrency: availableParallelism() * FILES_PER_CORE,
})
tests.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.on('test:complete', ({ name, file: path, details }) => {
  if (name !== path) return
  const file = path.startsWith(root) ? path.slice(root.length + 1) : basename(path)
  const ms = details.duration_ms
  durations.push({ file, ms })
  process.stdout.write(`${lineOf({ file, ms })}  (${durations.length} of ${files.length})\n`)
})
for await (const text of tests.filter(({ type }) => type !== 'test:pass').compose(new spec()))
  process.stdout.write(text)
process.stdout.write(slowest(durations))

/** Files that import the test files of one process each: as many as cores, or the files themselves if they are few. */
function groupsOf(files: readonly string[]): string[] {
  const cores = availableParallelism()
  if (files.length <= cores * FILES_PER_CORE) return [...files]
  return Array.from({ length: cores }, (_, group) => {
    const imports = files
      .filter((_, at) => at % cores === group)
      .map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`)
    const file = join(folder, `unit-tests-${group + 1}-of-${cores}.mjs`)
    writeFileSync(file, imports.join(''))
    return file
  })
}

/** `/dev/shm` if it has enough space, because tests with a database mostly wait for the disk. */
function parentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (Math.min(bavail * bsize, freemem()) >= MEMORY_BYTES_MIN) return '/dev/shm'
  } catch {
    // Only Linux has /dev/shm.
  }
  return tmpdir()
}

function slowest(all: readonly Slow[]): string {
  const lines = all
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST_SHOWN)
    .map((each) => `${lineOf(each)}\n`)
  return `\nSlowest of ${all.length} files:\n${lines.join('')}`
}

function lineOf({ file, ms }: Slow): string {
  return `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`
}
