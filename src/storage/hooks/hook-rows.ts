import {
  type Hook,
  type HookWithWatches,
  type SealedSecret,
  uniqueApps,
  type Watch,
  type WatchSet,
} from '../../model/hook.ts'
import type { Unsubscribed } from '../../model/mail-recipient.ts'
import type { MessageSchedule } from '../../model/message-schedule.ts'
import type { TargetType } from '../../model/target.ts'
import type { HookStatus, Store } from '../../model/vocabulary.ts'
import type { HookUpdate, Unsubscription, WatchReplacement } from '../port/hooks.ts'
import { dateOf, dateOrNull, flagOf, msOf, msOrNull, parsed } from '../values.ts'
import { FILTER_COLUMNS, type FilterRow, filterOf } from './filter-rows.ts'
import { type WatchSetRow, watchSetOf } from './watch-set-rows.ts'

/** Rows of hooks and watches, the same on both engines. */

export const HOOK_COLUMNS =
  'id, account_id, source, target_url, name, description, external_ref, status, secrets, rate_per_second, created_at, cloud_events, target_type, target_settings, message_schedule, unsubscribed'

export type HookRow = {
  id: string
  account_id: string
  source: string
  target_url: string
  name: string | null
  description: string | null
  external_ref: string | null
  status: HookStatus
  secrets: string
  rate_per_second: number | null
  created_at: number
  cloud_events: number
  target_type: TargetType
  target_settings: string | null
  message_schedule: string | null
  unsubscribed: string | null
}

export const WATCH_COLUMNS = `id, hook_id, account_id, store, app_id, ${FILTER_COLUMNS}, created_at, set_id`

export type WatchRow = FilterRow & {
  id: string
  hook_id: string
  account_id: string
  store: Store
  app_id: string
  created_at: number
  set_id: string | null
}

function hookOf(row: HookRow): Hook {
  return {
    id: row.id,
    accountId: row.account_id,
    source: row.source,
    targetUrl: row.target_url,
    name: row.name,
    description: row.description,
    externalRef: row.external_ref,
    status: row.status,
    secrets: secretsOf(row.secrets),
    ratePerSecond: row.rate_per_second,
    createdAt: dateOf(row.created_at),
    cloudEvents: row.cloud_events === 1,
    targetType: row.target_type,
    targetSettings: row.target_settings,
    messageSchedule: scheduleOf(row.message_schedule),
    unsubscribed: unsubscribedOf(row.unsubscribed),
  }
}

/** In the order of `HOOK_COLUMNS`. */
export function hookValues(hook: Hook) {
  return [
    hook.id,
    hook.accountId,
    hook.source,
    hook.targetUrl,
    hook.name,
    hook.description,
    hook.externalRef,
    hook.status,
    secretsText(hook.secrets),
    hook.ratePerSecond,
    msOf(hook.createdAt),
    flagOf(hook.cloudEvents),
    hook.targetType,
    hook.targetSettings,
    scheduleText(hook.messageSchedule),
    unsubscribedText(hook.unsubscribed),
  ] as const
}

export function watchOf(row: WatchRow): Watch {
  return {
    id: row.id,
    hookId: row.hook_id,
    accountId: row.account_id,
    store: row.store,
    appId: row.app_id,
    ...filterOf(row),
    createdAt: dateOf(row.created_at),
    setId: row.set_id,
  }
}

/** The columns that `HookStorage.update` changes. */
export const UPDATED_COLUMNS =
  'target_url, target_type, target_settings, name, description, rate_per_second, cloud_events, message_schedule, secrets'

/** In the order of `UPDATED_COLUMNS`. */
export function updatedValues(hook: Hook) {
  return [
    hook.targetUrl,
    hook.targetType,
    hook.targetSettings,
    hook.name,
    hook.description,
    hook.ratePerSecond,
    flagOf(hook.cloudEvents),
    scheduleText(hook.messageSchedule),
    secretsText(hook.secrets),
  ] as const
}

/** The hook after the change of its own fields. */
export function updatedHook(hook: HookWithWatches, change: HookUpdate): HookWithWatches {
  const { target, name, description, ratePerSecond, cloudEvents, messageSchedule, secrets } = change
  return {
    ...hook,
    ...target,
    name: name === undefined ? hook.name : name,
    description: description === undefined ? hook.description : description,
    ratePerSecond: ratePerSecond === undefined ? hook.ratePerSecond : ratePerSecond,
    cloudEvents: cloudEvents ?? hook.cloudEvents,
    messageSchedule: messageSchedule === undefined ? hook.messageSchedule : messageSchedule,
    secrets: secrets?.(hook.secrets) ?? hook.secrets,
  }
}

/** The stored form of a hook's signing secrets: JSON, instants in milliseconds. */
export function secretsText(secrets: readonly SealedSecret[]): string {
  return JSON.stringify(secrets.map(({ sealed, expiresAt }) => ({ sealed, expiresAt: msOrNull(expiresAt) })))
}

