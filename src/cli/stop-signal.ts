/**
 * A terminal sends Ctrl-C to the whole group of processes, and launchers pass it on: what comes again this soon is
 * the same wish.
 */
const SAME_WISH_MS = 500

export type StopSignals = Disposable & {
  /** Resolves at the first SIGINT or SIGTERM, or at `stop()`. */
  readonly first: Promise<void>
  /** Resolves when somebody insists. */
  readonly second: Promise<void>
  readonly stop: () => void
}

export function stopSignals(): StopSignals {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let firstAtMs: number | null = null
  const onSignal = () => {
    const nowMs = performance.now()
    if (firstAtMs === null) {
      firstAtMs = nowMs
      first.resolve()
    } else if (nowMs - firstAtMs >= SAME_WISH_MS) second.resolve()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    first: first.promise,
    second: second.promise,
    stop: onSignal,
    [Symbol.dispose]: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
