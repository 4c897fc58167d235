import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/**
 * Runs the tests. `npm test` runs all, `npm test -- --unit` those of `npm run check`, and other arguments select files by a part of their
 * path. Prints each finished file, failures, and the slowest files.
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
const files = [...(unitOnly ? [] : integration), ...unit].filter(
  (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
)
if (files.length === 0) throw new Error(`no test file matches ${parts.join(', ')}`)

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
if (!process.env.TEST_POSTGRES_URL && files.some((file) => integration.includes(file))) {
  const { startPostgresServer } = await import('../test/support/postgres-server.ts')
  process.env.TEST_POSTGRES_URL = opened.use(await startPostgresServer()).url
}

type Slow = { readonly file: string; readonly ms: number }
const durations: Slow[] = []

const tests = run({
  cwd: root,
  files: files.map((file) => join(root, file)),
  concurrency: availableParallelism() * FILES_PER_CORE,
})
tests.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.on('test:complete', ({ name, file: path, details }) => {
  if (name !== path) return
  const file = path.slice(root.length + 1)
  const ms = details.duration_ms
  durations.push({ file, ms })
  process.stdout.write(`${lineOf({ file, ms })}  (${durations.length} of ${files.length})\n`)
})
for await (const text of tests.filter(({ type }) => type !== 'test:pass').compose(new spec()))
  process.stdout.write(text)
process.stdout.write(slowest(durations))

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
