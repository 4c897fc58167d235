import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { longestFirst, readDurations, writeDurations } from './tests/durations.ts'
import { readTestFiles } from './tests/files.ts'
import { createTestQueue } from './tests/queue.ts'

/**
 * Runs the tests. `npm test` runs all, `npm test -- --unit` those of `npm run check`, and other arguments select files by a part of their
 * path. Prints each finished file, failures, and the slowest files. Files share a few processes, because loading the modules takes longer
 * than most of them.
 */

const root = resolve(import.meta.dirname, '..')

/** Integration tests wait a lot, so more than one process per core keeps the cores busy. */
const PROCESSES_PER_CORE = 2

/** Minimum free memory to keep test data in memory instead of on disk. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30

const SLOWEST_SHOWN = 10

const words = process.argv.slice(2)
const unitOnly = words.includes('--unit')
const parts = words.filter((word) => !word.startsWith('--'))

const isSelected = (file: string) => parts.length === 0 || parts.some((part) => file.includes(part))
const all = readTestFiles(root)
const integration = unitOnly ? [] : all.integration.filter(isSelected)
const unit = all.unit.filter(isSelected)
if (integration.length + unit.length === 0) throw new Error(`no test file matches ${parts.join(', ')}`)

const caches = join(root, 'node_modules/.cache/review-radar')
const durationsPath = join(root, 'node_modules/.cache/review-radar-tests.json')
const remembered = readDurations(durationsPath)
// Unit tests are short, and fill the end of the run evenly.
const files = [...longestFirst(integration, remembered), ...longestFirst(unit, remembered)]

await using opened = new AsyncDisposableStack()
const folder = mkdtempSync(join(parentFolder(), 'radar-tests-'))
const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
opened.defer(removeFolder)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop.abort()
    removeFolder()
    process.exit(1)
  })
// PostgreSQL runs as another user when the tests run as root.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder
// A cache of compiled code halves the start time of processes that tests start.
process.env.NODE_COMPILE_CACHE ??= caches
if (!process.env.TEST_POSTGRES_URL && integration.length > 0) {
  const { startPostgresServer } = await import('../test/support/postgres-server.ts')
  process.env.TEST_POSTGRES_URL = opened.use(await startPostgresServer()).url
}

const pathOf = (file: string) => join(root, file)
const queueFolder = join(folder, 'queue')
const queue = createTestQueue(queueFolder, files.map(pathOf))
// Unit tests wait for nothing.
const processes = availableParallelism() * (unitOnly ? 1 : PROCESSES_PER_CORE)
const workers = Array.from({ length: Math.min(processes, files.length) }, (_, at) => {
  const file = join(folder, `worker-${at + 1}.mjs`)
  const module = join(root, 'scripts/tests/worker.ts')
  writeFileSync(
    file,
    `import { runQueuedTests } from ${JSON.stringify(module)}\nawait runQueuedTests(${JSON.stringify(queueFolder)})\n`,
  )
  return file
})

const ended = new Map<string, number>()
const tests = run({ cwd: root, files: workers, concurrency: workers.length, signal: stop.signal })
tests.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.on('test:complete', ({ name, nesting }) => {
  const ms = nesting === 0 ? queue.msOf(name) : null
  if (ms === null) return
  const file = name.slice(root.length + 1)
  ended.set(file, ms)
  process.stdout.write(`${lineOf(file, ms)}  (${ended.size} of ${files.length})\n`)
})
// The reporter needs all events: without those of passed tests it throws at the first failure.
const reporter = new spec()
for await (const event of tests) {
  reporter.write(event)
  const text = reporter.read()
  if (text !== null && event.type !== 'test:pass') process.stdout.write(text)
}
reporter.end()
for await (const text of reporter) process.stdout.write(text)
process.stdout.write(slowest())
writeDurations(durationsPath, new Map([...remembered, ...ended]))
for (const file of files.filter((each) => !ended.has(each))) {
  process.stdout.write(`NOT FINISHED: ${file}\n`)
  process.exitCode = 1
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

function slowest(): string {
  const lines = [...ended]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST_SHOWN)
    .map(([file, ms]) => `${lineOf(file, ms)}\n`)
  return `\nSlowest of ${ended.size} files:\n${lines.join('')}`
}

function lineOf(file: string, ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`
}
