import {
  DEFAULT_SOURCE,
  HOOK_OPTION_FIELDS,
  type HookChangeBody,
  type HookDetail,
  type HookView,
  type WatchBody,
} from '../../contract/hook.ts'
import type { TrackedApp } from '../../contract/v1/apps.ts'
import { filterInputOf } from '../../contract/watch-rules.ts'
import { STARS } from '../../model/hook-limits.ts'
import { STOREFRONTS, type Storefront } from '../../model/vocabulary.ts'
import { scheduleText } from '../../operations/hooks/schedule-record.ts'
import { givenFingerprint } from '../../operations/hooks/target.ts'
import { filterDetailRecord, filterRecord } from '../../operations/hooks/watch-record.ts'
import { filterOf } from '../../operations/watches/new-watch.ts'
import { CommandFailed } from '../command.ts'
import { LISTEN_REF } from '../listen/subscription.ts'
import { excerpt } from '../table.ts'
import type { Wanted, WantedApp, WantedHook } from './file.ts'

export type HookCreation = { readonly kind: 'create hook'; readonly wanted: WantedHook }
export type HookUpdate = {
  readonly kind: 'change hook'
  readonly wanted: WantedHook
  readonly id: string
  readonly change: HookChangeBody
  /** One for each field. */
  readonly differences: readonly string[]
}
export type HookRemoval = { readonly kind: 'remove hook'; readonly hook: HookDetail }
export type AppUpdate = {
  readonly kind: 'track app'
  readonly wanted: WantedApp
  readonly before: readonly Storefront[]
}
export type Change = HookCreation | HookUpdate | HookRemoval | AppUpdate

/**
 * The changes that make the account match the file, which may describe the hooks `own` (`isOwn`). Fields of a hook that are not in the file
 * stay unchanged. Throws `CommandFailed` when two hooks of the account have the same external_ref.
 */
export function planOf(
  wanted: Wanted,
  own: readonly HookDetail[],
  apps: readonly TrackedApp[],
  options: { readonly prune: boolean },
): Change[] {
  const byRef = Map.groupBy(own, ({ external_ref }) => external_ref)
  const changes: Change[] = []
  for (const app of wanted.apps) {
    const tracked = apps.find(({ store, app_id }) => store === app.store && app_id === app.app_id)
    const before = ordered(tracked?.countries ?? [])
    if (before.join() !== ordered(app.countries).join())
      changes.push({ kind: 'track app', wanted: app, before })
  }
  for (const hook of wanted.hooks ?? []) {
    const [stored, another] = byRef.get(hook.external_ref) ?? []
    if (another !== undefined) {
      throw new CommandFailed(
        `Two hooks of the account have the external_ref "${hook.external_ref}": ${stored?.id} and ${another.id}. Remove one of them first.`,
      )
    }
    if (stored === undefined) changes.push({ kind: 'create hook', wanted: hook })
    else changes.push(...updatesOf(hook, stored))
  }
  if (options.prune && wanted.hooks !== null) {
    const named = new Set(wanted.hooks.map(({ external_ref }) => external_ref))
    for (const hook of own) {
      if (!named.has(hook.external_ref ?? '')) changes.push({ kind: 'remove hook', hook })
    }
  }
  return changes
}

/** Hooks that a file may describe: those with an external_ref, without hooks of platforms and of `radar listen`. */
export function isOwn({ source, external_ref: ref }: HookView): boolean {
  return source === DEFAULT_SOURCE && ref !== null && ref !== LISTEN_REF
}

function updatesOf(wanted: WantedHook, stored: HookDetail): HookUpdate[] {
  const change: { -readonly [Field in keyof HookChangeBody]: HookChangeBody[Field] } = {}
  const differences: string[] = []
  const differ = (field: string, before: unknown, after: unknown) =>
    differences.push(`${field}: ${shown(before)} → ${shown(after)}`)

  const target = targetChange(wanted, stored)
  Object.assign(change, target?.change)
  if (target !== null) differences.push(...target.differences)
  for (const field of ['name', 'description', 'rate_per_second', ...HOOK_OPTION_FIELDS] as const) {
    const value = trimmed(wanted[field])
    if (value === undefined || value === stored[field]) continue
    Object.assign(change, { [field]: value })
    differ(field, stored[field], value)
  }
  const { message_schedule: schedule } = wanted
  if (schedule !== undefined && scheduleText(schedule) !== scheduleText(stored.message_schedule)) {
    change.message_schedule = schedule
    differ('message_schedule', scheduleText(stored.message_schedule), scheduleText(schedule))
  }
  const before = new Set(stored.watches.filter(({ watch_set_id: set }) => set === null).map(watchText))
  const after = new Set(wanted.watches.map(watchText))
  if (before.symmetricDifference(after).size > 0) {
    change.watches = wanted.watches
    for (const text of before.difference(after)) differences.push(`remove watch: ${text}`)
    for (const text of after.difference(before)) differences.push(`add watch: ${text}`)
  }
  return differences.length === 0 ? [] : [{ kind: 'change hook', wanted, id: stored.id, change, differences }]
}

