/** A change of the clock that no time passing explains. */
export type ClockJump = {
  /** By the clock after the jump. */
  readonly at: Date
  /** Negative: the clock went back. */
  readonly byMs: number
  /** Found at a start: forward it may also mean that no node ran for so long. */
  readonly whileStopped: boolean
}

/** The clock as the nodes of this database last saw it. */
export type ClockState = {
  /** The high-water mark: the instant a node stored last. */
  readonly highWaterAt: Date
  /** Counts jumps that stored instants were adjusted to, so that several nodes that see one jump adjust to it once. */
  readonly steps: number
  readonly lastJump: ClockJump | null
  /** Until then nothing is deleted or given up for its age. Null: the time is confirmed. */
  readonly unconfirmedUntil: Date | null
}

/** How far ahead of now each rule puts an instant at most. What lies further ahead was put there under another clock. */
export type Horizons = {
  readonly pollMs: number
  readonly readyMs: number
  readonly enrichLeaseMs: number
  /** Waits between attempts, open breakers, rate limits and leases of deliveries. */
  readonly deliveryMs: number
  readonly replayMs: number
  readonly storeBlockMs: number
}

/**
 * The time that stored instants are compared with, and what becomes of those instants when it jumps. The clock of a single
 * node of PostgreSQL does not count: when it is wrong nothing that is stored changes.
 */
export type TimeStorage = {
  /** The database's own clock. SQLite has none: there it is the clock that storage was opened with. */
  readonly now: () => Promise<Date>
  /** Null before the first `keep`. */
  readonly state: () => Promise<ClockState | null>
  /**
   * Moves the high-water mark to `now` and confirms the time when its wait is over. The first call for a database makes its
   * time unconfirmed for `confirmMs`: nobody knows what the clock was before.
   */
  readonly keep: (now: Date, confirmMs: number) => Promise<ClockState>
  /**
   * The commit of a jump: the clock showed `from` and shows `to`. Back: every stored instant that now lies ahead moves back as
   * far, so that what was to happen in five minutes still does. Forward: leases end as much later, so that nobody takes
   * over what another still works on. Changes nothing when another node adjusted to it before (`steps` differs).
   * `extendLeases` is false at a start, where the holders of leases are gone. With `confirmMs` null the time stays as
   * confirmed as it was.
   */
  readonly step: (jump: {
    readonly from: Date
    readonly to: Date
    readonly steps: number
    readonly whileStopped: boolean
    readonly extendLeases: boolean
    readonly confirmMs: number | null
  }) => Promise<ClockState>
  /**
   * Makes due at once what lies further ahead than its rule can have put it. Looks at the far ends of indexes only. How many
   * rows it changed.
   */
  readonly repair: (now: Date, horizons: Horizons) => Promise<number>
}
