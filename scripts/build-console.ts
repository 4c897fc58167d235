import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/**
 * Builds the console into `console/dist`, with a compressed copy of each file. With `--if-stale` it builds only if the build is missing or
 * older than its sources, and keeps the existing build if the build tools are not installed.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'console/dist')
const INDEX = join(DIST, 'index.html')
/** The sources of the bundle; the lockfile represents the packages. */
const SOURCES = ['console', 'src/contract', 'src/model', 'package-lock.json']
/** Smaller files are not compressed: the gain would be less than the overhead. */
const COMPRESSED_BYTES_MIN = 1_024

if (!process.argv.includes('--if-stale') || isStale()) await build()

function isStale(): boolean {
  if (!existsSync(INDEX)) return true
  const builtMs = statSync(INDEX).mtimeMs
  return SOURCES.some((source) => newestMs(join(ROOT, source)) > builtMs)
}

function newestMs(path: string): number {
  const about = statSync(path)
  if (!about.isDirectory()) return about.mtimeMs
  return readdirSync(path)
    .filter((name) => name !== 'dist' && name !== 'e2e' && name !== 'node_modules')
    .reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), 0)
}

async function build(): Promise<void> {
  const vite = await import('vite').catch(() => null)
  if (vite === null) {
    const fallback = existsSync(INDEX) ? 'The existing build is used.' : 'The API runs without it.'
    process.stderr.write(
      `The console was not built: its build tools are not installed. Run "npm ci". ${fallback}\n`,
    )
    return
  }
  const startedAt = performance.now()
  await vite.build({ root: join(ROOT, 'console'), logLevel: 'warn' })
  const script = compress(DIST)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  process.stderr.write(
    `The console is built in ${relative(ROOT, DIST)} (${seconds} s, ${Math.round(script / 1_024)} KB of compressed script).\n`,
  )
}

/** Compresses all files of the folder. Returns the bytes of compressed scripts. */
function compress(folder: string): number {
  let script = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) script += compress(path)
    else if (/\.(?:js|css|svg|html)$/.test(entry.name)) {
      const bytes = readFileSync(path)
      if (bytes.length < COMPRESSED_BYTES_MIN) continue
      const brotli = brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
      })
      writeFileSync(`${path}.br`, brotli)
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
      if (entry.name.endsWith('.js')) script += brotli.length
    }
  }
  return script
}
