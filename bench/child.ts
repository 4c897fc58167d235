import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { Answer, Call } from './children/calls.ts'

/** A child process that answers calls. It ends when it is disposed, and when this process ends. */
export type Child = AsyncDisposable & {
  /** `T` is the result type of the callee. Rejects with the callee's error, or if the child exits first. */
  readonly call: <T>(name: string, ...values: readonly unknown[]) => Promise<T>
  readonly pid: number
}

/** Grace period before a child is killed. */
const END_MS = 15_000

export type ChildOptions = {
  readonly environment?: Readonly<Record<string, string>>
  /** Options for Node, e.g. `--cpu-prof`. */
  readonly execArgv?: readonly string[]
  /** The file for its standard output, which is discarded by default. */
  readonly outputFile?: string
}

/** Starts `bench/children/<name>.ts`; resolves once it accepts calls. */
export async function startChild(name: string, options: ChildOptions = {}): Promise<Child> {
  const output = options.outputFile === undefined ? 'ignore' : openSync(options.outputFile, 'a')
  const child = fork(new URL(`./children/${name}.ts`, import.meta.url), {
    execArgv: [...(options.execArgv ?? [])],
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', output, 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const ready = Promise.withResolvers<void>()
  child.on('message', (message: Answer) => {
    if (message.id === 0) return ready.resolve()
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if ('error' in message) waiter?.reject(new Error(`${name}: ${message.error}`))
    else waiter?.resolve(message.value)
  })
  child.once('exit', (code, signal) => {
    const error = new Error(`${name} ended with ${code ?? signal}`)
    ready.reject(error)
    for (const waiter of waiting.values()) waiter.reject(error)
  })
  await ready.promise
  let calls = 0
  return {
    pid: child.pid ?? 0,
    call: <T>(called: string, ...values: readonly unknown[]) => {
      const waiter = Promise.withResolvers<unknown>()
      calls += 1
      waiting.set(calls, waiter)
      const message: Call = { id: calls, name: called, values }
      child.send(message)
      return waiter.promise as Promise<T>
    },
    [Symbol.asyncDispose]: () => endChild(child),
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.disconnect()
  const tooLong = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await exit
  clearTimeout(tooLong)
}
