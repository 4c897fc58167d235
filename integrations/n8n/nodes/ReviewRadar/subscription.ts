import type { IDataObject } from 'n8n-workflow'
import type { App } from './app'

/** A hook of this trigger, stored in the static data of the node, because the service shows the secret only once. */
export type StoredHook = {
  readonly id: string
  readonly secret: string
  readonly targetUrl: string
  /** Of a test in the editor; absent in hooks that an earlier version stored. */
  readonly isTest?: boolean
  /** The subscription as JSON, to notice a change of the parameters. */
  readonly rule: string
}

/** The parameters of the trigger. */
export type Rule = {
  readonly eventType: string
  readonly app: App
  /** Empty: all that the account tracks. */
  readonly countries: readonly string[]
  /** Filters of reviews by their name in the API. */
  readonly filters: IDataObject
  readonly minStars: number
  readonly maxStars: number
  readonly firesWhen: 'delta' | 'threshold' | 'both'
  readonly delta: number
  /** 0: compares with the last rating. */
  readonly deltaWindowHours: number
  readonly threshold: number
  readonly spikeMinReviews: number
  readonly spikeFactor: number
}

/** The fields of a subscription that decide which events arrive. */
export function ruleBody(rule: Rule): IDataObject {
  return {
    store: rule.app.store,
    app_id: rule.app.appId,
    event_type: rule.eventType,
    ...(rule.countries.length === 0 ? {} : { countries: [...rule.countries] }),
    ...(rule.eventType.startsWith('rating.') ? ratingFields(rule) : {}),
    ...(rule.eventType === 'reviews.spiked'
      ? { spike_min_reviews: rule.spikeMinReviews, spike_factor: rule.spikeFactor }
      : {}),
    ...(rule.eventType === 'review.created' ? reviewFields(rule) : {}),
  }
}

function reviewFields({ minStars, maxStars, filters }: Rule): IDataObject {
  const body: IDataObject = { min_stars: minStars, max_stars: maxStars }
  for (const [name, value] of Object.entries(filters)) {
    const given = typeof value === 'string' ? listOf(value) : value
    if (given !== null && given !== undefined && !(Array.isArray(given) && given.length === 0))
      body[name] = given
  }
  return body
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

function ratingFields({ firesWhen, delta, deltaWindowHours, threshold }: Rule): IDataObject {
  const window = deltaWindowHours === 0 ? {} : { delta_window_hours: deltaWindowHours }
  return {
    ...(firesWhen === 'threshold' ? {} : { delta, ...window }),
    ...(firesWhen === 'delta' ? {} : { threshold }),
  }
}

/**
 * Whether two URLs are of one trigger, also after the public URL of n8n has changed. n8n puts its public URL before `webhook/ID/PATH`, or
 * `webhook-test/ID/PATH` for a test; the id is that of the node.
 */
export function isSameTrigger(one: string, other: string): boolean {
  return triggerOf(one) === triggerOf(other)
}

function triggerOf(url: string): string {
  return url.split('/').slice(-TRIGGER_SEGMENTS).join('/')
}
const TRIGGER_SEGMENTS = 3

/** A test and the active workflow have different URLs and may exist at the same time. */
export function hooksOf(staticData: IDataObject): StoredHook[] {
  return Array.isArray(staticData.hooks) ? (staticData.hooks as unknown as StoredHook[]) : []
}

export function storeHooks(staticData: IDataObject, hooks: readonly StoredHook[]): void {
  staticData.hooks = hooks as unknown as IDataObject[]
}
