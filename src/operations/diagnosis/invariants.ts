import type { Clock } from '../../runtime/clock.ts'
import type { InvariantCursor } from '../../storage/port/invariants.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Pages of 200 hooks that one diagnosis reads, which takes seconds at most. */
const PAGES_MAX = 200

export async function* invariantFindings(
  storage: Storage,
  clock: Clock,
  expireAfterMs: number,
): AsyncGenerator<Finding> {
  const found = new Map<string, { count: number; readonly example: string }>()
  let cursor: InvariantCursor | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const checked = await storage.invariants.check({ now: clock.now(), expireAfterMs, cursor })
    for (const { invariant, count, example } of checked.violations) {
      // Every page also checks leases and occurrences, so counts repeat.
      const before = found.get(invariant)
      found.set(invariant, {
        count: Math.max(before?.count ?? 0, count),
        example: before?.example ?? example,
      })
    }
    cursor = checked.cursor
    if (checked.isLast) break
  }
  if (found.size === 0) yield ok('The stored data violates no invariant.')
  for (const [invariant, { count, example }] of found) {
    yield problem(
      `invariant ${invariant}`,
      `The invariant ${invariant} is violated (${count} found), for example: ${example}.`,
    )
  }
}
