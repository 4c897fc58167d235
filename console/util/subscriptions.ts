import type { DestinationLine, WatchSetView, WatchView } from '../../src/contract/console/destinations.ts'
import type { WatchBody } from '../../src/contract/hook.ts'
import type { WatchSetBody } from '../../src/contract/v1/watch-sets.ts'

/** The paths of subscriptions of one app, and of several. */
export type SubscriptionKind = 'watches' | 'watch-sets'

/** The service stores one app as a watch, and others as a watch set. */
export type SubscriptionBody = { readonly watch: WatchBody } | { readonly watch_set: WatchSetBody }

/** A subscription of a destination: a watch, or a watch set. */
export type StoredSubscription = (WatchView | WatchSetView) & { readonly kind: SubscriptionKind }

/** Oldest first; those that were created together, such as those of the inbox, by their sentence. */
export function subscriptionsOf({
  watches,
  watchSets,
}: Pick<DestinationLine, 'watches' | 'watchSets'>): StoredSubscription[] {
  return [
    ...watches.map((watch) => ({ ...watch, kind: 'watches' }) as const),
    ...watchSets.map((set) => ({ ...set, kind: 'watch-sets' }) as const),
  ].sort(
    (one, other) =>
      one.created_at.localeCompare(other.created_at) || one.sentence.localeCompare(other.sentence),
  )
}
