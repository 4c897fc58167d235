import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** A part of the service that runs until its signal aborts, then ends. */
export type Part = {
  readonly name: string
  /** Ends before `signal` aborts only when it fails. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** The problem, as a sentence, when it runs without doing its work; otherwise null. */
  readonly problem?: () => string | null
}

export type PartHealth = { readonly name: string; readonly ok: boolean; readonly detail: string | null }

/** The default grace period of a stop. */
export const STOP_GRACE_MS = 10_000

type Running = {
  readonly part: Part
  readonly stop: AbortController
  readonly ended: Promise<void>
  alive: boolean
  died: string | null
}

export function createSupervisor(deps: { readonly clock: Clock; readonly log: Log }) {
  const groups: Running[][] = []
  return {
    /** Parts of one group stop together. Groups stop one after another, in reverse order of their start. */
    start(group: readonly Part[]): void {
      groups.push(group.map((part) => launch(part, deps.log)))
    },
    health(): PartHealth[] {
      return groups.flat().map(({ part, alive, died }) => {
        const detail = alive ? (part.problem?.() ?? null) : (died ?? 'It has stopped.')
        return { name: part.name, ok: alive && detail === null, detail }
      })
    },
    /**
     * Stops all parts and waits up to `graceMs` for them. Returns the names of the parts that still run. Call it again to
     * wait longer.
     */
    async stop(graceMs: number = STOP_GRACE_MS): Promise<string[]> {
      const over = new AbortController()
      const grace = deps.clock.sleep(graceMs, over.signal)
      for (const group of [...groups].reverse()) {
        for (const running of group) running.stop.abort()
        await Promise.race([grace, Promise.all(group.map((running) => running.ended))])
      }
      over.abort()
      const left = groups
        .flat()
        .filter((running) => running.alive)
        .map((running) => running.part.name)
      if (left.length > 0) deps.log.warn('service.still_running', { parts: left, waited_ms: graceMs })
      return left
    },
  }
}

function launch(part: Part, log: Log): Running {
  const stop = new AbortController()
  const running: Running = { part, stop, alive: true, died: null, ended: Promise.resolve() }
  const ended = (async () => {
    try {
      await part.run(stop.signal)
      if (!stop.signal.aborted) running.died = 'It ended by itself.'
    } catch (error) {
      running.died = `It failed: ${error instanceof Error ? error.message : String(error)}`
      log.error('part.died', { part: part.name, error })
    }
    if (running.died !== null && !stop.signal.aborted) {
      log.error('part.dead', { part: part.name, detail: running.died })
    }
    running.alive = false
  })()
  return Object.assign(running, { ended })
}
