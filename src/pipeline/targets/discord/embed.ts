import { type Content, contentOf, type Link } from '../content.ts'
import { digestHeading, digestOrigin, fitting, moreNote } from '../digest.ts'
import type { DigestContext, DigestItem, MessageContext, MessageEvent } from '../target.ts'
import { truncated, truncatedEscaped } from '../text.ts'

/**
 * One embed. Discord reads Markdown in the description, where every punctuation mark can be escaped, and none in the footer. Titles are not
 * used: clients differ in whether they read Markdown there. All texts of an embed have 6,000 characters together.
 */

const DESCRIPTION_CHARS_MAX = 4_096
const FOOTER_CHARS_MAX = 1_000
const HEADING_CHARS_MAX = 300
const QUOTE_CHARS_MAX = 2_400
const SUMMARY_CHARS_MAX = 500
const FACTS_CHARS_MAX = 500

const DIGEST_QUOTE_CHARS_MAX = 200
const DIGEST_LINE_CHARS_MAX = 250
const DIGEST_ITEMS_MAX = 25
/** Leaves room for the heading and the line about the rest. */
const DIGEST_CHARS_MAX = 3_500

const COLORS = { good: 0x2b9a66, neutral: 0xd9a514, bad: 0xd13f3f } as const

export function discordMessage(event: MessageEvent, context: MessageContext) {
  const { heading, tone, quote, summary, facts, origin, links } = contentOf(event, context)
  const parts = [
    [bold(heading, HEADING_CHARS_MAX), ...(quote === null ? [] : [quoted(quote, QUOTE_CHARS_MAX)])].join(
      '\n',
    ),
    summary === null ? '' : `*In English: ${truncatedEscaped(summary, SUMMARY_CHARS_MAX, escaped)}*`,
    truncatedEscaped(facts.join(' · '), FACTS_CHARS_MAX, escaped),
    links.map(masked).join(' · '),
  ]
  return payload({
    description: fittingParts(parts.filter(Boolean)),
    color: COLORS[tone],
    footer: { text: truncated(origin.join(' · '), FOOTER_CHARS_MAX) },
  })
}

/** Long links are dropped, not truncated. */
function fittingParts(parts: readonly string[]): string {
  const { shown } = fitting(parts, (part) => part, {
    countMax: parts.length,
    sizeMax: DESCRIPTION_CHARS_MAX,
    sizeOf: (part) => part.length + 2,
  })
  return shown.join('\n\n')
}

export function discordDigest(items: readonly DigestItem[], context: DigestContext) {
  const { shown, more } = fitting(items, (item) => digestEntry(contentOf(item.event, item.context)), {
    countMax: DIGEST_ITEMS_MAX,
    sizeMax: DIGEST_CHARS_MAX,
    sizeOf: (entry) => entry.length + 2,
  })
  const all =
    context.consoleUrl === null ? '' : masked({ label: 'Open in Review Radar', url: context.consoleUrl })
  const rest = [more > 0 ? moreNote(more) : '', all].filter(Boolean).join(' · ')
  return payload({
    description: fittingParts([`**${digestHeading(items)}**`, ...shown, rest].filter(Boolean)),
    color: COLORS.neutral,
  })
}

function digestEntry(content: Content): string {
  const { heading, quote, summary, links } = content
  const words = summary ?? quote
  const where = [
    truncatedEscaped(digestOrigin(content), DIGEST_LINE_CHARS_MAX, escaped),
    ...links.slice(0, 1).map(open),
  ]
  return [
    bold(heading, DIGEST_LINE_CHARS_MAX),
    where.join(' · '),
    ...(words === null ? [] : [quoted(words, DIGEST_QUOTE_CHARS_MAX)]),
  ].join('\n')
}

/** Nobody is notified, whatever the texts contain. */
function payload(embed: object) {
  return { embeds: [embed], allowed_mentions: { parse: [] } }
}

function bold(words: string, charsMax: number): string {
  return `**${truncatedEscaped(words, charsMax, escaped)}**`
}

function quoted(words: string, charsMax: number): string {
  return truncatedEscaped(words, charsMax, (text) => `> ${escaped(text).replaceAll('\n', '\n> ')}`)
}

function masked({ label, url }: Link): string {
  return `[${escaped(label)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

function open({ url }: Link): string {
  return masked({ label: 'Open', url })
}

/** A backslash makes any punctuation mark literal. Only those that can begin markup get one, because each counts. */
function escaped(words: string): string {
  return words.replace(/[\\*_~`|<>#[\]()@:+-]|(?<=^[ \t]*\d{1,9})\./gm, '\\$&')
}
