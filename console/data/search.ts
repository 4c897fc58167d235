import * as z from 'zod/mini'
import { RANGES } from '../../src/contract/console/overview.ts'
import { SIGN_IN_PROBLEMS } from '../../src/contract/console/sign-in-problems.ts'
import { AUDIT_ACTIONS } from '../../src/model/audit.ts'
import { ANSWER_STATES } from '../../src/model/reply.ts'
import { REVIEW_LANGUAGE } from '../../src/model/review-language.ts'
import { TRIAGE_STATUSES } from '../../src/model/triage.ts'
import {
  DEAD_REASONS,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  FAILURE_REASONS,
  SENTIMENTS,
  SEVERITIES,
  STOREFRONTS,
  STORES,
  THEMES,
} from '../../src/model/vocabulary.ts'
import { DESTINATION_STATES } from '../util/destination-state.ts'

/**
 * The search parameters of each page. Filters are in the URL, so that a view can be saved and shared. Unknown values are
 * dropped: a mistyped filter shows the list unfiltered.
 */

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.catch(z.optional(z.enum(values)), undefined)
export const text = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(200))), undefined)
export const instant = z.catch(z.optional(z.iso.datetime({ offset: true })), undefined)
export const matching = (pattern: RegExp) =>
  z.catch(z.optional(z.string().check(z.regex(pattern))), undefined)

/** Time ranges of an app's page, in days. */
export const APP_RANGES = ['7', '30', '90', '365'] as const
export const YES_NO = ['true', 'false'] as const
export const DELIVERY_STATES = [...DELIVERY_STATUSES, 'held'] as const
export const REASONS = [...new Set([...DEAD_REASONS, ...FAILURE_REASONS])] as const

export const overviewSearch = z.object({ range: oneOf(RANGES) })
export const textSearch = z.object({ text })
/** A column's id, with a minus for the greatest first. */
const sort = <const T extends readonly string[]>(columns: T) =>
  oneOf([...columns, ...columns.map((column) => `-${column}`)])

export const destinationSearch = z.extend(textSearch, {
  state: oneOf(DESTINATION_STATES),
  sort: sort(['name', 'state', 'pending', 'dead', 'delivered', 'last']),
})
export type DestinationSearch = z.infer<typeof destinationSearch>
export const appsSearch = z.extend(textSearch, {
  grouped: oneOf(YES_NO),
  layout: oneOf(['table']),
  sort: sort(['name', 'rating', 'ratings', 'reviews', 'last', 'destinations']),
})
export type AppsSearch = z.infer<typeof appsSearch>
export const appSearch = z.object({ days: oneOf(APP_RANGES) })
export const accountSearch = z.object({ problem: oneOf(SIGN_IN_PROBLEMS) })
export const signInSearch = z.extend(accountSearch, { next: matching(/^\/(?![/\\])/) })

export const reviewSearch = z.object({
  store: oneOf(STORES),
  app_id: text,
  country: oneOf(STOREFRONTS),
  stars: matching(/^[1-5](,[1-5])*$/),
  language: matching(REVIEW_LANGUAGE),
  sentiment: oneOf(SENTIMENTS),
  severity: oneOf(SEVERITIES),
  theme: oneOf(THEMES),
  answer: oneOf(ANSWER_STATES),
  is_bug_report: oneOf(YES_NO),
  is_feature_request: oneOf(YES_NO),
  status: oneOf(TRIAGE_STATUSES),
  assignee: text,
  tag: text,
  app_version: text,
  feature_slug: text,
  text,
  since: instant,
  until: instant,
})
export type ReviewSearch = z.infer<typeof reviewSearch>
/** `review`: the fingerprint of the review that is open beside the list. */
export const reviewFeedSearch = z.extend(reviewSearch, { review: matching(/^[0-9a-f]{64}$/) })

/** The receipt of answers that were sent together. */
export const toAnswerSearch = z.object({ batch: matching(/^bat_[0-9a-f]{40}$/) })

export const deadSearch = z.object({
  hook_id: text,
  store: oneOf(STORES),
  app_id: text,
  event_type: oneOf(EVENT_TYPES),
  reason: oneOf(REASONS),
  since: instant,
  until: instant,
})
export type DeadSearch = z.infer<typeof deadSearch>

export const auditSearch = z.object({
  action: oneOf(AUDIT_ACTIONS),
  actor: text,
  since: instant,
  until: instant,
})
export type AuditSearch = z.infer<typeof auditSearch>

/** Old links have `waiting` for pending. */
const status = z.catch(
  z.optional(
    z.pipe(
      z.enum([...DELIVERY_STATES, 'waiting']),
      z.transform((value) => (value === 'waiting' ? ('pending' as const) : value)),
    ),
  ),
  undefined,
)
export const deliverySearch = z.extend(deadSearch, {
  status,
  event_id: matching(/^[0-9a-f]{64}$/),
  sort: sort(['created']),
})
export type DeliverySearch = z.infer<typeof deliverySearch>

/** Names of filters in links and saved views from before they had those of the REST API. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  appId: 'app_id',
  bug: 'is_bug_report',
  destination: 'hook_id',
  eventId: 'event_id',
  eventType: 'event_type',
  feature: 'feature_slug',
  request: 'is_feature_request',
  storefront: 'country',
  version: 'app_version',
}

export function withPresentNames<T>(search: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(search).map(([name, value]) => [FORMER_NAMES[name] ?? name, value]),
  )
}

/** Parses plain names and values, without JSON: `?stars=1,2&is_bug_report=true`. */
export function parseSearch(text: string): Record<string, string> {
  return withPresentNames(Object.fromEntries(new URLSearchParams(text)))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}
