import { hashOf } from './canonical.ts'
import { starsOf } from './decimal.ts'
import type { Store } from './vocabulary.ts'

/** An aggregate rating as printed by a store, in whole millionths of a star. `count` is never 0, because 0/0 is unknown. */
export type Rating = { readonly micros: number; readonly count: number }

/** The fall of an average that is reported to every account: visible in the second decimal place, and above the usual daily changes. */
export const NOTABLE_FALL_MICROS = 50_000

/** The identity of a rating drop and of its occurrence (docs/contract.md, Identity). */
export function transitionIdOf(store: Store, appId: string, current: Rating): string {
  return hashOf(['rating', store, appId, String(starsOf(current.micros)), String(current.count)])
}
