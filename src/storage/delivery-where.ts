import type { DeliveryFilter } from './port/deliveries.ts'
import { msOf } from './values.ts'

/** `sql` is a condition that names its values by place. */
export type Where = { readonly sql: string; readonly values: readonly (string | number)[] }

/**
 * A condition on `events e join deliveries d`. `list` is the one of the two by whose account, hook and number rows are found: all
 * events have an index of these, dead letters one of their own.
 */
export type DeliveryWhere = Where & {
  readonly list: 'e' | 'd'
  /** Without such a condition counts leave the events out. */
  readonly asksEvents: boolean
}

/** How an engine writes the value at a place, counted from 1: `?1` or `$1`. */
export type Placeholder = (place: number) => string

/** What is a dead letter: a delivery that is dead and that nobody resolved. */
export const IS_DEAD_LETTER = "d.status = 'dead' and d.resolved_at is null"

const SHA256_HEX = /^[0-9a-f]{64}$/

/** The events of one account that a filter lets through; with `seqs` only these. */
export function eventWhere(
  accountId: string,
  filter: Omit<DeliveryFilter, 'occurrenceId'>,
  placeholder: Placeholder,
  seqs?: readonly number[],
): DeliveryWhere {
  return whereOf('e', accountId, filter, placeholder, [], seqs)
}

/** The dead letters of one account (all accounts when it is null) that a filter lets through, with further conditions. */
export function deadLetterWhere(
  accountId: string | null,
  filter: Omit<DeliveryFilter, 'occurrenceId'>,
  placeholder: Placeholder,
  further: readonly string[],
): DeliveryWhere {
  return whereOf('d', accountId, filter, placeholder, [IS_DEAD_LETTER, ...further])
}

/** An absent part of the filter lets everything through. */
function whereOf(
  list: DeliveryWhere['list'],
  accountId: string | null,
  filter: Omit<DeliveryFilter, 'occurrenceId'>,
  placeholder: Placeholder,
  further: readonly string[],
  seqs?: readonly number[],
): DeliveryWhere {
  const values: (string | number)[] = []
  const conditions: string[] = [...further]
  const placeOf = (value: string | number) => placeholder(values.push(value))
  const add = (value: string | number | undefined, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(placeOf(value)))
  }
  add(accountId ?? undefined, (place) => `${list}.account_id = ${place}`)
  add(filter.hookId, (place) => `${list}.hook_id = ${place}`)
  add(filter.appId, (place) => `e.app_id = ${place}`)
  add(filter.store, (place) => `e.store = ${place}`)
  add(filter.eventType, (place) => `e.event_type = ${place}`)
  add(filter.status, (place) => `d.status = ${place}`)
  add(filter.reason, (place) => `(d.dead_reason = ${place} or d.last_reason = ${place})`)
  add(filter.httpStatus, (place) => `d.last_http_status = ${place}`)
  add(filter.since && msOf(filter.since), (place) => `e.created_at >= ${place}`)
  add(filter.until && msOf(filter.until), (place) => `e.created_at < ${place}`)
  if (seqs !== undefined) conditions.push(`${list}.seq in (${seqs.map(placeOf).join(', ') || 'null'})`)
  const { appId, store, eventType, since, until } = filter
  const asksEvents = [appId, store, eventType, since, until].some((part) => part !== undefined)
  return { list, asksEvents, sql: conditions.length === 0 ? '1 = 1' : conditions.join(' and '), values }
}

/** The bytes of a hash that a person may have typed; null when it is none. */
export function hashKey(sha256Hex: string): Buffer | null {
  return SHA256_HEX.test(sha256Hex) ? Buffer.from(sha256Hex, 'hex') : null
}

/** Those of `ids` that are hashes, each once: no other can be an event's id. */
export function hashesOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => SHA256_HEX.test(id))
}
