import { AsyncLocalStorage } from 'node:async_hooks'
import { instantOf, steppedMsOf } from '../runtime/instant.ts'
import type { Storage } from './port/storage.ts'

/**
 * A step of the clock moves stored times in one commit. A call that is committed after it may carry times that were computed before it: by
 * this node between the commit of the step and its answer, or by another node that has not noticed the step yet. Each transaction of such a
 * call therefore reads the sum of all steps, on PostgreSQL under a lock that a step waits for. If it is not the sum that the times were
 * computed with, the transaction is undone, and the call is made again with its times moved by the difference.
 */

/** The sum of steps that the times of the call under way were computed with. Undefined for a call without times of a node's clock. */
const computedWith = new AsyncLocalStorage<number>()

/** Thrown inside a transaction: the clock was stepped since the times of the call were computed. */
class ClockStepped extends Error {
  override readonly name = 'ClockStepped'
  readonly steppedMs: number

  constructor(steppedMs: number) {
    super('the clock was stepped')
    this.steppedMs = steppedMs
  }
}

/** Whether a transaction must call `checkSteps` before its commit. */
export function mustCheckSteps(): boolean {
  return computedWith.getStore() !== undefined
}

export const SELECT_STEPPED = 'select stepped_ms from clock where one = 1'

/** Throws, so that the transaction is undone, if the clock was stepped. Without a row no node has ever read the clock. */
export function checkSteps(row: { readonly stepped_ms: number } | undefined): void {
  if (row !== undefined && row.stepped_ms !== computedWith.getStore()) throw new ClockStepped(row.stepped_ms)
}

/** Whether a statement only reads. One that begins neither with `select` nor with `with` counts as a write. */
export function isRead(sql: string): boolean {
  return sql.startsWith('select') || (sql.startsWith('with') && !WRITES.test(sql))
}

const WRITES = /\b(?:insert into|update \w+(?: (?:as )?\w+)? set|delete from)\b/

/** `storage`, whose methods move the times of a call to the clock as it is at the commit, also those that callbacks return. */
export function movingInstants(storage: Storage): Storage {
  const moving =
    (method: Method): Method =>
    async (...values) => {
      let steppedMs = firstSteppedMs(values)
      while (steppedMs !== null) {
        const toMs = steppedMs
        try {
          return await computedWith.run(toMs, () => method(...values.map((each) => moved(each, toMs))))
        } catch (error) {
          if (!(error instanceof ClockStepped)) throw error
          steppedMs = error.steppedMs
        }
      }
      return method(...values)
    }

  const parts = Object.entries(storage).map(([name, part]) => [
    name,
    typeof part === 'object' ? mapped(part as Record<string, Method>, moving) : part,
  ])
  return { ...storage, ...Object.fromEntries(parts) }
}

type Method = (...values: readonly unknown[]) => Promise<unknown>

/** Null when nothing in the value is by a clock that is stepped. */
function firstSteppedMs(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null
  if (value instanceof Date) return steppedMsOf(value) ?? null
  for (const each of isPlain(value) ? Object.values(value) : Array.isArray(value) ? value : []) {
    const steppedMs = firstSteppedMs(each)
    if (steppedMs !== null) return steppedMs
  }
  return null
}

/** The value itself where nothing moves. */
function moved(value: unknown, steppedMs: number): unknown {
  if (typeof value === 'function') return (...values: unknown[]) => moved(value(...values), steppedMs)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) {
    const byMs = steppedMs - (steppedMsOf(value) ?? steppedMs)
    return byMs === 0 ? value : instantOf(value.getTime() + byMs, steppedMs)
  }
  const move = (each: unknown) => moved(each, steppedMs)
  if (Array.isArray(value)) return value.some((each) => move(each) !== each) ? value.map(move) : value
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, move(each)]))
  return isPlain(value) ? mapped(value, move) : value
}

function isPlain(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype
}

function mapped<Value, To>(
  object: Readonly<Record<string, Value>>,
  to: (value: Value) => To,
): Readonly<Record<string, Value | To>> {
  let result: Record<string, Value | To> = object
  for (const key in object) {
    const before = object[key] as Value
    const after: Value | To = to(before)
    if (after === (before as unknown)) continue
    if (result === object) result = { ...object }
    result[key] = after
  }
  return result
}
