import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * `npm run dev`: the demo (service, simulated stores, receiver) on port 8080, and the console beside it on port 5173,
 * where a change of its source shows at once. Open the demo's link first: it signs in for both. Ctrl-C ends all.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { createServer } = await import('vite')
const vite = await createServer({ configFile: `${root}console/vite.config.ts`, root: `${root}console` })
await vite.listen()

const demo = spawn(process.execPath, ['bin/radar', 'demo', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
// The terminal sends Ctrl-C to the demo too; it ends in its own time, and we after it.
process.on('SIGINT', () => {})
process.stdout.write('Console, reloading  http://127.0.0.1:5173\n')
const [code] = await once(demo, 'exit')
await vite.close()
process.exitCode = typeof code === 'number' ? code : 1
