import type { RecoveryFilter } from '../../port/dead-letters.ts'
import type { DeliveryFilter } from '../../port/deliveries.ts'
import { msOf } from '../../values.ts'
import type { SqlPair } from '../../work.ts'

/** `sql` is a condition with numbered placeholders. */
export type Where = { readonly sql: string; readonly values: readonly (string | number)[] }

/**
 * A condition on `events e join deliveries d`. `by` is the table whose index of account, hook and number finds the
 * rows. There is one such index for all events and one for dead letters.
 */
export type DeliveryWhere = Where & {
  readonly by: 'e' | 'd'
  /** False: counts can omit the events. */
  readonly usesEvents: boolean
}

/** A dead letter: a dead, unresolved delivery. */
export const IS_DEAD_LETTER = "d.status = 'dead' and d.resolved_at is null"

const SHA256_HEX = /^[0-9a-f]{64}$/

/** The filters on columns. The events of an occurrence are looked up first. */
type ColumnFilter = Omit<DeliveryFilter, 'occurrenceId'>

/** The events of one account that match a filter. */
export function eventWhere(accountId: string, filter: ColumnFilter): DeliveryWhere {
  return whereOf('e', accountId, filter, [])
}

/** The dead letters of one account (null: all) that match a filter, with further conditions. */
export function deadLetterWhere(
  accountId: string | null,
  filter: ColumnFilter,
  further: readonly string[] = [],
): DeliveryWhere {
  return whereOf('d', accountId, filter, [IS_DEAD_LETTER, ...further])
}

/** The time at which a delivery became a dead letter or was delivered. */
export const ENDED_AT = "case d.status when 'delivered' then d.delivered_at else d.dead_at end"

/** Hooks whose deliveries can be queued again: neither gone nor deleted. Of `hooks h`. */
export const IS_SENDABLE = "h.status <> 'gone' and h.deleted_at is null"

/** A dead letter, or also a delivered event. */
export function isEnded(delivered: boolean): string {
  return delivered ? `(${IS_DEAD_LETTER} or d.status = 'delivered')` : IS_DEAD_LETTER
}

/** The events that a recovery sends again, with further conditions. */
export function recoveryWhere(
  accountId: string,
  { hookId, recoverSince, delivered }: RecoveryFilter,
  further: readonly string[],
): DeliveryWhere {
  const by = delivered ? 'e' : 'd'
  const conditions = [
    `${by}.account_id = ?1`,
    `${by}.hook_id = ?2`,
    isEnded(delivered),
    `${ENDED_AT} >= ?3`,
    ...further,
  ]
  return {
    by,
    usesEvents: delivered,
    sql: conditions.join(' and '),
    values: [accountId, hookId, msOf(recoverSince)],
  }
}

/** An absent part of the filter does not filter. */
function whereOf(
  by: DeliveryWhere['by'],
  accountId: string | null,
  filter: ColumnFilter,
  further: readonly string[],
): DeliveryWhere {
  const values: (string | number)[] = []
  const conditions: string[] = [...further]
  const add = (value: string | number | undefined, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(`?${values.push(value)}`))
  }
  add(accountId ?? undefined, (place) => `${by}.account_id = ${place}`)
  add(filter.hookId, (place) => `${by}.hook_id = ${place}`)
  add(filter.appId, (place) => `e.app_id = ${place}`)
  add(filter.store, (place) => `e.store = ${place}`)
  add(filter.eventType, (place) => `e.event_type = ${place}`)
  add(filter.status, (place) => `d.status = ${place}`)
  // `list` joins the hooks.
  if (filter.ofPausedHooks) conditions.push("h.status = 'paused'")
  add(filter.reason, (place) => `(d.dead_reason = ${place} or d.last_reason = ${place})`)
  add(filter.httpStatus, (place) => `d.last_http_status = ${place}`)
  add(filter.since && msOf(filter.since), (place) => `e.created_at >= ${place}`)
  add(filter.until && msOf(filter.until), (place) => `e.created_at < ${place}`)
  const { appId, store, eventType, since, until } = filter
  const usesEvents = [appId, store, eventType, since, until].some((part) => part !== undefined)
  return { by, usesEvents, sql: conditions.length === 0 ? '1 = 1' : conditions.join(' and '), values }
}

/** The tables that the condition needs. SQLite uses the index of dead letters, which are few compared with all deliveries. */
export function tablesOf({ by, usesEvents }: DeliveryWhere): SqlPair {
  const deadLetters = 'deliveries d indexed by deliveries_dead'
  return {
    sqlite:
      by === 'e'
        ? 'events e cross join deliveries d on d.seq = e.seq'
        : `${deadLetters}${usesEvents ? ' cross join events e on e.seq = d.seq' : ''}`,
    postgres: usesEvents ? 'deliveries d join events e on e.seq = d.seq' : 'deliveries d',
  }
}

/** The bytes of a hash from user input; null when it is not a hash. */
export function hashKey(sha256Hex: string): Buffer | null {
  return SHA256_HEX.test(sha256Hex) ? Buffer.from(sha256Hex, 'hex') : null
}

/** The distinct `ids` that are hashes. Other texts cannot be event ids. */
export function hashesOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => SHA256_HEX.test(id))
}
