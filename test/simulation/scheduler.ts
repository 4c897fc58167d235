import { Violation } from './violation.ts'

/** A planned event. */
export type Planned = { readonly cancel: () => void }

/**
 * Controls simulated time. Everything from outside the code under test (a timer, an answer, a commit, a process death) is an event. When no
 * code can run, time advances to the next event and exactly one event runs.
 */
export type Scheduler = {
  /** Milliseconds since the epoch; may have a fraction. */
  readonly nowMs: () => number
  /**
   * Runs `run` at `atMs`, or now when that is in the past. Events at the same instant run in the order of planning. While a promise from
   * `run` is pending, time does not advance.
   */
  readonly at: (atMs: number, run: () => void | Promise<void>) => Planned
  readonly after: (ms: number, run: () => void | Promise<void>) => Planned
  /** Runs events until `untilMs`, or until `done` returns true after an event. */
  readonly runUntil: (untilMs: number, done?: () => boolean) => Promise<void>
  readonly events: () => number
}

type Entry = {
  readonly atMs: number
  readonly order: number
  run: (() => void | Promise<void>) | null
}

/** Event loop iterations without a wait. More means a busy loop. */
const TURNS_MAX = 10_000
/** Events within one millisecond of simulated time. More means that time does not advance. */
const EVENTS_PER_MS_MAX = 50_000

export function createScheduler(startMs: number): Scheduler {
  const heap: Entry[] = []
  let nowMs = startMs
  let planned = 0
  let events = 0
  let sameMs = 0

  const at: Scheduler['at'] = (atMs, run) => {
    const entry: Entry = { atMs: Math.max(atMs, nowMs), order: planned, run }
    planned += 1
    push(heap, entry)
    return {
      cancel: () => {
        entry.run = null
      },
    }
  }

  return {
    nowMs: () => nowMs,
    at,
    after: (ms, run) => at(nowMs + ms, run),
    events: () => events,
    async runUntil(untilMs, done = () => false) {
      await quiescent()
      while (!done()) {
        const entry = heap[0]
        if (entry === undefined || entry.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs)
          return
        }
        pop(heap)
        const { run } = entry
        if (run === null) continue
        sameMs = Math.floor(entry.atMs) === Math.floor(nowMs) ? sameMs + 1 : 0
        if (sameMs > EVENTS_PER_MS_MAX)
          throw new Violation('time_does_not_advance', `${sameMs} events in one millisecond`)
        nowMs = entry.atMs
        events += 1
        await run()
        await quiescent()
      }
    },
  }
}

/** Resolves when no promises or immediates are left to run. */
async function quiescent(): Promise<void> {
  for (let turns = 0; turns < TURNS_MAX; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (!process.getActiveResourcesInfo().includes('Immediate')) return
  }
  throw new Violation('busy_loop', `code ran for ${TURNS_MAX} event loop iterations without waiting`)
}

function before(a: Entry, b: Entry): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length
  while (at > 0) {
    const parentAt = (at - 1) >> 1
    const parent = heap[parentAt] as Entry
    if (!before(entry, parent)) break
    heap[at] = parent
    at = parentAt
  }
  heap[at] = entry
}

function pop(heap: Entry[]): void {
  const last = heap.pop() as Entry
  if (heap.length === 0) return
  let at = 0
  while (true) {
    let childAt = at * 2 + 1
    if (childAt >= heap.length) break
    const right = heap[childAt + 1]
    if (right !== undefined && before(right, heap[childAt] as Entry)) childAt += 1
    const child = heap[childAt] as Entry
    if (!before(child, last)) break
    heap[at] = child
    at = childAt
  }
  heap[at] = last
}
