import type { WatchBody } from '../../src/contract/console/destinations.ts'

export const NEW_SUBSCRIPTION: WatchBody = {
  store: 'apple',
  appId: '',
  eventType: 'review.created',
  minStars: 1,
  maxStars: 5,
}

/** Props of the fields for one event type. */
export type RuleFields = {
  readonly watch: WatchBody
  readonly set: (change: Partial<WatchBody>) => void
}
