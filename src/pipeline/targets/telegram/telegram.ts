import { z } from 'zod'
import { says, saysUnquoted } from '../../../contract/field.ts'
import { postJson } from '../post-json.ts'
import type { Target } from '../target.ts'
import { serviceUrl } from '../url-setting.ts'
import { telegramFailureOf } from './failures.ts'
import { telegramDigest, telegramMessage } from './text-and-entities.ts'

const API_URL = 'https://api.telegram.org'

/** The value is never quoted: it is a secret. */
const botToken = 'bot_token must be the token that @BotFather shows, such as 1234567890:AA….'
const chatId = saysUnquoted(
  'chat_id',
  'the number of a chat, such as -1001234567890, or the @name of a public channel',
)
const threadId = saysUnquoted('message_thread_id', 'the number of a topic: a whole number from 1')

const settings = z.object({
  bot_token: z
    .string(botToken)
    .trim()
    .regex(/^\d{5,20}:[\w-]{30,60}$/, botToken),
  chat_id: z
    .union([z.int().transform(String), z.string().trim()], chatId)
    .pipe(z.string().regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, chatId)),
  message_thread_id: z.int(threadId).min(1, threadId).nullish(),
  api_url: serviceUrl('api_url', `the URL of a Bot API server of your own; by default ${API_URL}`, (url) =>
    ['', '/'].includes(url.pathname),
  ).nullish(),
  silent: z.boolean(says('silent', 'true or false')).nullish(),
})
type Settings = z.infer<typeof settings>

/** A chat, group or channel of Telegram, through a bot of the user. */
export const telegram: Target<Settings> = {
  type: 'telegram',
  settings,
  secretFields: ['bot_token'],
  shownUrl: (given) => `${originOf(given)}/chat/${given.chat_id}`,
  message: (event, given, context) => sendMessage(given, telegramMessage(event, context)),
  digest: (items, given, context) => sendMessage(given, telegramDigest(items, context)),
  failureOf: telegramFailureOf,
  // 20 messages a minute in a group.
  ratePerSecond: 0.33,
}

function originOf({ api_url }: Settings): string {
  return new URL(api_url ?? API_URL).origin
}

function sendMessage(given: Settings, message: object) {
  const { bot_token, chat_id, message_thread_id, silent } = given
  return postJson(`${originOf(given)}/bot${bot_token}/sendMessage`, {
    chat_id,
    ...(message_thread_id == null ? {} : { message_thread_id }),
    ...message,
    link_preview_options: { is_disabled: true },
    disable_notification: silent === true,
  })
}
