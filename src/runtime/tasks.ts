/** A bounded number of concurrent tasks. Calls `onFree` when one ends. */
export function createTasks(max: number, onFree: () => void) {
  const running = new Set<Promise<void>>()
  return {
    free: (): number => max - running.size,
    /** Starts `task`, which must not reject. Its slot is free again when it ends. */
    run(task: () => Promise<void>): void {
      const promise: Promise<void> = task().finally(() => {
        running.delete(promise)
        onFree()
      })
      running.add(promise)
    },
    /** Resolves when all tasks have ended. */
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
