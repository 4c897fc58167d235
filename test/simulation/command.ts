import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export type Run = { readonly status: number | null; readonly output: string }

/**
 * Runs `npm run test:simulation` in its own process and returns its exit status and output. Tests do not simulate many seeds themselves,
 * because the test runner follows every promise: that takes a quarter more processor time.
 */
export async function runCommand(args: readonly string[]): Promise<Run> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const running = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = Promise.all([text(running.stdout), text(running.stderr)])
  const [status] = (await once(running, 'close')) as [number | null]
  return { status, output: (await output).join('') }
}
