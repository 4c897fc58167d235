import { StorageUnavailable } from '../../src/storage/port/errors.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Scheduler } from './scheduler.ts'
import type { CallOutcome } from './storage-faults.ts'
import type { Trace } from './trace.ts'

export type StorageProxyDeps = {
  readonly scheduler: Scheduler
  readonly trace: Trace
  /** Shown in the trace. */
  readonly node: string
  readonly isAlive: () => boolean
  readonly outcomeOf: (name: string) => CallOutcome
  /** Executes a call in the storage engine. */
  readonly execute: (call: () => Promise<unknown>) => Promise<unknown>
  /** Called after each executed call, before its caller gets the answer. */
  readonly onExecuted: (call: ExecutedCall) => void
  /** Registers the node's listener for wakes of other nodes. */
  readonly onWake: (wake: () => void) => () => void
}

export type ExecutedCall = {
  readonly name: string
  readonly args: readonly unknown[]
  readonly result: unknown
  /** True time of the call. */
  readonly calledAtMs: number
}

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * `storage` as one simulated node sees it. Each call is a separate event that runs when the schedule says, one at a time. A call may fail
 * before or after it takes effect. A process that died meanwhile gets no answer.
 */
export function proxyStorage(storage: Storage, deps: StorageProxyDeps): Storage {
  const proxied: Record<string, unknown> = { engine: storage.engine, onWake: deps.onWake }
  for (const [part, methods] of Object.entries(storage)) {
    if (typeof methods !== 'object' || methods === null) continue
    proxied[part] = Object.fromEntries(
      Object.entries(methods as Record<string, unknown>).map(([name, method]) => [
        name,
        typeof method === 'function' ? proxyMethod(`${part}.${name}`, method as Method) : method,
      ]),
    )
  }
  const disposable = { ...proxied, [Symbol.asyncDispose]: async () => {} }
  return disposable as unknown as Storage

  function proxyMethod(name: string, method: Method): Method {
    const { scheduler, trace, node } = deps
    return (...args) =>
      new Promise((resolve, reject) => {
        // A dead process sends no calls.
        if (!deps.isAlive()) return
        const calledAtMs = scheduler.nowMs()
        const outcome = deps.outcomeOf(name)
        const fail = (when: string) => {
          trace.note(`${node} ${name} fails ${when}`)
          if (deps.isAlive())
            reject(new StorageUnavailable(`The simulated database is unavailable (${name}).`))
        }
        const answer = (settle: () => void) =>
          scheduler.after(outcome.answerAfterMs, () => {
            if (deps.isAlive()) settle()
          })
        scheduler.after(outcome.executeAfterMs, async () => {
          if (!deps.isAlive()) return
          if (outcome.fails === 'before') return fail('before')
          const executed = deps
            .execute(() => method(...args))
            .then(
              (result) => {
                trace.note(`${node} ${name} ${summaryOf(result)}`)
                deps.onExecuted({ name, args, result, calledAtMs })
                answer(() => (outcome.fails === 'after' ? fail('after') : resolve(result)))
              },
              (error: unknown) => {
                trace.note(`${node} ${name} throws ${error instanceof Error ? error.name : String(error)}`)
                answer(() => reject(error))
              },
            )
          // A real engine answers in real time, while simulated time does not advance.
          await executed
        })
      })
  }
}

/** A short form of a result, to distinguish two runs. */
function summaryOf(result: unknown): string {
  if (Array.isArray(result)) return `[${result.length}]`
  if (result instanceof Set || result instanceof Map) return `{${result.size}}`
  if (typeof result !== 'object' || result === null) return String(result)
  return JSON.stringify(result).slice(0, 160)
}
