/**
 * A terminal sends Ctrl-C to the whole process group, and launchers forward it. A second signal within this time is the
 * same Ctrl-C.
 */
const REPEATED_MS = 500

export type StopSignals = Disposable & {
  /** Resolves at the first signal, or at `stop()`. */
  readonly first: Promise<void>
  /** Resolves at a second, separate signal. */
  readonly second: Promise<void>
  readonly stop: () => void
}

/**
 * Handles SIGINT and SIGTERM until disposed. It does not handle SIGHUP unless named, since a service started by `nohup`
 * must continue without its terminal.
 */
export function stopSignals(names: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']): StopSignals {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let firstAtMs: number | null = null
  const onSignal = () => {
    const nowMs = performance.now()
    if (firstAtMs === null) {
      firstAtMs = nowMs
      first.resolve()
    } else if (nowMs - firstAtMs >= REPEATED_MS) second.resolve()
  }
  for (const name of names) process.on(name, onSignal)
  return {
    first: first.promise,
    second: second.promise,
    stop: onSignal,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
