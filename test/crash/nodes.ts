import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** A process of the service that can be restarted on the same port. */
export type Node = {
  readonly url: string
  readonly start: () => void
  /** Resolves when the node is ready; rejects if it exits before. */
  readonly ready: () => Promise<void>
  readonly running: () => boolean
  /** Kills the node. Resolves after its exit with the time before the kill. */
  readonly kill: () => Promise<Date>
  /** Stops the node and resolves with its exit status. */
  readonly stop: () => Promise<number | null>
}

export type NodeOptions = {
  readonly port: number
  readonly environment: Readonly<Record<string, string>>
  readonly logFile: string
  /** 1 runs `bin/radar serve`; otherwise the same service with a faster clock. */
  readonly speed: number
  readonly anchorMs: number
}

const POLL_INTERVAL_MS = 25
const READY_MS_MAX = 60_000

export function createNode(options: NodeOptions): Node {
  const { port, environment, logFile, speed, anchorMs } = options
  const url = `http://127.0.0.1:${port}`
  const log = openSync(logFile, 'a')
  let child: ChildProcess | null = null
  let ended: Promise<number | null> = Promise.resolve(null)
  process.on('exit', () => child?.kill('SIGKILL'))

  const { PATH, NODE_COMPILE_CACHE } = process.env

  const start = () => {
    const pathOf = (path: string) => new URL(path, import.meta.url).pathname
    const program =
      speed === 1
        ? [pathOf('../../bin/radar'), 'serve']
        : [pathOf('node.ts'), String(anchorMs), String(speed)]
    const started = spawn(process.execPath, program, {
      env: { PATH, NODE_COMPILE_CACHE, ...environment, RADAR_PORT: String(port) },
      stdio: ['ignore', log, log],
    })
    child = started
    ended = new Promise((resolve) => started.once('exit', (code) => resolve(code)))
    void ended.then(() => {
      if (child === started) child = null
    })
  }
  return {
    url,
    start,
    running: () => child !== null,
    async ready() {
      const deadline = performance.now() + READY_MS_MAX
      while (!(await isReady(url))) {
        if (child === null) throw new Error(`A node exited. See its log: ${logFile}`)
        if (performance.now() > deadline)
          throw new Error(`A node was not ready within ${READY_MS_MAX} ms. See its log: ${logFile}`)
        await setTimeout(POLL_INTERVAL_MS)
      }
    },
    async kill() {
      const at = new Date()
      child?.kill('SIGKILL')
      await ended
      return at
    },
    async stop() {
      child?.kill('SIGTERM')
      return await ended
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
