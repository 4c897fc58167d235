import { type Content, contentOf, type Link } from '../content.ts'
import { digestHeading, digestOrigin, fitting, moreNote } from '../digest.ts'
import type { DigestContext, DigestItem, MessageContext, MessageEvent } from '../target.ts'
import { truncated, truncatedEscaped, unlinked } from '../text.ts'

/**
 * Text with entities instead of a parse mode, so that no text needs escaping. Telegram still finds links, mentions and
 * commands in it by itself; a word joiner breaks those of reviews.
 */

/** A message has 4,096 UTF-16 units. Heading, summary, facts and origin share the rest. */
const QUOTE_CHARS_MAX = 2_400
const LINE_CHARS_MAX = 400
/** Longer quotes are shown folded. */
const OPEN_QUOTE_CHARS_MAX = 600

const DIGEST_QUOTE_CHARS_MAX = 160
const DIGEST_LINE_CHARS_MAX = 200
/** A message has 100 entities; each event has up to three. */
const DIGEST_ITEMS_MAX = 25
const DIGEST_CHARS_MAX = 3_700

type Style = 'bold' | 'italic' | 'blockquote' | 'expandable_blockquote'
type Part = { readonly text: string; readonly style?: Style; readonly url?: string }
/** Offset and length in UTF-16 units, which are those of JavaScript. */
type Entity = { type: Style | 'text_link'; offset: number; length: number; url?: string }

export function telegramMessage(event: MessageEvent, context: MessageContext) {
  const { heading, quote, summary, facts, origin, links } = contentOf(event, context)
  const lines: Part[][] = [
    [{ text: line(heading, LINE_CHARS_MAX), style: 'bold' }],
    ...(quote === null ? [] : [[quoted(quote, QUOTE_CHARS_MAX)]]),
    ...(summary === null ? [] : [[inEnglish(summary)]]),
    ...(facts.length === 0 ? [] : [[{ text: line(facts.join(' · '), LINE_CHARS_MAX) }]]),
    [{ text: line(origin.join(' · '), LINE_CHARS_MAX) }],
  ]
  return { ...joined(lines), ...buttons(links) }
}

export function telegramDigest(items: readonly DigestItem[], context: DigestContext) {
  const { shown, more } = fitting(items, (item) => digestEntry(contentOf(item.event, item.context)), {
    countMax: DIGEST_ITEMS_MAX,
    sizeMax: DIGEST_CHARS_MAX,
    sizeOf: (lines) => joined(lines).text.length + 2,
  })
  const lines: Part[][] = [
    [{ text: digestHeading(items), style: 'bold' }],
    ...shown.flatMap((entry) => [[], ...entry]),
    ...(more > 0 ? [[], [{ text: moreNote(more) }]] : []),
  ]
  const all = context.consoleUrl === null ? [] : [{ label: 'Open in Review Radar', url: context.consoleUrl }]
  return { ...joined(lines), ...buttons(all) }
}

function digestEntry(content: Content): Part[][] {
  const { heading, quote, summary, links } = content
  const words = summary ?? quote
  const url = links.find(isPublic)?.url
  return [
    [{ text: line(heading, DIGEST_LINE_CHARS_MAX), style: 'bold' }],
    [
      { text: line(digestOrigin(content), DIGEST_LINE_CHARS_MAX) },
      ...(url === undefined ? [] : [{ text: ' · ' }, { text: 'Open', url }]),
    ],
    ...(words === null ? [] : [[quoted(words, DIGEST_QUOTE_CHARS_MAX)]]),
  ]
}

function line(text: string, charsMax: number): string {
  return truncatedEscaped(text, charsMax, unlinked)
}

function inEnglish(summary: string): Part {
  return { text: line(`In English: ${summary}`, LINE_CHARS_MAX), style: 'italic' }
}

function quoted(words: string, charsMax: number): Part {
  const style = words.length > OPEN_QUOTE_CHARS_MAX ? 'expandable_blockquote' : 'blockquote'
  return { text: truncatedEscaped(truncated(words, charsMax), charsMax, unlinked), style }
}

function joined(lines: readonly (readonly Part[])[]): { text: string; entities: Entity[] } {
  const entities: Entity[] = []
  let text = ''
  for (const [index, parts] of lines.entries()) {
    if (index > 0) text += '\n'
    for (const part of parts) {
      const place = { offset: text.length, length: part.text.length }
      if (part.style !== undefined) entities.push({ type: part.style, ...place })
      if (part.url !== undefined) entities.push({ type: 'text_link', ...place, url: part.url })
      text += part.text
    }
  }
  return { text, entities }
}

/** Buttons that open a link. */
function buttons(links: readonly Link[]) {
  const row = links.filter(isPublic).map(({ label, url }) => ({ text: label, url }))
  return row.length === 0 ? {} : { reply_markup: { inline_keyboard: [row] } }
}

/** Telegram rejects messages with a link to a host without a dot, such as localhost. */
function isPublic({ url }: Link): boolean {
  return new URL(url).hostname.includes('.')
}
