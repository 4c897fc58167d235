import { TARGET_FIELDS } from '../../../src/contract/console/target-fields.ts'
import { HTTP_PRESETS } from '../../../src/contract/http-presets.ts'
import type { TargetType } from '../../../src/model/target.ts'

/** One field of the settings of a type, by its name in the API. */
export type TargetField = (typeof TARGET_FIELDS)[TargetType][number]

export function fieldsOf(type: TargetType): readonly TargetField[] {
  return TARGET_FIELDS[type]
}

/** The name of a setting in the problems of the service. */
export type SettingProblem = `target_settings.${string}`

export function settingProblemsOf(type: TargetType): SettingProblem[] {
  return fieldsOf(type).map(({ name }) => `target_settings.${name}` as const)
}

/** What a person entered, by the name of the field. */
export type TargetValues = Readonly<Record<string, string | boolean>>

export const PRESETS: readonly { readonly name: string; readonly values: TargetValues }[] = [
  { name: 'ntfy', values: valuesOf(HTTP_PRESETS.ntfy) },
  { name: 'Apprise', values: valuesOf(HTTP_PRESETS.apprise) },
]

/** The settings as the service expects them, without empty fields. */
export function settingsOf(type: TargetType, values: TargetValues): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const { name, kind } of fieldsOf(type)) {
    const value = values[name]
    if (typeof value === 'boolean') settings[name] = value
    else if (value !== undefined && value.trim() !== '') settings[name] = settingOf(kind, value.trim())
  }
  return settings
}

function settingOf(kind: TargetField['kind'], text: string): unknown {
  switch (kind) {
    case 'whole number':
      return /^\d+$/.test(text) ? Number(text) : text
    case 'lines':
      return text.split(/[\s,;]+/).filter((line) => line !== '')
    case 'headers':
      return Object.fromEntries(text.split('\n').flatMap(headerOf))
    default:
      return text
  }
}

function headerOf(line: string): [string, string][] {
  const [name = '', ...value] = line.split(':')
  return line.trim() === '' ? [] : [[name.trim(), value.join(':').trim()]]
}

/** Settings that are shown, such as those without secrets, as the fields show them. */
export function valuesOf(settings: Readonly<Record<string, unknown>>): TargetValues {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value == null ? [] : [[name, shownOf(value)]])),
  )
}

function shownOf(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, text]) => `${name}: ${text}`)
      .join('\n')
  }
  return String(value)
}

/** The values without those that the service never shows again. */
export function withoutSecrets(type: TargetType, values: TargetValues): TargetValues {
  const secret = fieldsOf(type).filter(({ isSecret }) => isSecret)
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !secret.some((field) => field.name === name)),
  )
}

/** The required fields that are empty. `kept`: secrets that stay as they are when they are empty. */
export function missingFields(type: TargetType, values: TargetValues, kept: boolean): string[] {
  return fieldsOf(type)
    .filter(({ isRequired, isSecret }) => isRequired && !(kept && isSecret))
    .map(({ name }) => name)
    .filter((name) => String(values[name] ?? '').trim() === '')
}
