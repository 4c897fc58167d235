import { STORE_NAMES } from '../../../contract/console/display-names.ts'
import { contentOf } from '../content.ts'
import { digestHeading, fitting, moreNote } from '../digest.ts'
import type { DigestContext, DigestItem, EventContext, MessageEvent } from '../target.ts'
import { truncated, truncatedToBytes } from '../text.ts'

/** What a template can name. `event` is the event as webhooks get it, null in a digest. */
export type TemplateData = {
  /** One line: stars and title, or the change of a rating. */
  readonly title: string
  /** The whole message as text in lines. */
  readonly text: string
  readonly quote: string
  /** The English summary of a review in another language. */
  readonly summary: string
  readonly facts: string
  readonly origin: string
  /** `success`, `info` or `failure`. */
  readonly level: string
  readonly app_name: string
  readonly store_name: string
  readonly country: string
  readonly console_url: string
  readonly store_url: string
  /** The number of events in the message. */
  readonly count: number
  readonly event: MessageEvent | null
}

/** The names besides the fields of `event`. */
export const TEMPLATE_NAMES = [
  'title',
  'text',
  'quote',
  'summary',
  'facts',
  'origin',
  'level',
  'app_name',
  'store_name',
  'country',
  'console_url',
  'store_url',
  'count',
  'event',
] as const satisfies readonly (keyof TemplateData)[]

const LEVELS = { good: 'success', neutral: 'info', bad: 'failure' } as const
/** ntfy accepts messages of 4,096 bytes, in JSON of 8,192; escapes double a text at most. */
const TEXT_BYTES_MAX = 3_000
const DIGEST_QUOTE_CHARS_MAX = 120
const DIGEST_ITEMS_MAX = 50
/** Of the line about the rest. */
const MORE_BYTES = 30

export function dataOf(event: MessageEvent, context: EventContext): TemplateData {
  const { heading, tone, quote, summary, facts, origin } = contentOf(event, context)
  const lines = [summary === null ? null : `In English: ${summary}`, facts.join(' · '), origin.join(' · ')]
  const text = [quote, lines.filter(Boolean).join('\n')].filter(Boolean).join('\n\n')
  return {
    title: heading,
    text: truncatedToBytes(text, TEXT_BYTES_MAX),
    quote: quote ?? '',
    summary: summary ?? '',
    facts: facts.join(' · '),
    origin: origin.join(' · '),
    level: LEVELS[tone],
    app_name: context.appName ?? event.app_id,
    store_name: STORE_NAMES[event.store],
    country: event.event_type === 'review.created' ? event.country : (context.country ?? ''),
    console_url: context.consoleUrl ?? '',
    store_url: context.storeUrl ?? '',
    count: 1,
    event,
  }
}

export function digestDataOf(items: readonly DigestItem[], context: DigestContext): TemplateData {
  const { shown, more } = fitting(items, ({ event, context: its }) => digestLine(event, its), {
    countMax: DIGEST_ITEMS_MAX,
    sizeMax: TEXT_BYTES_MAX - MORE_BYTES,
    sizeOf: (line) => Buffer.byteLength(line) + 1,
  })
  return {
    title: digestHeading(items),
    text: [...shown, ...(more > 0 ? [moreNote(more)] : [])].join('\n'),
    quote: '',
    summary: '',
    facts: '',
    origin: '',
    level: LEVELS.neutral,
    app_name: '',
    store_name: '',
    country: '',
    console_url: context.consoleUrl ?? '',
    store_url: '',
    count: items.length,
    event: null,
  }
}

function digestLine(event: MessageEvent, context: EventContext): string {
  const { heading, quote, summary, origin } = contentOf(event, context)
  const words = summary ?? quote?.replace(/\s+/g, ' ') ?? ''
  return [heading, origin[0], truncated(words, DIGEST_QUOTE_CHARS_MAX)].filter(Boolean).join(' · ')
}
