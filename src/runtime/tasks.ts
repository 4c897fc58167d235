/** A bounded number of concurrent tasks. */
export type Tasks = {
  readonly free: () => number
  /** Starts `task`, which must not reject. Its slot is free again when it ends. */
  readonly run: (task: () => Promise<void>) => void
  /** Resolves when all tasks have ended. */
  readonly ended: () => Promise<void>
}

/** Calls `onFree` when a task ends. */
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
