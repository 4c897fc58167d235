import { API_PREFIX, type Route } from '../../src/contract/route.ts'
import { routesFor } from '../../src/contract/routes.ts'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { type AccountObjects, ALERT_ADDRESS, createAccountObjects } from './account-objects.ts'
import { appleBody } from './connect-store.ts'
import type { AccountData } from './console-data.ts'
import type { Tenant } from './interfaces.ts'
import type { TestService } from './service.ts'

export const API_ROUTES = Object.entries<Route>(routesFor())

/** A call of every route of the REST API with the ids of an account. */
export type ApiCalls = AccountObjects & {
  /** Valid bodies by operation, so that only authorization can reject a request. */
  readonly bodies: Readonly<Record<string, object>>
  readonly callOf: (operation: string, route: Route) => string
}

/** Every account may track any app. */
export const OPEN_OPERATIONS: ReadonlySet<string> = new Set(['track_app', 'untrack_app'])

/** Their answers name the ids of the request that they could not change. */
export const BULK_OPERATIONS: ReadonlySet<string> = new Set([
  'set_hook_statuses',
  'retry_hooks',
  'retry_deliveries',
])

/** Creates the objects of `alice`, who has `data`. */
export async function apiCalls(running: TestService, alice: Tenant, data: AccountData): Promise<ApiCalls> {
  const objects = await createAccountObjects(running, alice, data)
  const storeKey = appleBody(createAppleKey(running.world))
  const watch = { store: 'apple', app_id: data.appId, event_type: 'review.created' }
  const answers = { template_id: objects.fields.template_id, fingerprints: [data.fingerprint] }
  const bodies = {
    subscribe: {
      target_url: 'https://example.com/',
      store: 'apple',
      app_id: '1',
      event_type: 'review.created',
    },
    add_watch: watch,
    replace_watch: watch,
    watch_set_to_watch: watch,
    watch_to_watch_set: { apps: 'all', event_type: 'review.created' },
    set_hook_status: { status: 'active' },
    set_hook_statuses: { hook_ids: [data.destination.id], status: 'paused' },
    rotate_secret: {},
    retry_hooks: { hook_ids: [data.destination.id] },
    recover_hook: { since: '2020-01-01T00:00:00Z' },
    retry_deliveries: { event_ids: [data.deadId] },
    ask_alert_recipient: { email: ALERT_ADDRESS },
    change_alerts: { enabled: true, emails: [], webhook_url: 'http://127.0.0.1:9/' },
    create_watch_set: { apps: 'all', event_type: 'review.created' },
    change_watch_set: { apps: 'all', event_type: 'review.created' },
    track_app: { countries: ['us'] },
    change_hook: { name: 'Mine' },
    triage_review: { status: 'seen' },
    triage_reviews: { reviews: [{ fingerprint: data.fingerprint, status: 'seen' }] },
    add_review_note: { text: 'Mine' },
    reply: { text: 'Thanks' },
    save_reply_draft: { text: 'Thanks' },
    preview_replies: answers,
    reply_to_many: answers,
    create_reply_template: { name: 'Mine', text: 'Thanks' },
    replace_reply_template: { name: 'Mine', text: 'Thanks' },
    connect_store: storeKey,
    rotate_store_credentials: storeKey,
    change_store_connection: { name: 'Mine' },
    create_atom_feed: { store: 'apple', app_id: data.appId },
    replay_dead_letters: { event_ids: [data.deadId] },
    discard_dead_letters: { event_ids: [data.deadId] },
    start_replay: { filter: { hook_id: data.destination.id } },
    change_replay: { status: 'cancelled' },
  }

  /** Queries with these ids, and queries that a route requires. */
  const queries: Readonly<Record<string, string>> = {
    search_apps: '?q=402000001&store=apple',
    list_ratings: `?store=apple&app_id=${data.appId}`,
    list_deliveries: `?hook_id=${data.destination.id}`,
    list_dead_letters: `?hook_id=${data.destination.id}`,
    preview_recovery: '?since=2020-01-01T00:00:00Z',
    list_events: `?hook_id=${data.destination.id}`,
  }

  const callOf = (operation: string, route: Route) =>
    objects.pathOf(urlOf(route)).slice(API_PREFIX.length) + (queries[operation] ?? '')

  return { ...objects, bodies, callOf }
}

/** The path of a route as the router has it. */
export function urlOf({ path }: Route): string {
  return `${API_PREFIX}${path.replace(/\{(\w+)\}/g, ':$1')}`
}
