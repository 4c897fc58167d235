/** A change of the clock beyond the time that passed. */
export type ClockJump = {
  /** By the clock after the jump. */
  readonly at: Date
  /** Negative: the clock went back. */
  readonly byMs: number
  /** Found at a start: a jump forward may also mean that no node ran for that time. */
  readonly whileStopped: boolean
}

/** The stored state of the clock. */
export type ClockState = {
  /** The high-water mark: the last instant that a node stored. */
  readonly highWaterAt: Date
  /** Counts the adjusted jumps, so that several nodes adjust stored instants once for one jump. */
  readonly steps: number
  readonly lastJump: ClockJump | null
  /**
   * The sum of all jumps since the clock last ran for a day without one: positive when it is ahead, negative when
   * behind.
   */
  readonly aheadMs: number
  /** Until then nothing is deleted or expires. Null: the time is confirmed. */
  readonly unconfirmedUntil: Date | null
}

/** The furthest ahead of now that each rule sets an instant. An instant further ahead comes from another clock. */
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
 * The time that stored instants are compared with, and their adjustment when it jumps. The clock of a single node on
 * PostgreSQL does not count: when it is wrong no stored data change.
 */
export type TimeStorage = {
  /** The database's own clock. SQLite has none: there it is the clock that storage was opened with. */
  readonly now: () => Promise<Date>
  /** Null before the first `keep`. */
  readonly state: () => Promise<ClockState | null>
  /**
   * Moves the high-water mark to `now` and confirms the time when its wait is over. The first call for a database makes
   * its time unconfirmed for `confirmMs`, since the clock before it is unknown. `gapMs`: the clock went forward by as
   * much without a jump, because no node ran or the machine was suspended. A wrong clock looks the same, so hooks
   * created while the clock seems to be behind are moved later by that much less.
   */
  readonly recordReading: (now: Date, confirmMs: number, gapMs?: number) => Promise<ClockState>
  /**
   * The commit of a jump: the clock showed `from` and shows `to`. Back: every stored instant that is now ahead moves
   * back as far, so that it keeps its distance. Forward: leases end as much later, so that no work is claimed twice. No
   * change when another node has adjusted already (`steps` differs). `extendLeases` is false at a start, since the
   * holders of leases have ended. With `confirmMs` null the time stays confirmed or unconfirmed.
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
   * Makes rows due at once that lie further ahead than any rule sets them. Reads the ends of indexes only. Returns how many
   * rows it changed.
   */
  readonly repair: (now: Date, horizons: Horizons) => Promise<number>
}
