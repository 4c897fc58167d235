import type {
  WatchBody,
  WatchSetBody,
  WatchSetView,
  WatchView,
} from '../../src/contract/console/destinations.ts'
import { hasRatingRule, type Store } from '../../src/model/vocabulary.ts'
import type { FieldProblems } from './problems.ts'

export type AppChoice = { readonly store: Store; readonly appId: string }

/** A subscription as the form edits it: of one app, of several, or of all apps, also later ones. */
export type Subscription = Omit<WatchBody, 'store' | 'appId'> & {
  readonly scope: 'one' | 'several' | 'all'
  /** Ignored if the scope is `all`. */
  readonly apps: readonly AppChoice[]
}

export const NEW_SUBSCRIPTION: Subscription = {
  scope: 'one',
  apps: [],
  eventType: 'review.created',
  minStars: 1,
  maxStars: 5,
}

/** A stored subscription to edit. */
export function subscriptionOf(stored: WatchView | WatchSetView): Subscription {
  const { eventType, minStars, maxStars, delta, deltaWindowHours, threshold } = stored
  const { spikeMinReviews, spikeFactor } = stored
  const limits = { minStars, maxStars, delta, deltaWindowHours, threshold, spikeMinReviews, spikeFactor }
  const filter = { eventType, ...limits, ...editable(stored) }
  if (!('apps' in stored)) return { scope: 'one', apps: [stored], ...filter }
  if (stored.apps === 'all') return { scope: 'all', apps: [], ...filter }
  return { scope: 'several', apps: stored.apps, ...filter }
}

/** Copies of the lists, which the form changes. */
function editable({ storefronts, rules }: WatchView | WatchSetView) {
  return {
    storefronts: storefronts && [...storefronts],
    rules: structuredClone(rules) as Subscription['rules'],
  }
}

/** The service stores one app as a watch, and others as a watch set. */
export type SubscriptionBody = { readonly watch: WatchBody } | { readonly watchSet: WatchSetBody }

export function bodyOf({ scope, apps, ...fields }: Subscription): SubscriptionBody {
  // The form keeps the filters of one event type while another one is selected.
  const { eventType } = fields
  const filter = {
    ...fields,
    ...(hasRatingRule(eventType) ? {} : { delta: null, deltaWindowHours: null, threshold: null }),
    ...(eventType === 'reviews.spiked' ? {} : { spikeMinReviews: null, spikeFactor: null }),
    ...(eventType === 'review.created' ? {} : { rules: null }),
  }
  if (scope === 'all') return { watchSet: { apps: 'all', ...filter } }
  if (scope === 'several')
    return { watchSet: { apps: apps.map(({ store, appId }) => ({ store, appId })), ...filter } }
  return { watch: { store: apps[0]?.store ?? 'apple', appId: apps[0]?.appId ?? '', ...filter } }
}

/** The fields whose problems the form shows. */
export const SUBSCRIPTION_FIELDS = [
  'appId',
  'apps',
  'storefronts',
  'minStars',
  'maxStars',
  'delta',
  'deltaWindowHours',
  'threshold',
  'spikeMinReviews',
  'spikeFactor',
  'keywords',
  'excludedKeywords',
  'appVersions',
  'languages',
  'competitors',
] as const
export type SubscriptionField = (typeof SUBSCRIPTION_FIELDS)[number]

/** The filters of reviews among them. */
export const REVIEW_FILTER_FIELDS: readonly SubscriptionField[] = [
  'keywords',
  'excludedKeywords',
  'appVersions',
  'languages',
  'competitors',
]

/** The fields of one kind of event. */
export type RuleFields = {
  readonly watch: Subscription
  readonly set: (change: Partial<Subscription>) => void
  readonly problems: FieldProblems<SubscriptionField>
}
