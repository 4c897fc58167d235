import { sampleEvent } from '../../contract/sample.ts'
import { hashOf } from '../../model/canonical.ts'
import type { Hook } from '../../model/hook.ts'
import { isPulled } from '../../model/inbox.ts'
import type { FormattedTargetType, TargetType } from '../../model/target.ts'
import { TARGETS } from '../../pipeline/targets/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AddressGuard } from '../../runtime/egress/guard.ts'
import { checkTargetUrl } from '../../runtime/egress/target-url.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { OperationError } from '../error.ts'
import { nobodyBecause } from './mail-recipients.ts'

export type TargetDeps = {
  /** Decides which addresses a target may have. */
  readonly guard: AddressGuard
  readonly sealer: Sealer
  readonly clock: Clock
  /** Whether the installation has a mail server, which mail needs. */
  readonly hasMailServer: boolean
}

/** Where events go, as a caller gives it: a URL for a webhook, settings for every other type. */
export type TargetInput = {
  /** By default the type of the hook; of a new hook, `webhook`. */
  readonly targetType?: TargetType | null | undefined
  readonly targetUrl?: string | null | undefined
  readonly targetSettings?: TargetSettings | null | undefined
}

/** Fields in snake case, which the schema of the type checks. */
export type TargetSettings = Readonly<Record<string, unknown>>

export type HookTarget = Pick<Hook, 'targetType' | 'targetUrl' | 'targetSettings'>

/** The problem with a target URL, worded to follow the field's name; null when a hook may have it. */
export function targetUrlProblem(targetUrl: string, guard: AddressGuard): string | null {
  if (isPulled({ targetUrl })) return null
  const check = checkTargetUrl(targetUrl, guard)
  return check.ok ? null : check.problem
}

/** The target of a new hook. Throws `invalid` for a URL or a setting that no hook may have. */
export function newTarget(deps: TargetDeps, hookId: string, input: TargetInput): HookTarget {
  const { targetType, targetUrl, targetSettings } = input
  const type = targetType ?? 'webhook'
  if (type === 'webhook') {
    if (targetSettings != null) throw invalid('targetSettings', 'must not be given for a webhook.')
    if (targetUrl == null) throw invalid('targetUrl', 'is required: it must be an http or https URL.')
    return webhookAt(targetUrl, deps.guard)
  }
  if (targetUrl != null) throw invalid('targetUrl', urlIsOfSettings(type))
  if (targetSettings == null) {
    throw invalid('targetSettings', `is required: it must be an object with the settings of "${type}".`)
  }
  return formattedTarget(deps, hookId, type, targetSettings)
}

/** The changed target of a hook; undefined when the input changes nothing. Settings replace the stored ones as a whole. */
export function changedTarget(deps: TargetDeps, hook: Hook, input: TargetInput): HookTarget | undefined {
  const type = input.targetType ?? hook.targetType
  const targetSettings = input.targetSettings ?? undefined
  if (type !== hook.targetType) return newTarget(deps, hook.id, { ...input, targetType: type })
  // A caller may send back the URL that it was shown.
  const targetUrl =
    type !== 'webhook' && input.targetUrl === hook.targetUrl ? undefined : (input.targetUrl ?? undefined)
  if (targetUrl === undefined && targetSettings === undefined) return undefined
  // Equal settings must not reset the breaker.
  const isSame =
    type !== 'webhook' &&
    targetSettings !== undefined &&
    shownSettings(hook, deps.sealer)?.fingerprint === givenFingerprint(hook.id, type, targetSettings)
  if (isSame && targetUrl === undefined) return undefined
  const target = newTarget(deps, hook.id, { targetType: type, targetUrl, targetSettings })
  if (nobodyBecause({ ...hook, ...target }, deps.sealer) === 'all_unsubscribed')
    throw invalid('targetSettings.to', 'must have an address that did not unsubscribe.')
  return target
}

/** The target of a webhook. Throws `invalid` for a URL that no hook may have. */
function webhookAt(targetUrl: string, guard: AddressGuard): HookTarget {
  const problem = targetUrlProblem(targetUrl, guard)
  if (problem !== null) throw invalid('targetUrl', problem)
  return { targetType: 'webhook', targetUrl, targetSettings: null }
}

