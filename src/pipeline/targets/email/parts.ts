import { type Content, contentOf } from '../content.ts'
import { digestHeading, fitting, moreNote } from '../digest.ts'
import { htmlEscape } from '../escapes.ts'
import type { DigestContext, DigestItem, MessageContext, MessageEvent } from '../target.ts'
import { truncated, truncatedEscaped, unlinked } from '../text.ts'
import { type DigestFigures, digestFigures } from './chart/digest-figures.ts'

/** What both forms of a mail show. Texts of reviews have no addresses that mail programs turn into links. */
export type MailParts = {
  readonly subject: string
  /** The heading of a digest; null for one event. */
  readonly heading: string | null
  /** The figures of a digest; null for one event, and for a digest with fewer than two reviews. */
  readonly figures: DigestFigures | null
  readonly entries: readonly Content[]
  /** `and 12 more`; null if all are shown. */
  readonly more: string | null
  /** The page with all events of a digest; null for one event or without a console. */
  readonly allUrl: string | null
}

const SUBJECT_CHARS_MAX = 150
/** Longer than any review of a store. */
const QUOTE_CHARS_MAX = 12_000

const DIGEST_QUOTE_CHARS_MAX = 400
const DIGEST_ITEMS_MAX = 100
/** Gmail cuts mails after some 100 KB. */
const DIGEST_BYTES_MAX = 80_000
/** The markup of an event, about. */
const ENTRY_MARKUP_BYTES = 2_500

export function reviewMail(event: MessageEvent, context: MessageContext): MailParts {
  const content = contentOf(event, context)
  return {
    subject: truncatedEscaped(`${content.heading} · ${content.origin[0]}`, SUBJECT_CHARS_MAX, unlinked),
    heading: null,
    figures: null,
    entries: [safe(content, QUOTE_CHARS_MAX)],
    more: null,
    allUrl: null,
  }
}

export function digestMail(items: readonly DigestItem[], context: DigestContext): MailParts {
  const { shown, more } = fitting(
    items,
    ({ event, context: its }) => safe(contentOf(event, its), DIGEST_QUOTE_CHARS_MAX),
    {
      countMax: DIGEST_ITEMS_MAX,
      sizeMax: DIGEST_BYTES_MAX,
      sizeOf: (entry) => ENTRY_MARKUP_BYTES + Buffer.byteLength(htmlEscape(JSON.stringify(entry))),
    },
  )
  const heading = digestHeading(items)
  return {
    subject: heading,
    heading,
    figures: digestFigures(items),
    entries: shown,
    more: more > 0 ? moreNote(more) : null,
    allUrl: context.consoleUrl,
  }
}

function safe(content: Content, quoteCharsMax: number): Content {
  return {
    ...content,
    heading: unlinked(content.heading),
    quote: content.quote === null ? null : unlinked(truncated(content.quote, quoteCharsMax)),
    summary: content.summary === null ? null : unlinked(content.summary),
    facts: content.facts.map(unlinked),
    origin: content.origin.map(unlinked),
  }
}
