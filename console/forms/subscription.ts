import type {
  WatchBody,
  WatchSetBody,
  WatchSetView,
  WatchView,
} from '../../src/contract/console/destinations.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import type { SubscriptionBody } from '../util/subscriptions.ts'

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

export function bodyOf({ scope, apps, ...fields }: Subscription): SubscriptionBody {
  const filter = { ...fields, ...clearedBy(fields.eventType) }
  if (scope === 'all') return { watchSet: { apps: 'all', ...filter } }
  if (scope === 'several')
    return { watchSet: { apps: apps.map(({ store, appId }) => ({ store, appId })), ...filter } }
  const [app = { store: 'apple', appId: '' }] = apps
  return { watch: { store: app.store, appId: app.appId, ...filter } }
}

const NO_RATING_RULE = { delta: null, deltaWindowHours: null, threshold: null }
const NO_SPIKE_RULE = { spikeMinReviews: null, spikeFactor: null }

/** What an event type does not have: the form keeps the rules of one type while another is selected. */
function clearedBy(eventType: Subscription['eventType']): Partial<WatchBody> {
  if (eventType === 'review.created') return { ...NO_RATING_RULE, ...NO_SPIKE_RULE }
  if (eventType === 'reviews.spiked') return { ...NO_RATING_RULE, rules: null }
  return { ...NO_SPIKE_RULE, rules: null }
}

/** The fields of `rules` whose problems the form shows. */
export const REVIEW_FILTER_FIELDS = [
  'keywords',
  'excludedKeywords',
  'appVersions',
  'languages',
  'competitors',
] as const satisfies readonly (keyof NonNullable<WatchBody['rules']>)[]

/** All fields whose problems the form shows. */
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
  ...REVIEW_FILTER_FIELDS,
] as const satisfies readonly (keyof (WatchBody & WatchSetBody) | (typeof REVIEW_FILTER_FIELDS)[number])[]
export type SubscriptionField = (typeof SUBSCRIPTION_FIELDS)[number]
