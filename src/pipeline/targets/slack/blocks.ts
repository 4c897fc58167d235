import { type Content, contentOf, type Link } from '../content.ts'
import { digestHeading, digestOrigin, fitting, moreNote } from '../digest.ts'
import type { DigestContext, DigestItem, MessageContext, MessageEvent } from '../target.ts'
import { truncated } from '../text.ts'

/**
 * The payload of an incoming webhook. Review texts are only in `text` elements of rich text, which Slack shows as they
 * are, and, escaped, in plain text. Nothing uses mrkdwn, which has no escape for `*`, `_` and backticks. Links are
 * text, because a click on a button makes Slack call the app of the webhook and show a warning without an answer.
 */

/** A section has 3,000 characters; rich text has no documented limit, so the same one. The rest is for heading and summary. */
const QUOTE_CHARS_MAX = 2_400
const CONTEXT_CHARS_MAX = 1_000
const FALLBACK_CHARS_MAX = 300

const DIGEST_QUOTE_CHARS_MAX = 200
/** A message has 50 blocks; one for the heading and one for the rest. */
const DIGEST_ITEMS_MAX = 40
/** Of JSON. Slack rejects messages with about 12,000 characters in their blocks; it does not document how it counts. */
const DIGEST_CHARS_MAX = 9_000

type Style = { readonly bold?: true; readonly italic?: true }

export function slackMessage(event: MessageEvent, context: MessageContext) {
  const content = contentOf(event, context)
  const { heading, quote, summary, facts, origin, links } = content
  return payload(fallbackOf(content), [
    richText([
      section([text(heading, { bold: true })]),
      ...(quote === null ? [] : [quoted([text(truncated(quote, QUOTE_CHARS_MAX))])]),
      ...(summary === null ? [] : [section([text(`In English: ${summary}`, { italic: true })])]),
      ...(facts.length === 0 ? [] : [section([text(facts.join(' · '))])]),
    ]),
    smallText(origin.join(' · ')),
    ...(links.length === 0 ? [] : [richText([section(linkElements(links))])]),
  ])
}

export function slackDigest(items: readonly DigestItem[], context: DigestContext) {
  const heading = digestHeading(items)
  const { shown, more } = fitting(items, (item) => digestEntry(contentOf(item.event, item.context)), {
    countMax: DIGEST_ITEMS_MAX,
    sizeMax: DIGEST_CHARS_MAX,
    sizeOf: (entry) => JSON.stringify(entry).length,
  })
  const allLink =
    context.consoleUrl === null ? [] : [link({ label: 'Open in Review Radar', url: context.consoleUrl })]
  return payload(escaped(heading), [
    richText([section([text(heading, { bold: true })])]),
    ...shown,
    ...(more > 0 || allLink.length > 0
      ? [
          richText([
            section([
              ...(more > 0 ? [text(moreNote(more))] : []),
              ...(more > 0 && allLink.length > 0 ? [text(' · ')] : []),
              ...allLink,
            ]),
          ]),
        ]
      : []),
  ])
}

function digestEntry(content: Content) {
  const { heading, quote, summary, links } = content
  const words = summary ?? quote
  return richText([
    section([
      text(heading, { bold: true }),
      text(`\n${digestOrigin(content)}`),
      ...links.slice(0, 1).flatMap((each) => [text(' · '), link({ ...each, label: 'Open' })]),
    ]),
    ...(words === null ? [] : [quoted([text(truncated(words, DIGEST_QUOTE_CHARS_MAX))])]),
  ])
}

/** `text` is for notifications and screen readers. Without `mrkdwn`, Slack reads only `<…>` and entities in it. */
function payload(fallback: string, blocks: readonly object[]) {
  return { text: fallback, mrkdwn: false, unfurl_links: false, unfurl_media: false, blocks }
}

function fallbackOf({ heading, origin }: Content): string {
  return escaped(truncated(`${heading} · ${origin.slice(0, 3).join(' · ')}`, FALLBACK_CHARS_MAX))
}

function richText(elements: readonly object[]) {
  return { type: 'rich_text', elements }
}

function section(elements: readonly object[]) {
  return { type: 'rich_text_section', elements }
}

function quoted(elements: readonly object[]) {
  return { type: 'rich_text_quote', elements }
}

function text(words: string, style?: Style) {
  return { type: 'text', text: words, ...(style && { style }) }
}

function link({ label, url }: Link) {
  return { type: 'link', url, text: label }
}

function linkElements(links: readonly Link[]): object[] {
  return links.flatMap((each, index) => [...(index === 0 ? [] : [text('  ·  ')]), link(each)])
}

function smallText(words: string) {
  const plain = { type: 'plain_text', text: escaped(truncated(words, CONTEXT_CHARS_MAX)), emoji: false }
  return { type: 'context', elements: [plain] }
}

/** Slack decodes these three entities in texts, and reads `<…>` as markup. */
function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
