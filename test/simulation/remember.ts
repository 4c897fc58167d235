import type { Storage } from '../../src/storage/port/storage.ts'
import { READS } from './storage-faults.ts'

/** Calls that change nothing which `dueWork` reads. */
const APART = /^(time\.(now|keep|state)|pace\.|invariants\.|maintenance\.(heartbeat|removeNode))/

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * `storage` that answers a node's commonest questions, of which it asks several a second, from its last answer while nothing was
 * written since. The answers are those of the database: all writes of a run come through here, one after another, and neither
 * answer depends on the time. Half of all statements of a run were these.
 */
export function rememberAnswers(storage: Storage): Storage {
  let dueWork: Promise<unknown> | null = null
  const paces = new Map<unknown, Promise<unknown>>()

  const noteCall = (name: string, args: readonly unknown[], result: unknown) => {
    if (name === 'pace.change') paces.delete(args[0])
    else if (name === 'time.step' || name === 'time.repair') paces.clear()
    const foundNothing = name === 'feeds.claim' && (result as readonly unknown[]).length === 0
    if (!foundNothing && !READS.test(name) && !APART.test(name)) dueWork = null
  }
  const forget = () => {
    dueWork = null
    paces.clear()
  }
  const remembered = (name: string, method: Method): Method => {
    const ask = async (...args: unknown[]) => {
      try {
        const result = await method(...args)
        noteCall(name, args, result)
        return result
      } catch (error) {
        forget()
        throw error
      }
    }
    if (name === 'maintenance.dueWork')
      return (...args) => {
        dueWork ??= ask(...args)
        return dueWork
      }
    if (name === 'pace.get')
      return (...args) => {
        const known = paces.get(args[0]) ?? ask(...args)
        paces.set(args[0], known)
        return known
      }
    return ask
  }
  const parts = Object.entries(storage).map(([part, methods]) => {
    if (typeof methods !== 'object' || methods === null) return [part, methods] as const
    const wrapped = Object.entries(methods as Record<string, unknown>).map(
      ([name, method]) =>
        [
          name,
          typeof method === 'function' ? remembered(`${part}.${name}`, method as Method) : method,
        ] as const,
    )
    return [part, Object.fromEntries(wrapped)] as const
  })
  return {
    ...Object.fromEntries(parts),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  } as unknown as Storage
}
