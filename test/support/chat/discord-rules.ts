import { isObject, type Json, nothingSeen, type Seen } from './seen.ts'

/** What Discord documents about the body of "Execute Webhook": its limits, and its Markdown. */

const TOTAL_CHARS_MAX = 6_000

/** The errors by path, as in the `errors` of Discord's answer; empty if it accepts the payload. */
export function discordErrorsOf(payload: unknown): Record<string, string> {
  if (!isObject(payload)) return { '': 'DICT_TYPE_CONVERT' }
  const errors: Record<string, string> = {}
  const limit = (path: string, value: unknown, charsMax: number) => {
    if (value === undefined) return
    if (typeof value !== 'string' || value.length === 0) errors[path] = 'BASE_TYPE_REQUIRED'
    else if ([...value].length > charsMax) errors[path] = 'BASE_TYPE_MAX_LENGTH'
  }
  const embeds: readonly unknown[] = Array.isArray(payload.embeds) ? payload.embeds : []
  if (embeds.length > 10) errors.embeds = 'BASE_TYPE_MAX_LENGTH'
  if (embeds.length === 0 && typeof payload.content !== 'string') errors.content = 'BASE_TYPE_REQUIRED'
  limit('content', payload.content, 2_000)
  let total = 0
  for (const [index, embed] of embeds.entries()) {
    if (!isObject(embed)) return { [`embeds.${index}`]: 'DICT_TYPE_CONVERT' }
    const { footer } = embed as { footer?: Json }
    limit(`embeds.${index}.title`, embed.title, 256)
    limit(`embeds.${index}.description`, embed.description, 4_096)
    limit(`embeds.${index}.footer.text`, footer?.text, 2_048)
    if (!Number.isInteger(embed.color)) errors[`embeds.${index}.color`] = 'NUMBER_TYPE_COERCE'
    for (const text of [embed.title, embed.description, footer?.text])
      if (typeof text === 'string') total += [...text].length
  }
  if (total > TOTAL_CHARS_MAX) errors.embeds = 'MAX_EMBED_SIZE_EXCEEDED'
  return errors
}

export function seenInDiscord(payload: unknown): Seen {
  const seen = nothingSeen()
  const { embeds, allowed_mentions } = payload as { embeds: readonly Json[]; allowed_mentions: Json }
  if (JSON.stringify(allowed_mentions) !== '{"parse":[]}') seen.mentions.push('allowed_mentions')
  for (const { title, description, footer } of embeds) {
    // Clients differ in what they read in titles.
    if (title !== undefined) seen.mentions.push('title')
    if (typeof description === 'string') readMarkdown(description, seen)
    if (isObject(footer)) seen.text += `${footer.text}\n`
  }
  return seen
}

/** Private characters replace escaped marks, so that no rule reads them. */
const PRIVATE = 0xe000

function readMarkdown(
  source: string,
  seen: { text: string; links: string[]; mentions: string[]; styled: string[] },
) {
  const masked = source
    .replace(/[\uE000-\uE07F]/g, '')
    .replace(/\\([^0-9A-Za-z\s])/g, (whole, mark: string) =>
      mark.charCodeAt(0) < 128 ? String.fromCharCode(PRIVATE + mark.charCodeAt(0)) : whole,
    )
  const unmask = (text: string) =>
    text.replace(/[\uE000-\uE07F]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - PRIVATE))
  const rest = masked
    .replace(/\[([^[\]]*)\]\((https?:\/\/[^()\s]*)\)/g, (_whole, label: string, url: string) => {
      seen.links.push(url)
      return label
    })
    .replace(/(\*\*?)([^*]+)\1/g, (_whole, _marks, text: string) => {
      seen.styled.push(unmask(text))
      return text
    })
    .replace(/^> /gm, '')
  // What is left of Markdown's marks would begin a format, a link, a mention or a list.
  for (const [mark] of rest.matchAll(/[\\*_~`|<>[\]@#]+|https?:|:\w+:|^\s*(?:[-+]|\d+\.) /gm))
    seen.mentions.push(mark)
  seen.text += `${unmask(rest)}\n`
}
