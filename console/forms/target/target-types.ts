import { HTTP_PRESETS } from '../../../src/contract/http-presets.ts'
import type { TargetType } from '../../../src/model/target.ts'
import { commonTexts } from '../../messages/common.ts'
import { targetTexts } from '../../messages/target.ts'

/** One field of the settings of a type, by its name in the API. */
export type TargetField = {
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  /** `lines`: a list, one per line. `headers`: `name: value` lines. */
  readonly kind: 'text' | 'secret' | 'whole number' | 'lines' | 'headers' | 'code' | 'flag' | 'method'
  readonly required?: boolean
}

export type TypeOfTarget = {
  readonly type: TargetType
  readonly name: string
  readonly about: string
  /** What to copy from where, in order. */
  readonly steps: readonly string[]
  readonly fields: readonly TargetField[]
}

const WEBHOOK_URL = {
  name: 'webhook_url',
  label: targetTexts.webhookUrl,
  description: targetTexts.secretNote,
  kind: 'secret',
  required: true,
} as const

/** The types of destinations, in the order of the form. */
export const TYPES_OF_TARGET: readonly TypeOfTarget[] = [
  { type: 'webhook', name: targetTexts.webhook, about: targetTexts.webhookAbout, steps: [], fields: [] },
  {
    type: 'slack',
    name: targetTexts.slack,
    about: targetTexts.channelAbout,
    steps: [targetTexts.slackStep1, targetTexts.slackStep2, targetTexts.slackStep3, targetTexts.slackStep4],
    fields: [{ ...WEBHOOK_URL, placeholder: 'https://hooks.slack.com/services/T…/B…/…' }],
  },
  {
    type: 'teams',
    name: targetTexts.teams,
    about: targetTexts.teamsAbout,
    steps: [targetTexts.teamsStep1, targetTexts.teamsStep2, targetTexts.teamsStep3],
    fields: [{ ...WEBHOOK_URL, placeholder: 'https://….logic.azure.com/workflows/…&sig=…' }],
  },
  {
    type: 'discord',
    name: targetTexts.discord,
    about: targetTexts.channelAbout,
    steps: [targetTexts.discordStep1, targetTexts.discordStep2, targetTexts.discordStep3],
    fields: [
      { ...WEBHOOK_URL, placeholder: 'https://discord.com/api/webhooks/…' },
      {
        name: 'thread_id',
        label: targetTexts.discordThread,
        description: targetTexts.discordThreadNote,
        kind: 'text',
      },
    ],
  },
  {
    type: 'telegram',
    name: targetTexts.telegram,
    about: targetTexts.telegramAbout,
    steps: [targetTexts.telegramStep1, targetTexts.telegramStep2, targetTexts.telegramStep3],
    fields: [
      {
        name: 'bot_token',
        label: targetTexts.telegramToken,
        description: targetTexts.secretNote,
        placeholder: targetTexts.telegramTokenPlaceholder,
        kind: 'secret',
        required: true,
      },
      {
        name: 'chat_id',
        label: targetTexts.telegramChat,
        placeholder: targetTexts.telegramChatNote,
        kind: 'text',
        required: true,
      },
      {
        name: 'message_thread_id',
        label: targetTexts.telegramTopic,
        description: targetTexts.telegramTopicNote,
        kind: 'whole number',
      },
      {
        name: 'api_url',
        label: targetTexts.telegramServer,
        description: targetTexts.telegramServerNote,
        placeholder: 'https://api.telegram.org',
        kind: 'text',
      },
      { name: 'silent', label: targetTexts.telegramSilent, kind: 'flag' },
    ],
  },
  {
    type: 'email',
    name: commonTexts.email,
    about: targetTexts.emailAbout,
    steps: [],
    fields: [
      {
        name: 'to',
        label: targetTexts.emailRecipients,
        description: targetTexts.emailRecipientsNote,
        placeholder: targetTexts.emailPlaceholder,
        kind: 'lines',
        required: true,
      },
    ],
  },
  {
    type: 'http',
    name: targetTexts.http,
    about: targetTexts.httpAbout,
    steps: [targetTexts.httpStep1, targetTexts.httpStep2],
    fields: [
      { name: 'method', label: targetTexts.httpMethod, kind: 'method' },
      {
        name: 'url',
        label: targetTexts.httpUrl,
        description: targetTexts.httpUrlNote,
        placeholder: 'https://ntfy.sh/',
        kind: 'text',
        required: true,
      },
      {
        name: 'headers',
        label: targetTexts.httpHeaders,
        description: targetTexts.httpHeadersNote,
        placeholder: targetTexts.httpHeadersPlaceholder,
        kind: 'headers',
      },
      { name: 'body', label: targetTexts.httpBody, kind: 'code' },
    ],
  },
]

export function typeOfTarget(type: TargetType): TypeOfTarget {
  const found = TYPES_OF_TARGET.find((each) => each.type === type)
  if (found === undefined) throw new Error(`no form for the target type "${type}"`)
  return found
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
  for (const { name, kind } of typeOfTarget(type).fields) {
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
  const secret = new Set(
    typeOfTarget(type)
      .fields.filter((field) => isSecret(type, field))
      .map(({ name }) => name),
  )
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)))
}

/** Whether the service never shows the value of the field again. */
export function isSecret(type: TargetType, { kind }: TargetField): boolean {
  return kind === 'secret' || (type === 'http' && kind !== 'method')
}

/** The required fields that are empty. `kept`: secrets that stay as they are when they are empty. */
export function missingFields(type: TargetType, values: TargetValues, kept: boolean): string[] {
  return typeOfTarget(type)
    .fields.filter(({ required }) => required === true)
    .filter(({ name }) => String(values[name] ?? '').trim() === '')
    .filter((field) => !(kept && isSecret(type, field)))
    .map(({ name }) => name)
}
