import type { WatchSetView, WatchView } from '../../src/contract/console/destinations.ts'
import type { WatchBody } from '../../src/contract/hook.ts'
import type { WatchSetBody } from '../../src/contract/v1/watch-sets.ts'
import { hasRatingRule } from '../../src/model/vocabulary.ts'
import { REVIEW_FILTER_FIELDS } from '../../src/model/watch-filter.ts'
import type { SubscriptionBody } from '../util/subscriptions.ts'
import type { AppKey } from './AppSelect.tsx'

/** A subscription as the form edits it: of one app, of several, or of all apps, also later ones. */
export type Subscription = Omit<WatchBody, 'store' | 'app_id'> & {
  readonly scope: 'one' | 'several' | 'all'
  /** Ignored if the scope is `all`. */
  readonly apps: readonly AppKey[]
}

export const NEW_SUBSCRIPTION: Subscription = { scope: 'one', apps: [], event_type: 'review.created' }

/** A stored subscription to edit. */
export function subscriptionOf(stored: WatchView | WatchSetView): Subscription {
  if ('apps' in stored) {
    const { apps, ...filter } = stored
    return { ...filter, ...(apps === 'all' ? { scope: 'all', apps: [] } : { scope: 'several', apps }) }
  }
  const { store, app_id, ...filter } = stored
  return { ...filter, scope: 'one', apps: [{ store, app_id }] }
}

export function bodyOf({ scope, apps, ...fields }: Subscription): SubscriptionBody {
  // The form keeps the filters of one event type while another one is selected.
  const { event_type } = fields
  const filter = {
    ...fields,
    ...(hasRatingRule(event_type) ? {} : NO_RATING_RULE),
    ...(event_type === 'reviews.spiked' ? {} : NO_SPIKE),
    ...(event_type === 'review.created' ? {} : NO_REVIEW_FILTERS),
  }
  // A cleared delta clears its window.
  if (filter.delta == null) filter.delta_window_hours = null
  if (scope === 'all') return { watch_set: { ...filter, apps: 'all' } }
  if (scope === 'several') return { watch_set: { ...filter, apps: [...apps] } }
  return { watch: { ...filter, ...(apps[0] ?? { store: 'apple', app_id: '' }) } }
}

const NO_RATING_RULE = { delta: null, delta_window_hours: null, threshold: null }
const NO_SPIKE = { spike_min_reviews: null, spike_factor: null }
const NO_REVIEW_FILTERS = Object.fromEntries(REVIEW_FILTER_FIELDS.map((field) => [field, null]))

/** The filters of reviews whose problems the form shows. */
export const REFUSABLE_FILTERS = [
  'keywords',
  'excluded_keywords',
  'app_versions',
  'languages',
  'competitors',
] as const satisfies readonly (keyof WatchBody)[]

/** All fields whose problems the form shows. */
export const SUBSCRIPTION_FIELDS = [
  'app_id',
  'apps',
  'countries',
  'min_stars',
  'max_stars',
  'delta',
  'delta_window_hours',
  'threshold',
  'spike_min_reviews',
  'spike_factor',
  ...REFUSABLE_FILTERS,
] as const satisfies readonly (keyof WatchBody | keyof WatchSetBody)[]
export type SubscriptionField = (typeof SUBSCRIPTION_FIELDS)[number]
