import type { Instant } from '../../runtime/instant.ts'

/**
 * Limits of attempts to guess a secret, for all nodes together and over restarts. Their rows have no key, but hashes of it with a secret of
 * the database: at most 262,144 rows for each name, none of which is evicted (docs/decisions.md, "Attempts at sign-in share a table of
 * bounded size"). Keys of one name may share a row, so they have one rate; those of two names never do.
 */
export type AttemptLimitStorage = {
  /**
   * Reads the theoretical arrival time of the key (`src/runtime/gcra.ts`), 0 at first, and stores the one that `decide` returns unless it
   * has a wait: in one commit, so that no two callers get the same permit. Returns the wait.
   */
  readonly take: (
    name: string,
    key: string,
    now: Instant,
    decide: (arrivalMs: number, now: Instant) => { readonly arrivalMs: number; readonly waitMs: number },
  ) => Promise<number>
  /** Restores the full burst of the key. It frees another key that shares a row only if that one has taken no more permits. */
  readonly reset: (name: string, key: string) => Promise<void>
}
