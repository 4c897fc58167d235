import { isObject, type Json, nothingSeen, type Seen } from './seen.ts'

/** What Telegram documents about sendMessage: limits, entities, and what it finds in texts by itself. */

const TEXT_CHARS_MAX = 4_096
const STYLES = ['bold', 'italic', 'blockquote', 'expandable_blockquote']

/** The description of Telegram's answer; null if it accepts the message. */
export function telegramProblemOf(payload: unknown): string | null {
  if (!isObject(payload)) return "Bad Request: can't parse JSON object"
  const { text, entities = [], reply_markup } = payload
  if (typeof text !== 'string' || text.trim() === '') return 'Bad Request: message text is empty'
  if (text.length > TEXT_CHARS_MAX) return 'Bad Request: message is too long'
  if (!text.isWellFormed()) return 'Bad Request: strings must be encoded in UTF-8'
  if (!Array.isArray(entities) || entities.length > 100) return "Bad Request: can't parse entities"
  if (!entities.every((entity) => isEntity(entity, text))) return "Bad Request: can't parse entities"
  for (const { url } of buttonsOf(reply_markup))
    if (!isHttpUrl(url)) return `Bad Request: inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`
  return null
}

/** Within the text, not inside a surrogate pair, and without white space at its ends. */
function isEntity(entity: unknown, text: string): boolean {
  if (!isObject(entity)) return false
  const { type, offset, length, url } = entity as {
    type: string
    offset: number
    length: number
    url?: string
  }
  if (!Number.isInteger(offset) || !Number.isInteger(length) || offset < 0 || length < 1) return false
  const words = text.slice(offset, offset + length)
  if (words.length !== length || !words.isWellFormed()) return false
  return type === 'text_link' ? isHttpUrl(url) : STYLES.includes(type)
}

function isHttpUrl(url: unknown): boolean {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.hostname.includes('.')
}

function buttonsOf(markup: unknown): readonly Json[] {
  return isObject(markup) && Array.isArray(markup.inline_keyboard) ? markup.inline_keyboard.flat() : []
}

/**
 * Wider than Telegram: any domain, any number. Word joiners end a match, and a letter of any script before `/` makes it no command, as in
 * Telegram.
 */
const FOUND_BY_ITSELF = [
  /(?<![\w])@\w{2,}/gu,
  /#[\p{L}\p{N}_]+/gu,
  /\$[A-Za-z]{1,8}/g,
  /(?<![\p{L}\p{N}_/])\/[A-Za-z_]\w*/gu,
  /\w:\/\/\S/gu,
  /[\p{L}\p{N}-]\.[\p{L}]{2,}/gu,
  /[\p{L}\p{N}._+-]@[\p{L}\p{N}]/gu,
  /\d{1,3}(?:\.\d{1,3}){3}/g,
  /\d:\d\d/g,
  /\+\d{5,}/g,
  /(?:\d[ -]?){13,19}/g,
  /\b(?:tg|tel|mailto|javascript):\S/gi,
]

export function seenInTelegram(payload: unknown): Seen {
  const seen = nothingSeen()
  const { text, entities, reply_markup, parse_mode } = payload as {
    text: string
    entities: readonly { type: string; offset: number; length: number; url?: string }[]
    reply_markup?: unknown
    parse_mode?: string
  }
  if (parse_mode !== undefined) seen.mentions.push(parse_mode)
  seen.text = text
  for (const pattern of FOUND_BY_ITSELF)
    for (const [found] of text.matchAll(pattern)) seen.mentions.push(found)
  for (const { type, offset, length, url } of entities) {
    if (type === 'text_link') seen.links.push(String(url))
    else seen.styled.push(text.slice(offset, offset + length))
  }
  for (const { url } of buttonsOf(reply_markup)) seen.links.push(String(url))
  return seen
}
