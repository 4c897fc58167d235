import type { NamedSourceHealth } from '../../model/source-health.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'

/** The health of the stores' sources, one record each, for all nodes. */
export type SourceHealthStorage = {
  /** The records of a store, or of all stores, by store and source. A source that was never asked may have none. */
  readonly list: (store?: Store) => Promise<NamedSourceHealth[]>
  /**
   * Calls the synchronous `change` with the records of these sources, in this order, and `now` by the clock of the records. Writes the
   * ones that it returns. Concurrent changes of a store wait for each other.
   */
  readonly change: (
    store: Store,
    sources: readonly string[],
    now: Instant,
    change: (records: readonly NamedSourceHealth[], now: Instant) => readonly NamedSourceHealth[],
  ) => Promise<void>
}
