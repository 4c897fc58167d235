import type { AccountStorage } from './port/accounts.ts'
import type { DeadStorage } from './port/dead.ts'
import type { DeliveryStorage } from './port/deliveries.ts'
import type { FeedStorage, PaceStorage } from './port/feeds.ts'
import type { HookStorage } from './port/hooks.ts'
import type { InsightsStorage } from './port/insights.ts'
import type { InvariantStorage } from './port/invariants.ts'
import type { OccurrenceStorage } from './port/occurrences.ts'
import type { PeopleStorage } from './port/people.ts'
import type { TimeStorage } from './port/time.ts'
import type { UpkeepStorage } from './port/upkeep.ts'

/**
 * All that is kept. Every method is one transaction; what must not be half-done is one method. Instants are UTC with
 * millisecond precision on every engine. A method throws `StorageUnavailable` when the engine cannot be reached, and
 * otherwise only for a bug. The conformance suite beside this file says the rest, and every engine runs it.
 */
export type Storage = AsyncDisposable & {
  readonly engine: 'sqlite' | 'postgres'
  readonly accounts: AccountStorage
  readonly people: PeopleStorage
  readonly hooks: HookStorage
  readonly feeds: FeedStorage
  readonly pace: PaceStorage
  readonly occurrences: OccurrenceStorage
  readonly deliveries: DeliveryStorage
  readonly dead: DeadStorage
  readonly upkeep: UpkeepStorage
  readonly insights: InsightsStorage
  readonly time: TimeStorage
  readonly invariants: InvariantStorage
  /**
   * Calls `wake` when another process may have made work (PostgreSQL's LISTEN); never needed for correctness.
   * Returns how to stop. An engine without it calls nothing.
   */
  readonly onWake: (wake: () => void) => () => void
}
