import type { WatchBody } from '../../src/contract/console/destinations.ts'

export const NEW_SUBSCRIPTION: WatchBody = {
  store: 'apple',
  appId: '',
  eventType: 'review.created',
  minStars: 1,
  maxStars: 5,
}

/** The fields of one kind of event. */
export type RuleFields = {
  readonly watch: WatchBody
  readonly set: (change: Partial<WatchBody>) => void
}
