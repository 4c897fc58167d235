import type { TARGET_FIELDS } from '../../src/contract/console/target-fields.ts'
import type { TargetType } from '../../src/model/target.ts'
import { commonTexts } from './common.ts'

/** Texts of the target types, of their settings and of the schedule of messages. */

type TypeTexts = {
  readonly name: string
  readonly about: string
  /** What to copy from where, in order. */
  readonly steps: readonly string[]
}

export type FieldTexts = {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
}

/** In the order of the form. */
export const targetTypeTexts: Readonly<Record<TargetType, TypeTexts>> = {
  webhook: { name: 'Webhook', about: 'Signed JSON to your URL', steps: [] },
  slack: {
    name: 'Slack',
    about: 'Messages in a channel',
    steps: [
      'Open api.slack.com/apps and choose “Create New App”, “From scratch”. Select your workspace.',
      'Open “Incoming Webhooks” and turn them on.',
      'Choose “Add New Webhook”, select the channel and allow it.',
      'Copy the webhook URL.',
    ],
  },
  teams: {
    name: 'Teams',
    about: 'Cards in a channel or chat',
    steps: [
      'In Teams, open the menu (⋯) of the channel and choose “Workflows”.',
      'Select “Send webhook alerts to a channel” and follow its steps.',
      'Copy the URL that the last step shows.',
    ],
  },
  discord: {
    name: 'Discord',
    about: 'Messages in a channel',
    steps: [
      'In Discord, open the settings of the channel, then “Integrations”, “Webhooks”.',
      'Choose “New Webhook”, and give it a name.',
      'Choose “Copy Webhook URL”.',
    ],
  },
  telegram: {
    name: 'Telegram',
    about: 'Messages of your bot',
    steps: [
      'In Telegram, write /newbot to @BotFather and copy the token that it shows.',
      'Add the bot to your group or channel; in a channel as an administrator.',
      'Enter the @name of a public channel, or the number of the chat. Open https://api.telegram.org/bot<token>/getUpdates after a message in the chat to see the number.',
    ],
  },
  email: { name: commonTexts.email, about: 'E-mail to your team', steps: [] },
  http: {
    name: 'HTTP request',
    about: 'A template, such as for ntfy or Apprise',
    steps: [
      'Choose a preset, or write the request that your service expects.',
      'Write {{title}}, {{text}}, {{level}}, {{console_url}} or fields of the event such as {{event.rating}} where their values belong.',
    ],
  },
}

const SECRET_NOTE = 'It is stored encrypted and not shown again.'
const WEBHOOK_URL = { label: 'Webhook URL', description: SECRET_NOTE }

/** Every field of a type's settings, by its name in the API. */
export const targetFieldTexts: {
  readonly [Type in TargetType]: {
    readonly [Name in (typeof TARGET_FIELDS)[Type][number]['name']]: FieldTexts
  }
} = {
  webhook: {},
  slack: { webhook_url: { ...WEBHOOK_URL, placeholder: 'https://hooks.slack.com/services/T…/B…/…' } },
  teams: { webhook_url: { ...WEBHOOK_URL, placeholder: 'https://….logic.azure.com/workflows/…&sig=…' } },
  discord: {
    webhook_url: { ...WEBHOOK_URL, placeholder: 'https://discord.com/api/webhooks/…' },
    thread_id: {
      label: 'Thread ID',
      description: 'Only to post in a thread of the channel: 15 to 25 digits.',
    },
  },
  telegram: {
    bot_token: { label: 'Bot token', description: SECRET_NOTE, placeholder: '1234567890:AA…' },
    chat_id: { label: 'Chat', placeholder: '-1001234567890 or @channel' },
    message_thread_id: { label: 'Topic number', description: 'Only for a group with topics.' },
    api_url: {
      label: 'Bot API server',
      description: 'Only if you run your own server.',
      placeholder: 'https://api.telegram.org',
    },
    silent: { label: 'Send without a sound' },
  },
  email: {
    to: {
      label: 'Recipients',
      description: 'Up to 20 addresses, one per line. Each gets a separate e-mail.',
      placeholder: 'team@example.com',
    },
  },
  http: {
    method: { label: 'Method' },
    url: {
      label: 'URL',
      description: 'URL, headers and body are stored encrypted and not shown again.',
      placeholder: 'https://ntfy.sh/',
    },
    headers: {
      label: 'Headers',
      description: 'One per line, as “name: value”.',
      placeholder: 'content-type: application/json',
    },
    body: { label: 'Body' },
  },
}

export const targetTexts = {
  presets: 'Presets',
  enterField: (field: string) => `Enter the ${field}`,
  keptUrl: 'Leave empty to keep the current value. With a new URL, enter headers and body again.',
  kept: 'Leave empty to keep the current value.',
  sendTo: 'Send to',
  preview: 'Preview',
  showRequest: 'Show request',
  showMail: 'Show e-mail',
  sample: 'Message of a sample event',
  inEnglish: (summary: string) => `In English: ${summary}`,
} as const

export const scheduleTexts = {
  each: 'Each event at once',
  throttle: 'At most one message per interval',
  daily: 'One message a day',
  weekly: 'One message a week',
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
  send: 'Send',
  sendNote: 'Events are collected until then and sent in one message.',
  minutes: 'Minutes',
  minutesNote: (min: number, max: number) => `${min} to ${max}`,
  day: 'Day',
  time: 'Time',
  quietHours: 'Quiet hours',
  quietFrom: 'Quiet from',
  quietUntil: 'Quiet until',
  timeZone: 'Time zone',
} as const
