import { HTTP_PRESETS } from '../../../src/contract/http-presets.ts'
import type { TargetType } from '../../../src/model/target.ts'

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
  label: 'Webhook URL',
  description: 'It is stored encrypted and not shown again.',
  kind: 'secret',
  required: true,
} as const

/** The types of destinations, in the order of the form. */
export const TYPES_OF_TARGET: readonly TypeOfTarget[] = [
  { type: 'webhook', name: 'Webhook', about: 'Signed JSON to your URL', steps: [], fields: [] },
  {
    type: 'slack',
    name: 'Slack',
    about: 'Messages in a channel',
    steps: [
      'Open api.slack.com/apps and choose “Create New App”, “From scratch”. Select your workspace.',
      'Open “Incoming Webhooks” and turn them on.',
      'Choose “Add New Webhook”, select the channel and allow it.',
      'Copy the webhook URL.',
    ],
    fields: [{ ...WEBHOOK_URL, placeholder: 'https://hooks.slack.com/services/T…/B…/…' }],
  },
  {
    type: 'teams',
    name: 'Teams',
    about: 'Cards in a channel or chat',
    steps: [
      'In Teams, open the menu (⋯) of the channel and choose “Workflows”.',
      'Select “Send webhook alerts to a channel” and follow its steps.',
      'Copy the URL that the last step shows.',
    ],
    fields: [{ ...WEBHOOK_URL, placeholder: 'https://….logic.azure.com/workflows/…&sig=…' }],
  },
  {
    type: 'discord',
    name: 'Discord',
    about: 'Messages in a channel',
    steps: [
      'In Discord, open the settings of the channel, then “Integrations”, “Webhooks”.',
      'Choose “New Webhook”, and give it a name.',
      'Choose “Copy Webhook URL”.',
    ],
    fields: [
      { ...WEBHOOK_URL, placeholder: 'https://discord.com/api/webhooks/…' },
      {
        name: 'thread_id',
        label: 'Thread ID',
        description: 'Only to post in a thread of the channel: 15 to 25 digits.',
        kind: 'text',
      },
    ],
  },
  {
    type: 'telegram',
    name: 'Telegram',
    about: 'Messages of your bot',
    steps: [
      'In Telegram, write /newbot to @BotFather and copy the token that it shows.',
      'Add the bot to your group or channel; in a channel as an administrator.',
      'Enter the @name of a public channel, or the number of the chat. Open https://api.telegram.org/bot<token>/getUpdates after a message in the chat to see the number.',
    ],
    fields: [
      {
        name: 'bot_token',
        label: 'Bot token',
        description: 'It is stored encrypted and not shown again.',
        placeholder: '1234567890:AA…',
        kind: 'secret',
        required: true,
      },
      {
        name: 'chat_id',
        label: 'Chat',
        placeholder: '-1001234567890 or @channel',
        kind: 'text',
        required: true,
      },
      {
        name: 'message_thread_id',
        label: 'Topic number',
        description: 'Only for a group with topics.',
        kind: 'whole number',
      },
      {
        name: 'api_url',
        label: 'Bot API server',
        description: 'Only for a server of your own.',
        placeholder: 'https://api.telegram.org',
        kind: 'text',
      },
      { name: 'silent', label: 'Send without a sound', kind: 'flag' },
    ],
  },
  {
    type: 'email',
    name: 'E-mail',
    about: 'Mail to your team',
    steps: [],
    fields: [
      {
        name: 'to',
        label: 'Recipients',
        description: 'Up to 20 addresses, one per line. Each gets a mail of its own.',
        placeholder: 'team@example.com',
        kind: 'lines',
        required: true,
      },
    ],
  },
  {
    type: 'http',
    name: 'HTTP request',
    about: 'A template, such as for ntfy or Apprise',
    steps: [
      'Choose a preset, or write the request that your service expects.',
      'Write {{title}}, {{text}}, {{level}}, {{console_url}} or fields of the event such as {{event.rating}} where their values belong.',
    ],
    fields: [
      { name: 'method', label: 'Method', kind: 'method' },
      {
        name: 'url',
        label: 'URL',
        description: 'URL, headers and body are stored encrypted and not shown again.',
        placeholder: 'https://ntfy.sh/',
        kind: 'text',
        required: true,
      },
      {
        name: 'headers',
        label: 'Headers',
        description: 'One per line, as “name: value”.',
        placeholder: 'content-type: application/json',
        kind: 'headers',
      },
      { name: 'body', label: 'Body', kind: 'code' },
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
