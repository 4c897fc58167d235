import type { Instant } from '../../runtime/instant.ts'

/** A difference between the change of the clock and the elapsed time. */
export type ClockJump = {
  /** By the clock after the jump. */
  readonly at: Date
  /** Negative for a jump back. */
  readonly byMs: number
  /** Detected at a start: a jump forward may also mean that no node was running. */
  readonly whileStopped: boolean
}

/** The stored state of the clock. */
export type ClockState = {
  /** The high-water mark: the last instant that a node stored. */
  readonly highWaterAt: Date
  /** Counts the adjusted jumps, so that several nodes adjust stored instants once for one jump. */
  readonly steps: number
  /**
   * The sum of all adjusted jumps. A write whose instants are by the clock before the last ones is moved by the difference (`Instant`), so
   * that it does not matter whether it is committed before or after the step.
   */
  readonly steppedMs: number
  readonly lastJump: ClockJump | null
  /**
   * The sum of all jumps since the clock last ran for a day without one: positive when it is ahead, negative when
   * behind.
   */
  readonly aheadMs: number
  /** Nothing is deleted and nothing expires until then. Null: the time is confirmed. */
  readonly unconfirmedUntil: Date | null
}

/** The maximum distance from now at which each rule sets an instant. A later instant was set with another clock. */
export type Horizons = {
  readonly pollMs: number
  readonly readyMs: number
  readonly enrichLeaseMs: number
  /** Waits between attempts, open breakers, rate limits and leases of deliveries and alerts. */
  readonly deliveryMs: number
  readonly replayMs: number
  readonly storeBlockMs: number
  /** Polls and imports of official sources, and answers. */
  readonly officialMs: number
}

/**
 * The clock for stored instants, and their adjustment after a jump. On PostgreSQL this is the clock of the database: a
 * wrong clock of a single node changes no stored data.
 */
export type TimeStorage = {
  /** The clock of the database. SQLite has none, so there it is the clock that the storage was opened with. */
  readonly now: () => Promise<Date>
  /** Null before the first `recordReading`. */
  readonly state: () => Promise<ClockState | null>
  /**
   * Moves the high-water mark to `now` and confirms the time when its wait is over. The first call for a database makes
   * its time unconfirmed for `confirmMs`, since the earlier clock is unknown. `gapMs`: the clock advanced by this time
   * without a jump, because no node was running or the machine was suspended. A wrong clock looks the same, so hooks
   * created while the clock seems to be behind are moved by that much less.
   */
  readonly recordReading: (now: Instant, confirmMs: number, gapMs?: number) => Promise<ClockState>
  /**
   * The commit of a jump of the clock from `from` to `to`. A jump back moves every later stored instant back by the
   * same time, so that its distance from now is the same. A jump forward extends leases by the same time, so that no
   * work is claimed twice. Nothing changes when another node has already adjusted (`steps` differs). `extendLeases` is
   * false at a start, since the holders of leases have ended. With `confirmMs` null, the time stays confirmed or
   * unconfirmed.
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
   * Makes rows due at once whose instants are later than any rule allows. Reads only the ends of indexes. Returns the
   * number of changed rows.
   */
  readonly repair: (now: Instant, horizons: Horizons) => Promise<number>
}
