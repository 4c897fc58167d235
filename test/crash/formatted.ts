import type { SubscribeBody } from '../../src/contract/hook.ts'

/** Formatted destinations of the run: chats at the receiver, and mails with digests. */

export const SLACK_PREFIX = 'slack-'
export const TELEGRAM_PREFIX = 'telegram-'
export const MAIL_PREFIX = 'mail-'

type FormattedTarget = Pick<SubscribeBody, 'target_type' | 'target_settings'>

/** The target of a hook with such a name; null for another hook. The address contains the name. */
export function formattedTarget(name: string, receiverUrl: string): FormattedTarget | null {
  const secret = Buffer.from(name).toString('hex')
  if (name.startsWith(SLACK_PREFIX))
    return {
      target_type: 'slack',
      target_settings: { webhook_url: `${receiverUrl}/services/T024/B045/${secret}` },
    }
  if (name.startsWith(TELEGRAM_PREFIX))
    return {
      target_type: 'telegram',
      target_settings: { bot_token: `1234567890:${secret}`, chat_id: '-100', api_url: receiverUrl },
    }
  if (name.startsWith(MAIL_PREFIX))
    return {
      target_type: 'email',
      target_settings: { to: recipientsOf(name).map((recipient) => `${recipient}@example.com`) },
    }
  return null
}

/** Each recipient of a mail hook has a name in the ledger, the first that of the hook. Other hooks have one name. */
export function recipientsOf(name: string): readonly string[] {
  return name.startsWith(MAIL_PREFIX) ? [name, `${name}.second`] : [name]
}

/** The name of the hook whose chat has this path; null for a webhook. */
export function channelOf(path: string): string | null {
  const [, secret] =
    /^\/services\/T024\/B045\/([0-9a-f]+)$/.exec(path) ??
    /^\/bot1234567890:([0-9a-f]+)\/sendMessage$/.exec(path) ??
    []
  return secret === undefined ? null : Buffer.from(secret, 'hex').toString()
}
