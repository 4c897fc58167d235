/** What must hold of stored data at any time. A violation is a defect of the service or a change made by hand. */
export const INVARIANTS = [
  /** A lease ends within two hours. */
  'lease_without_end',
  /** A delivery that a breaker holds back past its end becomes a dead letter. */
  'delivery_past_end',
  /** A hook with a pending delivery is claimed when that is due. */
  'lane_asleep',
  /** Pending deliveries of a hook that is gone or deleted are ended. */
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
  /** One of them, for the operator: an id, and what is wrong with it. */
  readonly example: string
}

/** Where a check goes on. */
export type InvariantCursor = {
  /** Hooks after this id. */
  readonly hookId: string
  /** Events after this one. */
  readonly eventSeq: number
}

export type InvariantStorage = {
  /** True for one caller within `everyMs`, over all nodes. */
  readonly takeTurn: (now: Date, everyMs: number) => Promise<boolean>
  /**
   * Checks one page: up to 200 hooks after the cursor with the heads of their queues, up to 1,000 new events, and the far ends of
   * leases. Reads the heads of indexes only, in one snapshot. With the cursor null it begins anew, with the newest events.
   * `isLast`: there are no more hooks; the next check begins again.
   */
  readonly check: (request: {
    readonly now: Date
    readonly giveUpAfterMs: number
    readonly cursor: InvariantCursor | null
  }) => Promise<{
    readonly violations: readonly InvariantViolation[]
    readonly cursor: InvariantCursor
    readonly isLast: boolean
  }>
}