function formattedTarget(
  { guard, sealer, clock, hasMailServer }: TargetDeps,
  hookId: string,
  type: FormattedTargetType,
  given: TargetSettings,
): HookTarget {
  const target = TARGETS[type]
  const settings = checkedSettings(type, given)
  // A sample shows whether messages can be sent at all, such as to an address that the guard refuses.
  const sample = target.message(sampleEvent('review.created'), settings, { ...NO_CONTEXT, now: clock.now() })
  if (sample.kind === 'mail' && !hasMailServer) {
    throw invalid(
      'targetType',
      `cannot be "${type}": this installation has no mail server. The operator sets RADAR_SMTP_URL and RADAR_SMTP_FROM.`,
    )
  }
  const check = sample.kind === 'mail' ? null : checkTargetUrl(sample.url, guard)
  if (check?.ok === false) throw invalid(`targetSettings.${urlFieldOf(given)}`, check.problem)
  return {
    targetType: type,
    targetUrl: target.shownUrl(settings),
    targetSettings: sealer.seal(JSON.stringify(settings), hookId),
  }
}

const NO_CONTEXT = { appName: null, country: null, storeUrl: null, consoleUrl: null, unsubscribeUrl: null }

/** The settings as the type stores them. Throws `invalid` with the name of the setting. */
export function checkedSettings(type: FormattedTargetType, given: TargetSettings): unknown {
  const [issue] = settingsIssues(type, given)
  if (issue === undefined) return TARGETS[type].settings.parse(given)
  // The message begins with the name of the setting.
  const { setting, message } = issue
  const problem = message.startsWith(`${setting} `) ? message.slice(setting.length + 1) : message
  throw invalid(setting === '' ? 'targetSettings' : `targetSettings.${setting}`, problem)
}

/** What is wrong with settings: the names of the settings, and sentences that begin with them. */
export function settingsIssues(
  type: FormattedTargetType,
  given: TargetSettings,
): { readonly setting: string; readonly message: string }[] {
  const { error } = TARGETS[type].settings.safeParse(given)
  return (error?.issues ?? []).map(({ path, message }) => ({ setting: String(path[0] ?? ''), message }))
}

/** The setting with the URL, by its name. */
function urlFieldOf(settings: TargetSettings): string {
  return Object.keys(settings).find(isAddress) ?? 'url'
}

function isAddress(setting: string): boolean {
  return setting === 'url' || setting.endsWith('_url')
}

/** Requests per second that the service of a type allows for one channel; null without a known limit. */
export function typePaceOf(type: TargetType): number | null {
  return type === 'webhook' ? null : TARGETS[type].ratePerSecond
}

/** Settings of a hook without its secrets, and their fingerprint. Null for a webhook, and when another key sealed them. */
export type ShownSettings = { readonly settings: TargetSettings; readonly fingerprint: string }

export function shownSettings(hook: Hook, sealer: Sealer): ShownSettings | null {
  const { targetType, targetSettings } = hook
  if (targetType === 'webhook' || targetSettings === null) return null
  const stored = openedSettings(targetSettings, hook.id, sealer)
  if (stored === null) return null
  const secret = new Set(TARGETS[targetType].secretFields)
  const settings = Object.fromEntries(Object.entries(stored).filter(([name]) => !secret.has(name)))
  return { settings, fingerprint: targetFingerprint(hook.id, stored) }
}

/**
 * The given settings with the stored secrets of the hook in place of those that are not given, so that people change the others alone. None
 * is kept for another address, since whoever changes the address would get them.
 */
export function withStoredSecrets(hook: Hook, given: TargetSettings, sealer: Sealer): TargetSettings {
  const { targetType, targetSettings } = hook
  if (targetType === 'webhook' || targetSettings === null) return given
  const stored = openedSettings(targetSettings, hook.id, sealer) ?? {}
  const secretFields = TARGETS[targetType].secretFields
  const isKept = (name: string) => given[name] === undefined && secretFields.includes(name)
  const addresses = [...new Set([...Object.keys(stored), ...Object.keys(given)])].filter(isAddress)
  if (addresses.some((name) => !isKept(name) && (given[name] ?? null) !== (stored[name] ?? null)))
    return given
  const kept = secretFields.filter((name) => isKept(name) && name in stored)
  return { ...given, ...Object.fromEntries(kept.map((name) => [name, stored[name]])) }
}

function openedSettings(sealed: string, hookId: string, sealer: Sealer): TargetSettings | null {
  try {
    return JSON.parse(sealer.open(sealed, hookId)) as TargetSettings
  } catch {
    return null
  }
}

/** The fingerprint of settings as a caller gives them, as the type stores them. Throws `invalid`. */
export function givenFingerprint(hookId: string, type: FormattedTargetType, given: TargetSettings): string {
  return targetFingerprint(hookId, checkedSettings(type, given))
}

const FINGERPRINT_CHARS = 16

/** Differs for other settings and other hooks, and reveals neither (docs/contract.md, Formatted destinations). */
function targetFingerprint(hookId: string, settings: unknown): string {
  return hashOf(['target settings', hookId, canonical(settings)]).slice(0, FINGERPRINT_CHARS)
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}

function urlIsOfSettings(type: TargetType): string {
  return `must not be given for "${type}": target_settings has the address.`
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
