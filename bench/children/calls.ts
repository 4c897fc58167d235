/** Messages between a benchmark and its child processes. */

export type Call = { readonly id: number; readonly name: string; readonly values: readonly unknown[] }

/** Id 0 means that the child accepts calls. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }

/** Values come from the parent process, and each handler knows their types. */
// biome-ignore lint/suspicious/noExplicitAny: a table of functions with different parameters
export type Handlers = Readonly<Record<string, (...values: any[]) => unknown>>

/** Answers the calls of the parent process; `end` runs when the parent disconnects or ends. */
export function answerCalls(handlers: Handlers, end: () => Promise<void>): void {
  const send = (answer: Answer) => process.send?.(answer)
  process.on('message', async ({ id, name, values }: Call) => {
    try {
      send({ id, value: await handlers[name]?.(...values) })
    } catch (error) {
      send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.once('disconnect', async () => {
    await end()
    process.exit()
  })
  send({ id: 0, value: null })
}

/** CPU time and memory of this process. */
export type Usage = { readonly cpuMs: number; readonly rssBytes: number }

export function usage(): Usage {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() }
}
