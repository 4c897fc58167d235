import type { Instant } from '../../runtime/instant.ts'

/** The invariants of stored data. A violation is a bug of the service or a manual change of the database. */
export const INVARIANTS = [
  /** A lease ends within two hours. */
  'lease_without_end',
  /** A delivery that a breaker holds back beyond its end becomes a dead letter. */
  'delivery_past_end',
  /** A hook with a due delivery is claimed. */
  'lane_asleep',
  /** A hook that is gone or deleted has no pending deliveries. */
  'pending_of_ended_hook',
  /** A ready occurrence is fanned out. */
  'occurrence_stuck',
  /** An event is no older than its hook. */
  'event_before_hook',
  /** A hook gets one event per occurrence. */
  'duplicate_event',
] as const
export type Invariant = (typeof INVARIANTS)[number]

export type InvariantViolation = {
  readonly invariant: Invariant
  /** Rows found on this page. */
  readonly count: number
  /** One of them for the operator: an id and the problem. */
  readonly example: string
}

/** Where the next check continues. */
export type InvariantCursor = {
  /** Hooks after this id. */
  readonly hookId: string
  /** Events after this one. */
  readonly eventSeq: number
}

export type InvariantStorage = {
  /** True for one caller of all nodes within `everyMs`. */
  readonly claimCheck: (now: Instant, everyMs: number) => Promise<boolean>
  /**
   * Checks one page: up to 200 hooks after the cursor with the first deliveries of their queues, up to 1,000 new
   * events, and the latest ends of leases. Reads only the ends of indexes, in one snapshot. A null cursor starts from
   * the beginning, with the newest events. `isLast`: there are no more hooks, so the next check starts from the
   * beginning.
   */
  readonly check: (request: {
    readonly now: Instant
    readonly expireAfterMs: number
    readonly cursor: InvariantCursor | null
  }) => Promise<{
    readonly violations: readonly InvariantViolation[]
    readonly cursor: InvariantCursor
    readonly isLast: boolean
  }>
}
