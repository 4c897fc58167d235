import type { Work } from '../work.ts'

/** Steps of the tables' units of work that each engine does in its own way. */
export type NativeSteps = {
  /** The sources with a store connection change back to the public pages. */
  readonly leaveSourcesOf: (connectionId: string, accountId: string, nowMs: number) => Work<void>
}
