import { type Content, contentOf, type Link } from '../content.ts'
import { digestHeading, digestOrigin, fitting, moreNote } from '../digest.ts'
import type { DigestContext, DigestItem, MessageContext, MessageEvent } from '../target.ts'
import { truncated, truncatedEscaped } from '../text.ts'

/**
 * An Adaptive Card. Texts of reviews are only in text runs, where Teams reads no Markdown. It has no line breaks in
 * text runs on every device, so that each paragraph is a block.
 */

/** A message has 28 KB. A character has up to three bytes, or two in an escaped form. */
const QUOTE_CHARS_MAX = 3_500
const PARAGRAPHS_MAX = 20
const LINE_CHARS_MAX = 500

const DIGEST_QUOTE_CHARS_MAX = 200
const DIGEST_ITEMS_MAX = 25
const DIGEST_BYTES_MAX = 22_000

const COLORS = { good: 'good', neutral: 'default', bad: 'attention' } as const
type Run = {
  readonly text: string
  readonly weight?: 'bolder'
  readonly italic?: true
  readonly isSubtle?: true
} & {
  readonly color?: (typeof COLORS)[keyof typeof COLORS]
  readonly selectAction?: object
}

export function teamsMessage(event: MessageEvent, context: MessageContext) {
  const { heading, tone, quote, summary, facts, origin, links } = contentOf(event, context)
  return payload(heading, links, [
    block([{ text: heading, weight: 'bolder', color: COLORS[tone] }], 'none'),
    ...(quote === null ? [] : [quoted(quote)]),
    ...(summary === null ? [] : [block([{ text: `In English: ${summary}`, italic: true }])]),
    ...(facts.length === 0 ? [] : [block([{ text: facts.join(' · ') }])]),
    block([{ text: origin.join(' · '), isSubtle: true }], 'small'),
  ])
}

export function teamsDigest(items: readonly DigestItem[], context: DigestContext) {
  const heading = digestHeading(items)
  const { shown, more } = fitting(items, (item) => digestEntry(contentOf(item.event, item.context)), {
    countMax: DIGEST_ITEMS_MAX,
    sizeMax: DIGEST_BYTES_MAX,
    sizeOf: (entry) => Buffer.byteLength(JSON.stringify(entry)),
  })
  const all = context.consoleUrl === null ? [] : [{ label: 'Open in Review Radar', url: context.consoleUrl }]
  return payload(heading, all, [
    block([{ text: heading, weight: 'bolder' }], 'none'),
    ...shown,
    ...(more > 0 ? [block([{ text: moreNote(more) }], 'medium')] : []),
  ])
}

function digestEntry(content: Content) {
  const { heading, tone, quote, summary, links } = content
  const words = summary ?? quote
  const link = links[0]
  return {
    type: 'Container',
    spacing: 'medium',
    separator: true,
    items: [
      block([{ text: heading, weight: 'bolder', color: COLORS[tone] }], 'none'),
      block([{ text: digestOrigin(content), isSubtle: true }], 'none'),
      ...(words === null
        ? []
        : [block([{ text: truncated(words.replace(/\s+/g, ' '), DIGEST_QUOTE_CHARS_MAX) }], 'none')]),
    ],
    ...(link && { selectAction: openUrl(link) }),
  }
}

function payload(summary: string, links: readonly Link[], body: readonly object[]) {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    msteams: { width: 'Full' },
    fallbackText: literal(summary, LINE_CHARS_MAX),
    body,
    ...(links.length > 0 && { actions: links.map(openUrl) }),
  }
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  }
  return { type: 'message', attachments: [attachment] }
}

function openUrl({ label, url }: Link) {
  return { type: 'Action.OpenUrl', title: label, url }
}

function quoted(quote: string) {
  const paragraphs = truncated(quote, QUOTE_CHARS_MAX).split(/\n+/)
  const lines = [...paragraphs.slice(0, PARAGRAPHS_MAX - 1), paragraphs.slice(PARAGRAPHS_MAX - 1).join(' ')]
  return {
    type: 'Container',
    style: 'emphasis',
    items: lines.filter(Boolean).map((words) => block([{ text: words }], 'small', QUOTE_CHARS_MAX)),
  }
}

function block(runs: readonly Run[], spacing = 'small', charsMax = LINE_CHARS_MAX) {
  return {
    type: 'RichTextBlock',
    spacing,
    inlines: runs.map((run) => ({ type: 'TextRun', ...run, text: literal(run.text, charsMax) })),
  }
}

const WORD_JOINER = '\u2060'

/** `{{DATE(…)}}` formats a date in any text of a card, and `${…}` and `@{…}` are templates. A word joiner breaks them. */
function literal(text: string, charsMax: number): string {
  return truncatedEscaped(text, charsMax, (words) => words.replace(/(?<=[{$@])(?=\{)/g, WORD_JOINER))
}
