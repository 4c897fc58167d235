import { z } from 'zod'
import { saysUnquoted } from '../../../contract/field.ts'
import { postJson } from '../post-json.ts'
import type { Target } from '../target.ts'
import { serviceUrl } from '../url-setting.ts'
import { discordDigest, discordMessage } from './embed.ts'
import { discordFailureOf } from './failures.ts'

const WEBHOOK_PATH = /^\/api\/(?:v\d+\/)?webhooks\/(\d{15,25})\/[\w-]{20,200}\/?$/
const threadId = saysUnquoted('thread_id', 'the id of a thread: 15 to 25 digits, in quotes')

const settings = z.object({
  webhook_url: serviceUrl(
    'webhook_url',
    'the URL of a webhook, such as https://discord.com/api/webhooks/1234…/…',
    (url) => WEBHOOK_PATH.test(url.pathname),
  ),
  thread_id: z
    .string(threadId)
    .regex(/^\d{15,25}$/, threadId)
    .nullish(),
})
type Settings = z.infer<typeof settings>

/** A webhook of Discord, which belongs to one channel. */
export const discord: Target<Settings> = {
  type: 'discord',
  settings,
  secretFields: ['webhook_url'],
  shownUrl({ webhook_url }) {
    const { origin, pathname } = new URL(webhook_url)
    return `${origin}/api/webhooks/${WEBHOOK_PATH.exec(pathname)?.[1]}/…`
  },
  message: (event, given, context) => post(given, discordMessage(event, context)),
  digest: (items, given, context) => post(given, discordDigest(items, context)),
  failureOf: discordFailureOf,
  // 30 messages a minute and channel.
  ratePerSecond: 0.5,
}

function post({ webhook_url, thread_id }: Settings, payload: object) {
  const url = new URL(webhook_url)
  url.search = ''
  // Without it, Discord answers before it has saved the message, and hides errors.
  url.searchParams.set('wait', 'true')
  if (thread_id != null) url.searchParams.set('thread_id', thread_id)
  return postJson(url.href, payload)
}
