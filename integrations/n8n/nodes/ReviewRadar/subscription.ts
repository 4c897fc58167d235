import type { IDataObject } from 'n8n-workflow'
import type { App } from './app'

/** A hook of this trigger, stored in the static data of the node, because the service shows the secret only once. */
export type StoredHook = {
  readonly id: string
  readonly secret: string
  readonly targetUrl: string
  /** The subscription as JSON, to notice a change of the parameters. */
  readonly rule: string
}

/** The parameters of the trigger. */
export type Rule = {
  readonly eventType: string
  readonly app: App
  readonly country: string
  readonly minStars: number
  readonly maxStars: number
  readonly firesWhen: 'delta' | 'threshold' | 'both'
  readonly delta: number
  readonly threshold: number
}

/** The fields of a subscription that decide which events arrive. */
export function ruleBody(rule: Rule): IDataObject {
  return {
    store: rule.app.store,
    app_id: rule.app.appId,
    event_type: rule.eventType,
    ...(rule.country === '' ? {} : { country: rule.country }),
    ...(rule.eventType === 'rating.dropped' ? ratingFields(rule) : {}),
    ...(rule.eventType === 'review.created' ? { min_stars: rule.minStars, max_stars: rule.maxStars } : {}),
  }
}

function ratingFields({ firesWhen, delta, threshold }: Rule): IDataObject {
  return {
    ...(firesWhen === 'threshold' ? {} : { delta }),
    ...(firesWhen === 'delta' ? {} : { threshold }),
  }
}

/** A test and the active workflow have different URLs and may exist at the same time. */
export function hooksOf(staticData: IDataObject): StoredHook[] {
  return Array.isArray(staticData.hooks) ? (staticData.hooks as unknown as StoredHook[]) : []
}

export function storeHooks(staticData: IDataObject, hooks: readonly StoredHook[]): void {
  staticData.hooks = hooks as unknown as IDataObject[]
}
