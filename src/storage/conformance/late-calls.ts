import { instantOf, steppedMsOf } from '../../runtime/instant.ts'
import type { Storage } from '../port/storage.ts'
import type { Engine } from './harness.ts'
import { after, HOUR, NOON } from './samples.ts'

/**
 * `engine`, of which every call is late: the clock was an hour ahead when its times were computed, and a step back was committed before
 * it. A suite passes only if each call has the effect and the result of one that is computed after the step. So this covers each method
 * that has a test, also those that do not exist yet.
 */
export function lateCalls(engine: Engine): Engine {
  return {
    open: async () => {
      const storage = await engine.open()
      await storage.time.recordReading(NOON, HOUR)
      const jump = { whileStopped: false, extendLeases: false, confirmMs: null }
      await storage.time.step({ ...jump, from: NOON, to: after(HOUR), steps: 0 })
      await storage.time.step({ ...jump, from: after(HOUR), to: NOON, steps: 1 })
      return late(storage)
    },
    openAgain: async () => late(await engine.openAgain()),
  }
}

type Method = (...values: readonly unknown[]) => unknown

function late(storage: Storage): Storage {
  let computedMs = HOUR
  const methodsOf = (methods: Readonly<Record<string, Method>>) =>
    Object.entries(methods).map(([name, method]): [string, Method] => [
      name,
      (...values) => method(...values.map((value) => hourAgo(value, computedMs))),
    ])
  const parts = Object.entries(storage).map(([name, part]) => [
    name,
    typeof part === 'object' ? Object.fromEntries(methodsOf(part as Record<string, Method>)) : part,
  ])
  const step: Storage['time']['step'] = async (jump) => {
    const state = await storage.time.step(jump)
    computedMs = state.steppedMs + HOUR
    return state
  }
  const made = Object.fromEntries(parts) as Storage
  return { ...storage, ...made, time: { ...made.time, step } }
}

/** The value with times by the clock before the step, also those that a callback returns, except those that storage gave it. */
function hourAgo(value: unknown, computedMs: number): unknown {
  const change = (each: unknown) => hourAgo(each, computedMs)
  if (typeof value === 'function') return (...values: unknown[]) => change(value(...values))
  if (value instanceof Date)
    return steppedMsOf(value) === null ? instantOf(value.getTime() + HOUR, computedMs) : value
  if (Array.isArray(value)) return value.map(change)
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, change(each)]))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]))
}