/** The new target of a hook; null when it is the same. The service shows no settings, so these are compared by their fingerprint. */
function targetChange(wanted: WantedHook, stored: HookDetail) {
  const { target_url, target_settings } = wanted
  const target_type = wanted.target_type ?? 'webhook'
  const isOtherType = target_type !== stored.target_type
  const typeChange = isOtherType ? [`target_type: ${stored.target_type} → ${target_type}`] : []
  if (target_type === 'webhook') {
    if (target_url === undefined || (!isOtherType && target_url === stored.target_url)) return null
    const difference = `target_url: ${shown(stored.target_url)} → ${shown(target_url)}`
    return {
      change: { ...(isOtherType && { target_type }), target_url },
      differences: [...typeChange, difference],
    }
  }
  if (target_settings == null) return null
  const isSame = givenFingerprint(stored.id, target_type, target_settings) === stored.target_fingerprint
  if (!isOtherType && isSame) return null
  return {
    change: { ...(isOtherType && { target_type }), target_settings },
    differences: [...typeChange, 'target_settings: changed'],
  }
}

/** The service trims texts and stores null for an empty one. */
function trimmed<T>(value: T): T | string | null {
  return typeof value === 'string' ? value.trim() || null : value
}

function shown(value: unknown): string {
  return value === null ? 'none' : excerpt(String(value), 100)
}

/** A watch as text, equal for watches with the same rule. */
export function watchText(watch: WatchBody): string {
  const { store, app_id: appId } = watch
  const filter = filterOf(filterInputOf(watch))
  const { event_type: type, min_stars: min, max_stars: max, delta, threshold } = filterRecord(filter)
  const { countries, delta_window_hours: window, ...details } = filterDetailRecord(filter)
  const parts = [
    `${type} of ${store} ${excerpt(appId.trim(), 80)}${countries === null ? '' : ` in ${countries.join(' ')}`}`,
    min === STARS.min && max === STARS.max ? null : `${min} to ${max} stars`,
    delta === null ? null : `falls by ${delta}${window === null ? '' : ` within ${window} h`}`,
    threshold === null ? null : `falls below ${threshold}`,
    ...Object.entries(details).map(([name, value]) =>
      value === null ? null : `${name} ${JSON.stringify(value)}`,
    ),
  ]
  return parts.filter((part) => part !== null).join(', ')
}

function ordered(countries: readonly Storefront[]): Storefront[] {
  return STOREFRONTS.filter((country) => countries.includes(country))
}

const SIGNS = { 'create hook': '+', 'change hook': '~', 'remove hook': '-', 'track app': '~' } as const

/** A change as lines for a terminal. */
export function changeText(change: Change): string {
  if (change.kind === 'track app') {
    const { wanted, before } = change
    const after = ordered(wanted.countries)
    const sign = before.length === 0 ? '+' : after.length === 0 ? '-' : '~'
    const list = (countries: readonly string[]) => countries.join(', ') || 'none'
    return `${sign} app ${wanted.store}/${excerpt(wanted.app_id, 80)}  countries: ${list(before)} → ${list(after)}\n`
  }
  const sign = SIGNS[change.kind]
  if (change.kind === 'remove hook')
    return `${sign} hook ${excerpt(change.hook.external_ref ?? '', 80)}  ${change.hook.id}\n`
  const { wanted } = change
  const details =
    change.kind === 'change hook'
      ? change.differences
      : [
          wanted.target_url ?? wanted.target_type ?? '',
          ...(wanted.message_schedule == null
            ? []
            : [`message_schedule: ${scheduleText(wanted.message_schedule)}`]),
          ...wanted.watches.map(watchText),
        ]
  return `${sign} hook ${excerpt(wanted.external_ref, 80)}\n${details.map((detail) => `    ${excerpt(detail, 200)}\n`).join('')}`
}

/** A change as one JSON object. */
export function changeJson(change: Change): object {
  switch (change.kind) {
    case 'track app':
      return {
        action: 'track_app',
        store: change.wanted.store,
        app_id: change.wanted.app_id,
        countries: { before: change.before, after: ordered(change.wanted.countries) },
      }
    case 'remove hook':
      return { action: 'remove_hook', external_ref: change.hook.external_ref, id: change.hook.id }
    case 'change hook':
      return {
        action: 'change_hook',
        external_ref: change.wanted.external_ref,
        id: change.id,
        changes: change.differences,
      }
    case 'create hook':
      return { action: 'create_hook', external_ref: change.wanted.external_ref }
  }
}
