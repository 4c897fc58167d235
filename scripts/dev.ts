import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * `npm run dev` runs the demo (service, simulated stores, receiver) on port 8080, which restarts when its source changes, and the console
 * on port 5173, which updates on each change. Open the demo's link first, which signs in to both. A restart creates a new database and a
 * new link. Ctrl-C ends both.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const WATCHED = ['src', 'packages/language/src', 'packages/language/data']

/** Changes within this time cause one restart. */
const SETTLE_MS = 150

const { createServer } = await import('vite')
const vite = await createServer({ configFile: `${root}console/vite.config.ts`, root: `${root}console` })
await vite.listen()
process.stdout.write('Console, reloading  http://127.0.0.1:5173\n')

let changed = Promise.withResolvers<string>()
const watchers = WATCHED.map((folder) =>
  watch(`${root}${folder}`, { recursive: true }, (_, file) => {
    if (file !== null && /\.(?:ts|js|sql|json|tsv)$/.test(file) && !file.endsWith('.test.ts'))
      changed.resolve(`${folder}/${file}`)
  }),
)

// The terminal sends Ctrl-C to the demo too; this process ends after it.
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isEnding = true
    changed.resolve('')
    if (signal === 'SIGTERM') demo?.kill()
  })

let demo: ChildProcess | undefined
let code: unknown = 0
while (!isEnding) {
  demo = spawn(process.execPath, ['bin/radar', 'demo', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
  const ended = once(demo, 'exit')
  const first = await Promise.race([changed.promise, ended])
  if (Array.isArray(first) && !isEnding) {
    ;[code] = first
    // The demo ended: --seconds, or Ctrl-C only in the demo.
    if (code === 0) break
    process.stdout.write('The demo failed. It starts again when a file changes.\n')
  }
  const file = await changed.promise
  if (!isEnding) {
    process.stdout.write(`\n${file} changed: restarting\n\n`)
    if (demo.exitCode === null) demo.kill()
    await setTimeout(SETTLE_MS)
    changed = Promise.withResolvers<string>()
  }
  ;[code] = demo.exitCode === null && demo.signalCode === null ? await ended : [demo.exitCode]
}
for (const watcher of watchers) watcher.close()
await vite.close()
process.exitCode = typeof code === 'number' ? code : 1
