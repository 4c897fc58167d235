/** A bounded number of concurrent tasks. */
export type Tasks = {
  readonly free: () => number
  /** Starts `task`; it must not reject, and its slot is free again when it ends. */
  readonly run: (task: () => Promise<void>) => void
  /** Resolves when no task runs. */
  readonly ended: () => Promise<void>
}

/** `onFree` is called each time one ends. */
export function createTasks(max: number, onFree: () => void): Tasks {
  const running = new Set<Promise<void>>()
  return {
    free: () => max - running.size,
    run(task) {
      const promise: Promise<void> = task().finally(() => {
        running.delete(promise)
        onFree()
      })
      running.add(promise)
    },
    async ended() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
