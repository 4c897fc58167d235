import { jsonOf, permanent, waitOf } from '../failures.ts'
import type { TargetAnswer, TargetFailure } from '../target.ts'

const TOKEN_INVALID = permanent(
  'access_revoked',
  'Telegram rejected the bot token. Copy the current token from @BotFather and save it.',
)
const CHAT_GONE = permanent(
  'channel_gone',
  'Telegram cannot find the chat. Check chat_id, and that the bot is a member of the chat.',
)

/** Telegram has no codes, only descriptions of a sentence. */
const FAILURES: readonly (readonly [description: RegExp, failure: TargetFailure])[] = [
  [
    /bot was (?:kicked|blocked)|not a member|can't initiate conversation|bot can't send messages to bots/i,
    permanent(
      'posting_forbidden',
      'The bot was removed from the chat or blocked. Add it to the chat again, or unblock it.',
    ),
  ],
  [
    /not enough rights|have no rights|need administrator rights|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED/i,
    permanent(
      'posting_forbidden',
      'The bot is not allowed to post in the chat. Give it permission to send messages; in a channel it must be an administrator.',
    ),
  ],
  [
    /thread not found|TOPIC_(?:CLOSED|DELETED)/i,
    permanent(
      'channel_gone',
      'The topic of the group no longer exists or is closed. Correct message_thread_id.',
    ),
  ],
  [/chat not found|chat was deleted|user is deactivated|PEER_ID_INVALID|USER_DEACTIVATED/i, CHAT_GONE],
  [
    /can't parse entities|message is too long|message text is empty|BUTTON_URL_INVALID|URL.{0,300} is invalid|ENTITY_\w{0,40}INVALID/i,
    permanent('message_rejected', 'Telegram rejected the format of the message.'),
  ],
]

const DESCRIPTION_CHARS_MAX = 1_000

export function telegramFailureOf(answer: TargetAnswer): TargetFailure | null {
  const { description, parameters } = jsonOf(answer) as {
    readonly description?: unknown
    readonly parameters?: { readonly retry_after?: unknown; readonly migrate_to_chat_id?: unknown } | null
  }
  if (answer.status === 429) return waitOf(parameters?.retry_after) ?? waitOf(answer.headers['retry-after'])
  if (answer.status < 400 || answer.status > 499) return null
  // 404 is the answer to a token of the wrong form.
  if (answer.status === 401 || answer.status === 404) return TOKEN_INVALID
  const newId = parameters?.migrate_to_chat_id
  if (typeof newId === 'number' && Number.isSafeInteger(newId))
    return permanent('channel_gone', `The group became a supergroup. Set chat_id to ${newId}.`)
  const text = typeof description === 'string' ? description.slice(0, DESCRIPTION_CHARS_MAX) : ''
  return FAILURES.find(([words]) => words.test(text))?.[1] ?? null
}
