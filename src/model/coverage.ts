import type { Hook, Watch } from './hook.ts'
import { takesFrom } from './late-reviews.ts'
import { feedKindOf, marketOf } from './market.ts'
import {
  EVENT_TYPES,
  type EventType,
  type FeedKind,
  STOREFRONTS,
  type Store,
  type Storefront,
} from './vocabulary.ts'

/** The event types of review feeds. */
const REVIEW_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) => feedKindOf(type) === 'reviews')

/** The fields of a watch that determine the polled feeds. Watches of gone or deleted hooks are excluded. */
export type WatchScope = Pick<Watch, 'accountId' | 'eventType' | 'storefronts' | 'createdAt'> &
  Pick<Hook, 'lateReviewsHours'>

/** A storefront of one app that an account tracks. */
export type TrackedStorefront = { readonly accountId: string; readonly storefront: Storefront }

/** A feed of one app. */
export type FeedKey = { readonly kind: FeedKind; readonly market: string }

/**
 * The storefronts each account covers for one app, in the order of docs/contract.md, Storefronts: tracked ones, those of its watches, and
 * `us` if a watch has no country.
 */
export function storefrontsWatched(
  watches: readonly WatchScope[],
  tracked: readonly TrackedStorefront[],
): ReadonlyMap<string, readonly Storefront[]> {
  const byAccount = new Map<string, Set<Storefront>>()
  const add = (accountId: string, storefront: Storefront) => {
    const storefronts = byAccount.get(accountId)
    if (storefronts === undefined) byAccount.set(accountId, new Set([storefront]))
    else storefronts.add(storefront)
  }
  for (const { accountId, storefront } of tracked) add(accountId, storefront)
  for (const { accountId, storefronts } of watches) {
    for (const storefront of storefronts ?? ['us' as const]) add(accountId, storefront)
  }
  return new Map(
    [...byAccount].map(([accountId, set]) => [accountId, STOREFRONTS.filter((each) => set.has(each))]),
  )
}

/** The feeds of one watch: in its storefronts, or in all storefronts of its account for the app. */
export function feedsOfWatch(
  store: Store,
  watch: Pick<WatchScope, 'eventType' | 'storefronts'>,
  watched: readonly Storefront[],
): FeedKey[] {
  const kind = feedKindOf(watch.eventType)
  const storefronts = watch.storefronts ?? watched
  return distinct(storefronts.map((storefront) => ({ kind, market: marketOf(store, kind, storefront) })))
}

/** Accounts that get the reviews of an app by their own credentials. */
export type OfficialAccounts = ReadonlySet<string>

/**
 * The feeds to poll for one app, given the watches and tracked storefronts of all accounts: the feeds of each watch, and reviews and rating
 * of each tracked storefront. Each feed occurs once. `official` accounts need public reviews only for spikes.
 */
export function feedsNeeded(
  store: Store,
  watches: readonly WatchScope[],
  tracked: readonly TrackedStorefront[],
  official: OfficialAccounts = new Set(),
): FeedKey[] {
  const watched = storefrontsWatched(watches, tracked)
  const ofWatches = watches
    .filter(({ accountId, eventType }) => eventType !== 'review.created' || !official.has(accountId))
    .flatMap((watch) => feedsOfWatch(store, watch, watched.get(watch.accountId) ?? []))
  const ofTracked = tracked.flatMap(({ accountId, storefront }): FeedKey[] =>
    [
      { kind: 'reviews' as const, market: marketOf(store, 'reviews', storefront) },
      { kind: 'rating' as const, market: marketOf(store, 'rating', storefront) },
    ].filter(({ kind }) => kind !== 'reviews' || !official.has(accountId)),
  )
  return distinct([...ofWatches, ...ofTracked])
}

/** A feed of one app and one account that needs it. */
export type AccountFeed = FeedKey & { readonly accountId: string }

/** The feeds to poll per account: each feed once for each account that needs it. */
export function feedsByAccount(
  store: Store,
  watches: readonly WatchScope[],
  tracked: readonly TrackedStorefront[],
  official: OfficialAccounts = new Set(),
): AccountFeed[] {
  const watchesOf = Map.groupBy(watches, ({ accountId }) => accountId)
  const trackedOf = Map.groupBy(tracked, ({ accountId }) => accountId)
  return [...new Set([...watchesOf.keys(), ...trackedOf.keys()])].flatMap((accountId) =>
    feedsNeeded(store, watchesOf.get(accountId) ?? [], trackedOf.get(accountId) ?? [], official).map(
      (feed) => ({
        ...feed,
        accountId,
      }),
    ),
  )
}

/**
 * The date from which a watch of these types could match a review of this market that was unseen at `unseenAt`; null without such a
 * watch. Older reviews match no watch (docs/contract.md, Forward-looking).
 */
export function forwardFrom(
  store: Store,
  market: string,
  watches: readonly WatchScope[],
  tracked: readonly TrackedStorefront[],
  unseenAt: Date | null,
  eventTypes: readonly EventType[] = REVIEW_EVENT_TYPES,
): Date | null {
  const watched = storefrontsWatched(watches, tracked)
  let oldest: Date | null = null
  for (const watch of watches) {
    if (!eventTypes.includes(watch.eventType)) continue
    const wants = feedsOfWatch(store, watch, watched.get(watch.accountId) ?? []).some(
      (feed) => feed.kind === 'reviews' && feed.market === market,
    )
    const from = takesFrom(watch, unseenAt)
    if (wants && (oldest === null || from < oldest)) oldest = from
  }
  return oldest
}

function distinct(feeds: readonly FeedKey[]): FeedKey[] {
  return [...new Map(feeds.map((feed) => [`${feed.kind} ${feed.market}`, feed])).values()]
}
