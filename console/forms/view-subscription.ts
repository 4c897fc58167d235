import type { ReviewSearch } from '../data/search.ts'
import { NEW_SUBSCRIPTION, type Subscription } from './subscription.ts'

/** A subscription with the filters of a view. `dropped`: the parameters that a subscription has no filter for. */
export function subscriptionOfView(view: ReviewSearch): {
  readonly subscription: Subscription
  readonly dropped: readonly string[]
} {
  const stars = view.stars?.split(',').map(Number) ?? []
  const [min, max] = [Math.min(...stars), Math.max(...stars)]
  // A subscription has a band of stars, so 1 and 5 alone are none.
  const isBand = stars.length > 0 && new Set(stars).size === max - min + 1
  const app =
    view.app_id !== undefined && view.store !== undefined ? [{ store: view.store, app_id: view.app_id }] : []
  const subscription: Subscription = {
    ...NEW_SUBSCRIPTION,
    ...(app.length > 0 ? { scope: 'one', apps: app } : { scope: 'all', apps: [] }),
    ...(isBand && { min_stars: min, max_stars: max }),
    ...(view.country && { countries: [view.country] }),
    ...(view.language && { languages: [view.language] }),
    ...(view.sentiment && { sentiments: [view.sentiment] }),
    ...(view.severity && { severities: [view.severity] }),
    ...(view.theme && { themes: [view.theme] }),
    ...(view.app_version && { app_versions: [view.app_version] }),
    ...(view.is_bug_report && { is_bug_report: view.is_bug_report === 'true' }),
    ...(view.is_feature_request && { is_feature_request: view.is_feature_request === 'true' }),
  }
  const lacking = new Set(
    Object.entries(view).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  )
  for (const name of EXPRESSED) lacking.delete(name)
  if (isBand) lacking.delete('stars')
  if (app.length > 0) for (const name of ['store', 'app_id']) lacking.delete(name)
  return { subscription, dropped: [...lacking] }
}

const EXPRESSED = [
  ...['country', 'language', 'sentiment', 'severity', 'theme', 'app_version'],
  ...['is_bug_report', 'is_feature_request'],
]
