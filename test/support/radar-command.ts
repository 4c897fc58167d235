import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { runCommand } from '../../src/cli/main.ts'
import { collected } from './collected.ts'
import { until } from './until.ts'

const RADAR = resolve(import.meta.dirname, '../../bin/radar')

/** Several times the duration of the longest command on a busy machine. */
const COMMAND_MS_MAX = 180_000

/** `status` is null if the command was killed. */
export type CommandResult = { readonly status: number | null; readonly out: string; readonly err: string }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs `radar <words>` in this process, with only these settings and without a terminal. A process of its own takes 0.3 s of
 * processor time more.
 */
export async function radarCommand(
  words: readonly string[],
  settings: Environment = {},
): Promise<CommandResult> {
  let out = ''
  let err = ''
  const status = await runCommand(words, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    drained: async () => {},
    confirm: async () => null,
    environment: settings,
  })
  return { status, out, err }
}

/** Runs `bin/radar <words>` in a separate process, with only these settings, until it exits. */
export async function radarProcess(
  words: readonly string[],
  settings: Environment = {},
): Promise<CommandResult> {
  const running = startRadar(words, settings)
  // A command that does not exit fails only its test, not the whole run.
  const killTimer = setTimeout(() => running.process.kill('SIGKILL'), COMMAND_MS_MAX)
  const [status] = await once(running.process, 'close')
  clearTimeout(killTimer)
  return { status, out: running.out(), err: running.err() }
}

export type RunningCommand = {
  readonly process: ChildProcess
  readonly out: () => string
  readonly err: () => string
}

/** Starts a command without waiting for its exit. The caller ends it. */
export function startRadar(words: readonly string[], settings: Environment = {}): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('RADAR_'))
  const child = spawn(process.execPath, [RADAR, ...words], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { process: child, out: collected(child.stdout), err: collected(child.stderr) }
}

/** The URL that `radar serve` logs once it listens. Throws with its output if it exits before. */
export function servedUrl(running: RunningCommand): Promise<string> {
  return until('the service listens', () => {
    if (running.process.exitCode !== null)
      throw new Error(`radar serve exited: ${running.out()}${running.err()}`)
    return /"url":"(http:[^"]+)"/.exec(running.out())?.[1]
  })
}
