import type { Store } from '../../src/model/vocabulary.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { World, WorldReview } from '../../src/simulate/world.ts'
import { until } from './until.ts'

type Place = { readonly store: Store; readonly appId: string; readonly market: string }

/** The simulated stores and their clock. A test service has both. */
type Stores = { readonly world: World; readonly clock: Pick<Clock, 'now'> }

let published = 0

/**
 * Publishes a review in a market. Its date is the next whole second: Apple shows whole seconds, and the review must not be
 * older than its hook.
 */
export function publish(
  stores: Stores,
  where: Place,
  change: Partial<Omit<WorldReview, 'editedAt' | 'history'>> = {},
): Omit<WorldReview, 'editedAt' | 'history'> {
  published += 1
  const review = {
    id: where.store === 'apple' ? String(7_000_000_000 + published) : `review-${published}`,
    rating: 3,
    title: where.store === 'apple' ? `Title ${published} “æøå”` : null,
    body: `What ${published} people say: 🎉 <b>&amp;</b> "quoted"\nand a second line.`,
    author: `Author ${published}`,
    version: `1.${published}`,
    publishedAt: nextSecond(stores),
    ...change,
  }
  stores.world.addReview(where, review)
  return review
}

/** Publishes `count` reviews, newest first, with dates before any hook of the test. */
export function publishOld(
  stores: Stores,
  where: Place,
  count: number,
  agoMs = 3_600_000,
): readonly Omit<WorldReview, 'editedAt' | 'history'>[] {
  const newest = Math.floor((stores.clock.now().getTime() - agoMs) / 1000) * 1000
  return Array.from({ length: count }, (_, index) =>
    publish(stores, where, { publishedAt: new Date(newest - index * 60_000) }),
  )
}

/** Waits until reviews published before are in the past, at most a second. */
export async function untilPast({ clock }: Pick<Stores, 'clock'>): Promise<void> {
  const at = nextSecond({ clock })
  await until('published reviews are in the past', () => clock.now() > at)
}

export function nextSecond({ clock }: Pick<Stores, 'clock'>): Date {
  return new Date(Math.ceil(clock.now().getTime() / 1000) * 1000)
}
