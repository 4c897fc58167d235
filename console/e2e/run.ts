import { execFileSync, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The console's browser tests: builds the console, then runs every test file here against the real service with
 * simulated stores, in headless Chromium (CHROMIUM names another than /usr/bin/chromium). Arguments choose files by a
 * part of their name. Exit status as the tests'.
 */
const root = resolve(import.meta.dirname, '../..')
execFileSync(process.execPath, ['scripts/build-console.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })

const wanted = process.argv.slice(2)
const files = globSync('console/e2e/*.test.ts', { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) throw new Error(`no test file matches ${wanted.join(', ')}`)

// One file at a time: a browser and a service each need a core.
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
  cwd: root,
  stdio: 'inherit',
})
tests.on('exit', (code) => {
  process.exitCode = code ?? 1
})