export function secretsOf(text: string): SealedSecret[] {
  return parsed<{ sealed: string; expiresAt: number | null }[]>(text).map(({ sealed, expiresAt }) => ({
    sealed,
    expiresAt: dateOrNull(expiresAt),
  }))
}

function scheduleText(schedule: MessageSchedule | null): string | null {
  return schedule === null ? null : JSON.stringify(schedule)
}

export function scheduleOf(text: string | null): MessageSchedule | null {
  return text === null ? null : parsed<MessageSchedule>(text)
}

/** The stored form; null for none. */
export function unsubscribedText(unsubscribed: readonly Unsubscribed[]): string | null {
  if (unsubscribed.length === 0) return null
  return JSON.stringify(unsubscribed.map(({ recipient, at }) => ({ recipient, at: msOf(at) })))
}

export function unsubscribedOf(text: string | null): Unsubscribed[] {
  if (text === null) return []
  return parsed<{ recipient: string; at: number }[]>(text).map(({ recipient, at }) => ({
    recipient,
    at: dateOf(at),
  }))
}

/** The hook after a recipient unsubscribed: paused when all of `recipients` have. */
export function withoutRecipient(
  hook: HookWithWatches,
  { recipient, recipients, at }: Unsubscription,
): { readonly hook: HookWithWatches; readonly isNew: boolean; readonly pauses: boolean } {
  const isNew = hook.unsubscribed.every((each) => each.recipient !== recipient)
  const unsubscribed = isNew ? [...hook.unsubscribed, { recipient, at }] : hook.unsubscribed
  const left = new Set(unsubscribed.map((each) => each.recipient))
  const pauses = isNew && hook.status === 'active' && recipients.every((each) => left.has(each))
  return { hook: { ...hook, unsubscribed }, isNew, pauses }
}

/** Whether deliveries that wait may be sent earlier or later than before. */
export function hasNewSchedule(before: Hook, after: Hook): boolean {
  return scheduleText(before.messageSchedule) !== scheduleText(after.messageSchedule)
}

/** Hooks in the given order, each with its own `watches` and `sets`. */
export function withWatches(
  hooks: readonly HookRow[],
  watches: readonly WatchRow[],
  sets: readonly WatchSetRow[],
): HookWithWatches[] {
  const watchesByHook = Map.groupBy(watches, (watch) => watch.hook_id)
  const setsByHook = Map.groupBy(sets, (set) => set.hook_id)
  return hooks.map((hook) =>
    withWatchesOf(hook, (watchesByHook.get(hook.id) ?? []).map(watchOf), setsByHook.get(hook.id) ?? []),
  )
}

export function withWatchesOf(
  row: HookRow,
  watches: readonly Watch[],
  sets: readonly WatchSetRow[],
): HookWithWatches {
  return { ...hookOf(row), watches, watchSets: watchSetsOf(sets, watches) }
}

/** Whether deliveries go to another place than before, so that failures until now say nothing about it. */
export function hasNewTarget(before: Hook, after: Hook): boolean {
  return before.targetUrl !== after.targetUrl || before.targetSettings !== after.targetSettings
}

/** The number of watches that counts for the limit of a hook: a watch set counts as one. */
export function ruleCount({ watches, watchSets }: HookWithWatches): number {
  return watches.filter(({ setId }) => setId === null).length + watchSets.length
}

/** Watch sets with the apps of their watches. */
function watchSetsOf(rows: readonly WatchSetRow[], watches: readonly Watch[]): WatchSet[] {
  if (rows.length === 0) return []
  const bySet = Map.groupBy(watches, (watch) => watch.setId)
  return rows.map((row) => watchSetOf(row, row.all_apps === 1 ? null : uniqueApps(bySet.get(row.id) ?? [])))
}

/** The watches that a replacement deletes and inserts. */
export function watchChanges(hook: HookWithWatches, from: WatchReplacement['from']) {
  const stored = hook.watches.filter(({ setId }) => setId === null)
  const wanted = from(stored)
  const before = new Set(stored.map(({ id }) => id))
  const after = new Set(wanted.map(({ id }) => id))
  return {
    removed: stored.filter(({ id }) => !after.has(id)),
    added: wanted
      .filter(({ id }) => !before.has(id))
      .map((watch) => ({ ...watch, hookId: hook.id, accountId: hook.accountId })),
  }
}

/** The watches with an app and event type that `watched` does not contain. */
export function watchesBeside(watched: readonly Watch[], watches: readonly Watch[]): Watch[] {
  const keyOf = ({ store, appId, eventType }: Watch) => `${store} ${eventType} ${appId}`
  const known = new Set(watched.map(keyOf))
  return watches.filter((watch) => !known.has(keyOf(watch)))
}
