import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collected } from '../support/collected.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import type { Language } from './languages.ts'

/** A receiver of `examples/receivers` in a separate process. */
export type RunningReceiver = AsyncDisposable & {
  readonly url: string
  /** Bodies of the stored events by event ID. */
  readonly stored: () => ReadonlyMap<string, string>
  /** Replaces the folder for events by a file, so that nothing can be stored. */
  readonly breakInbox: () => void
}

export async function startExample(
  language: Language,
  settings: { readonly secrets: readonly string[]; readonly toleranceS: number },
): Promise<RunningReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-receiver-'))
  const inbox = join(folder, 'inbox')
  mkdirSync(inbox)
  const port = await freePort()
  const { file, arguments: args } = await language.start(folder, port)
  const child = spawn(file, [...args], {
    env: {
      ...process.env,
      HOOK_SECRETS: settings.secrets.join(' '),
      TOLERANCE_S: String(settings.toleranceS),
      INBOX: inbox,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr = collected(child.stderr)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill()
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await until(`the receiver in ${language.name} listens`, () => {
      if (child.exitCode !== null) throw new Error(`The receiver in ${language.name} exited: ${stderr()}`)
      return isOpen(port)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    stored: () =>
      new Map(
        readdirSync(inbox)
          .filter((name) => name.endsWith('.json'))
          .map((name) => [name.replace('.json', ''), readFileSync(join(inbox, name), 'utf8')]),
      ),
    breakInbox: () => {
      rmSync(inbox, { recursive: true })
      writeFileSync(inbox, '')
    },
    [Symbol.asyncDispose]: stop,
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}
