import { hashOf } from './canonical.ts'
import { starsOf } from './decimal.ts'
import type { Rating } from './rating.ts'
import { type FiredDrop, firedDrops, type RatingAt, type RatingRule } from './rating-rule.ts'
import type { Store } from './vocabulary.ts'

/**
 * Recoveries (docs/contract.md, Rating recoveries): after a drop that fires the rule of a watch, the rating is again at
 * least what it was before. Everything depends only on the observed ratings, so nothing is stored between a drop and its
 * recovery.
 */

/** The identity of a recovery and of its occurrence. */
export function recoveryIdOf(store: Store, appId: string, current: Rating): string {
  return hashOf(['recovered rating', store, appId, String(starsOf(current.micros)), String(current.count)])
}

export type Recovery = {
  /** The first drop that the rating made up for. */
  readonly drop: FiredDrop
  /** The lowest rating since then. */
  readonly lowestMicros: number
}

/** The recovery that the newest of the observed ratings completes, or null. */
export function recoveryOf(rule: RatingRule, points: readonly RatingAt[]): Recovery | null {
  return recoveriesOf(rule, points).at(-1) ?? null
}

/**
 * For each observed rating but the first, the recovery that it completes, or null. A rating may make up for several drops
 * at once; the first one has the highest rating before it. Each drop has one recovery.
 */
export function recoveriesOf(rule: RatingRule, points: readonly RatingAt[]): (Recovery | null)[] {
  const fired = firedDrops(rule, points)
  let open: { readonly drop: FiredDrop; lowestMicros: number }[] = []
  return points.slice(1).map(({ micros }, index) => {
    // Each open drop began below the rating before the earlier ones, so the first one recovers last.
    const isRecovered = ({ drop }: Recovery) => micros >= drop.fromMicros
    const recovered = open.find(isRecovered) ?? null
    open = open.filter((each) => !isRecovered(each))
    for (const each of open) each.lowestMicros = Math.min(each.lowestMicros, micros)
    const drop = fired[index] ?? null
    if (drop !== null) open.push({ drop, lowestMicros: micros })
    return recovered
  })
}
