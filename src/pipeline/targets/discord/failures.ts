import { jsonOf, permanent, waitOf } from '../failures.ts'
import type { TargetAnswer, TargetFailure } from '../target.ts'

const WEBHOOK_GONE = permanent(
  'channel_gone',
  'The Discord webhook or its channel was deleted. Create a new webhook and save its URL.',
)
const THREAD_GONE = permanent(
  'channel_gone',
  'The Discord channel or thread no longer exists. Correct thread_id, or create a webhook for another channel.',
)
const TOKEN_INVALID = permanent(
  'access_revoked',
  'Discord rejected the token in the webhook URL. Copy the URL again and save it.',
)
const FORBIDDEN = permanent(
  'posting_forbidden',
  'Discord does not let this webhook post there. Check the permissions of the channel and whether its thread is closed.',
)
const REJECTED = permanent('message_rejected', 'Discord rejected the format of the message.')

/** By the `code` in the JSON of an error. */
const FAILURES: Readonly<Record<number, TargetFailure>> = {
  10003: THREAD_GONE,
  10015: WEBHOOK_GONE,
  50001: FORBIDDEN,
  50006: REJECTED,
  50013: FORBIDDEN,
  50027: TOKEN_INVALID,
  50035: REJECTED,
  50083: FORBIDDEN,
  160005: FORBIDDEN,
  220001: permanent(
    'message_rejected',
    'The webhook belongs to a forum, where a message needs a thread. Set thread_id to the id of a thread.',
  ),
}

/** A limit of Discord's proxy has no JSON, only the header. */
export function discordFailureOf(answer: TargetAnswer): TargetFailure | null {
  const { code, retry_after } = jsonOf(answer)
  if (answer.status === 429) return waitOf(retry_after) ?? waitOf(answer.headers['retry-after'])
  if (answer.status < 400 || answer.status > 499) return null
  if (typeof code === 'number' && Object.hasOwn(FAILURES, code)) return FAILURES[code] ?? null
  if (answer.status === 401) return TOKEN_INVALID
  if (answer.status === 404) return WEBHOOK_GONE
  return null
}
