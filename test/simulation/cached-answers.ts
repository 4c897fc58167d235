import type { Storage } from '../../src/storage/port/storage.ts'
import { READS } from './storage-faults.ts'

/** Calls that do not change the data that `dueWork` reads. */
const UNRELATED =
  /^(time\.(now|recordReading|state)|pace\.|invariants\.|maintenance\.(heartbeat|removeNode)|replies\.|(reviewSources|reviewHistories)\.claim)/

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * `storage` that caches the two most frequent queries of a node until the next write. They would be half of all statements of a run. The
 * cached answers equal those of the database: all writes of a run pass through here one after another, and neither answer depends on the
 * time.
 */
export function cacheAnswers(storage: Storage): Storage {
  let dueWork: Promise<unknown> | null = null
  const paces = new Map<unknown, Promise<unknown>>()

  const invalidate = (name: string, args: readonly unknown[], result: unknown) => {
    if (name === 'pace.change') paces.delete(args[0])
    else if (name === 'time.step' || name === 'time.repair') paces.clear()
    const foundNothing = name === 'feeds.claim' && (result as readonly unknown[]).length === 0
    if (!foundNothing && !READS.test(name) && !UNRELATED.test(name)) dueWork = null
  }
  const clear = () => {
    dueWork = null
    paces.clear()
  }
  const cached = (name: string, method: Method): Method => {
    const call = async (...args: unknown[]) => {
      try {
        const result = await method(...args)
        invalidate(name, args, result)
        return result
      } catch (error) {
        clear()
        throw error
      }
    }
    if (name === 'maintenance.dueWork')
      return (...args) => {
        dueWork ??= call(...args)
        return dueWork
      }
    if (name === 'pace.get')
      return (...args) => {
        const known = paces.get(args[0]) ?? call(...args)
        paces.set(args[0], known)
        return known
      }
    return call
  }
  const parts = Object.entries(storage).map(([part, methods]) => {
    if (typeof methods !== 'object' || methods === null) return [part, methods] as const
    const wrapped = Object.entries(methods as Record<string, unknown>).map(
      ([name, method]) =>
        [name, typeof method === 'function' ? cached(`${part}.${name}`, method as Method) : method] as const,
    )
    return [part, Object.fromEntries(wrapped)] as const
  })
  return {
    ...Object.fromEntries(parts),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  } as unknown as Storage
}
