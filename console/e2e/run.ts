import { execFileSync, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Builds the console and runs its browser tests in headless Chromium, against the real service with simulated stores.
 * Arguments select files by a part of their name. CHROMIUM sets another executable than /usr/bin/chromium. The exit
 * status is that of the tests.
 */
const root = resolve(import.meta.dirname, '../..')
execFileSync(process.execPath, ['scripts/build-console.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })

const filters = process.argv.slice(2)
const files = globSync('console/e2e/*.test.ts', { cwd: root })
  .filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
  .sort()
if (files.length === 0) throw new Error(`no test file matches ${filters.join(', ')}`)

// One file at a time: a browser and a service each need a core.
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
  cwd: root,
  stdio: 'inherit',
})
tests.on('exit', (code) => {
  process.exitCode = code ?? 1
})
