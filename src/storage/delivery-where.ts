import type { DeliveryFilter } from './port/deliveries.ts'
import { msOf } from './values.ts'

/** `sql` is a condition on `deliveries d` that names its values by place. */
export type Where = { readonly sql: string; readonly values: readonly (string | number | Uint8Array)[] }

/** How an engine writes the value at a place, counted from 1: `?1` or `$1`. */
export type Placeholder = (place: number) => string

/** What is a dead letter: a delivery that is dead and that nobody resolved. */
export const IS_DEAD_LETTER = "d.status = 'dead' and d.resolved_at is null"

const SHA256_HEX = /^[0-9a-f]{64}$/

/**
 * The deliveries of one account (all accounts when it is null) that a filter lets through, with further conditions
 * already known. An absent part of the filter lets everything through.
 */
export function deliveryWhere(
  accountId: string | null,
  filter: DeliveryFilter,
  placeholder: Placeholder,
  further: readonly string[] = [],
): Where {
  const values: (string | number | Uint8Array)[] = []
  const conditions: string[] = [...further]
  const add = (value: string | number | Uint8Array | undefined, condition: (place: string) => string) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition(placeholder(values.length)))
  }
  add(accountId ?? undefined, (place) => `d.account_id = ${place}`)
  add(filter.hookId, (place) => `d.hook_id = ${place}`)
  add(filter.appId, (place) => `d.app_id = ${place}`)
  add(filter.store, (place) => `d.store = ${place}`)
  add(filter.eventType, (place) => `d.event_type = ${place}`)
  add(filter.status, (place) => `d.status = ${place}`)
  add(filter.reason, (place) => `(d.dead_reason = ${place} or d.last_reason = ${place})`)
  add(filter.httpStatus, (place) => `d.last_http_status = ${place}`)
  add(filter.since && msOf(filter.since), (place) => `d.created_at >= ${place}`)
  add(filter.until && msOf(filter.until), (place) => `d.created_at < ${place}`)
  if (filter.occurrenceId !== undefined) {
    const key = hashKey(filter.occurrenceId)
    if (key === null) conditions.push('1 = 0')
    else add(key, (place) => `d.occurrence_seq = (${firstSighting(place)})`)
  }
  return { sql: conditions.length === 0 ? '1 = 1' : conditions.join(' and '), values }
}

/**
 * The number of an occurrence's first sighting, of all its markets. PostgreSQL would find a plain `min(seq)` by walking
 * through all occurrences in the order of their numbers.
 */
export function firstSighting(occurrenceId: string): string {
  return `select min(seq + 0) from occurrences o where o.occurrence_id = ${occurrenceId}`
}

/** The bytes of a hash that a person may have typed; null when it is none. */
export function hashKey(sha256Hex: string): Buffer | null {
  return SHA256_HEX.test(sha256Hex) ? Buffer.from(sha256Hex, 'hex') : null
}

/** Those of `ids` that are hashes, each once: no other can be an event's id. */
export function hashesOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => SHA256_HEX.test(id))
}
