import type { HttpMessage } from '../../../src/pipeline/targets/target.ts'
import { isObject, nothingSeen, type Seen } from './seen.ts'

/** What ntfy and the Apprise API document about their JSON, and what any HTTP client requires of a request. */

const NTFY_MESSAGE_BYTES_MAX = 4_096
const NTFY_JSON_BYTES_MAX = 2 * NTFY_MESSAGE_BYTES_MAX
const NTFY_KEYS = ['topic', 'title', 'message', 'click']
const APPRISE_KEYS = ['title', 'body', 'type', 'format']

export function httpProblemOf({ url, headers }: HttpMessage): string | null {
  if (!URL.canParse(url) || /[^\x21-\x7E]/.test(url)) return `url ${url}`
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w-]+$/.test(name) || /[^\x20-\x7E]/.test(value)) return `header ${name}`
  return null
}

/** ntfy's `{"code":40001,…}` as a text; null if it accepts the JSON. */
export function ntfyProblemOf(body: unknown): string | null {
  if (!isObject(body) || Object.keys(body).some((key) => !NTFY_KEYS.includes(key)))
    return 'invalid request: unknown keys'
  if (typeof body.topic !== 'string' || !/^[\w-]{1,64}$/.test(body.topic))
    return 'invalid request: topic invalid'
  if (Buffer.byteLength(JSON.stringify(body)) > NTFY_JSON_BYTES_MAX) return 'request too large'
  if (Buffer.byteLength(String(body.message)) > NTFY_MESSAGE_BYTES_MAX)
    return 'invalid request: message too large'
  return null
}

export function appriseProblemOf(body: unknown): string | null {
  if (!isObject(body) || Object.keys(body).some((key) => !APPRISE_KEYS.includes(key))) return 'Bad payload'
  if (typeof body.body !== 'string' || body.body === '') return 'Payload lacks minimum requirements'
  return ['info', 'success', 'warning', 'failure'].includes(String(body.type)) ? null : 'invalid type'
}

/** What a reader of a push message sees: its title and text, and the link that it opens. */
export function seenInPush(body: unknown): Seen {
  const seen = nothingSeen()
  if (!isObject(body)) return seen
  seen.text = [body.title, body.message ?? body.body].join('\n')
  if (typeof body.click === 'string') seen.links.push(body.click)
  if (body.markdown === true || ![undefined, 'text'].includes(body.format as string | undefined))
    seen.mentions.push('format')
  return seen
}
