/** The invariants of stored data. A violation is a bug of the service or a manual change of the database. */
export const INVARIANTS = [
  /** A lease ends within two hours. */
  'lease_without_end',
  /** A delivery that a breaker holds back past its end becomes a dead letter. */
  'delivery_past_end',
  /** A hook with a pending delivery is claimed when that is due. */
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
  /** One of them, for the operator: an id and what is wrong. */
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
  /** True for one caller within `everyMs`, over all nodes. */
  readonly claimCheck: (now: Date, everyMs: number) => Promise<boolean>
  /**
   * Checks one page: up to 200 hooks after the cursor with the heads of their queues, up to 1,000 new events, and the furthest
   * ends of leases. Reads the ends of indexes only, in one snapshot. A null cursor starts from the beginning, with the
   * newest events. `isLast`: there are no more hooks; the next check starts from the beginning.
   */
  readonly check: (request: {
    readonly now: Date
    readonly expireAfterMs: number
    readonly cursor: InvariantCursor | null
  }) => Promise<{
    readonly violations: readonly InvariantViolation[]
    readonly cursor: InvariantCursor
    readonly isLast: boolean
  }>
}
