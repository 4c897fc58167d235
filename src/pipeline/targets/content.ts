import {
  displayName,
  EVENT_TYPE_NAMES,
  SENTIMENT_NAMES,
  STORE_NAMES,
  THEME_NAMES,
} from '../../contract/console/display-names.ts'
import type { RatingDropped, ReviewCreated } from '../../contract/webhook.ts'
import type { EventContext, MessageEvent } from './target.ts'
import { cleanLine, cleanText, isolated, truncated } from './text.ts'

/** What every type of message shows. Texts are clean but not escaped. */
export type Content = {
  /** `★★☆☆☆ Great until the last update` or `Rating drop: 4.32 → 4.10`. */
  readonly heading: string
  readonly tone: 'good' | 'neutral' | 'bad'
  /** The words of the review; null without any, and for a rating drop. */
  readonly quote: string | null
  /** The English summary of a review in another language. */
  readonly summary: string | null
  /** Facts in the order of their importance: sentiment, bug, request, themes; or count and rule of a drop. */
  readonly facts: readonly string[]
  /** App, store, storefront, version, author, date. */
  readonly origin: readonly string[]
  readonly links: readonly Link[]
}

export type Link = { readonly label: string; readonly url: string }

const TITLE_CHARS_MAX = 120
const NAME_CHARS_MAX = 60
const SUMMARY_CHARS_MAX = 300
const THEMES_SHOWN_MAX = 4
const TONES = ['bad', 'bad', 'neutral', 'good', 'good'] as const

export function contentOf(event: MessageEvent, context: EventContext): Content {
  return { ...factsOf(event, context), links: linksOf(event, context) }
}

function factsOf(event: MessageEvent, context: EventContext): Omit<Content, 'links'> {
  if (event.event_type === 'review.created') return reviewContent(event, context)
  if (event.event_type === 'rating.dropped') return dropContent(event, context)
  return otherContent(event, context)
}

/** An event of a later version: during an upgrade, an older node can send it. */
function otherContent(event: RatingDropped, context: EventContext): Omit<Content, 'links'> {
  return {
    heading: displayName(EVENT_TYPE_NAMES, event.event_type.replace('.', ' ')),
    tone: 'neutral',
    quote: null,
    summary: null,
    facts: [],
    origin: [appOf(event, context), STORE_NAMES[event.store], date(event.occurred_at)],
  }
}

function reviewContent(event: ReviewCreated, context: EventContext): Omit<Content, 'links'> {
  const { enrichment } = event
  const title = event.title === null ? '' : cleanLine(event.title)
  const quote = cleanText(event.body)
  const isForeign = enrichment !== null && enrichment.language !== 'en'
  return {
    heading: [stars(event.rating), isolated(truncated(title, TITLE_CHARS_MAX))].filter(Boolean).join(' '),
    tone: TONES[event.rating - 1] ?? 'neutral',
    quote: quote === '' ? null : quote,
    summary: isForeign ? truncated(cleanLine(enrichment.summary_en), SUMMARY_CHARS_MAX) || null : null,
    facts: enrichment === null ? [] : enrichmentFacts(enrichment),
    origin: [
      appOf(event, context),
      STORE_NAMES[event.store],
      place(event.country),
      versionOf(event),
      ...(event.author === null ? [] : [name(event.author)]),
      date(event.occurred_at),
    ].filter(Boolean),
  }
}

function enrichmentFacts(enrichment: NonNullable<ReviewCreated['enrichment']>): string[] {
  const themes = enrichment.themes.filter((theme) => theme !== 'other')
  const { other_topic, feature_phrase, competitor_named } = enrichment
  return [
    SENTIMENT_NAMES[enrichment.sentiment],
    // Reviews without a bug have a severity too, for example when a user leaves because of the price.
    ...(enrichment.is_bug_report ? [`Bug, ${enrichment.severity} severity`] : []),
    ...(!enrichment.is_bug_report && enrichment.severity === 'high' ? ['High severity'] : []),
    ...(enrichment.is_feature_request ? [named('Request', feature_phrase) ?? 'Feature request'] : []),
    ...(enrichment.mentions_competitor
      ? [named('Competitor', competitor_named) ?? 'Mentions a competitor']
      : []),
    ...themes.slice(0, THEMES_SHOWN_MAX).map((theme) => displayName(THEME_NAMES, theme)),
    ...(other_topic === null ? [] : [name(other_topic)]),
  ].filter(Boolean)
}

/** `Request: Dark mode`; null without visible characters. */
function named(label: string, value: string | null): string | null {
  const shown = name(value ?? '')
  return shown === '' ? null : `${label}: ${shown}`
}

function dropContent(event: RatingDropped, context: EventContext): Omit<Content, 'links'> {
  const { before, now, distance } = change(event)
  return {
    heading: [`${EVENT_TYPE_NAMES[event.event_type]}: ${before} → ${now}`, code(context.country)]
      .filter(Boolean)
      .join(' · '),
    tone: 'bad',
    quote: null,
    summary: null,
    facts: [
      `Fell by ${distance}`,
      ...(event.trigger === 'threshold' && event.threshold !== null ? [`Below ${event.threshold}`] : []),
      `${event.rating_count.toLocaleString('en-US')} ${event.rating_count === 1 ? 'rating' : 'ratings'}`,
    ],
    origin: [
      appOf(event, context),
      STORE_NAMES[event.store],
      ...(context.country === null ? [] : [place(context.country)]),
      date(event.occurred_at),
    ],
  }
}

/** Stores give averages with up to five decimal places. */
const PLACES_MAX = 5

/** Two decimal places, or as many as are needed to see the drop. */
function change(event: RatingDropped) {
  const fallen = Math.abs(event.delta)
  let places = 2
  while (
    places < PLACES_MAX &&
    (event.previous_rating.toFixed(places) === event.current_rating.toFixed(places) ||
      Number(fallen.toFixed(places)) === 0)
  )
    places += 1
  return {
    before: event.previous_rating.toFixed(places),
    now: event.current_rating.toFixed(places),
    distance: fallen.toFixed(places),
  }
}

function linksOf(event: MessageEvent, { consoleUrl, storeUrl }: EventContext): Link[] {
  return [
    ...(consoleUrl === null ? [] : [{ label: 'Open in Review Radar', url: consoleUrl }]),
    ...(storeUrl === null ? [] : [{ label: `Open in ${storeInSentence(event.store)}`, url: storeUrl }]),
  ]
}

function storeInSentence(store: MessageEvent['store']): string {
  return store === 'apple' ? 'the App Store' : 'Google Play'
}

function versionOf({ app_version }: ReviewCreated): string {
  const version = name(app_version ?? '')
  return version === '' ? '' : `Version ${version}`
}

function appOf(event: MessageEvent, context: EventContext): string {
  return name(context.appName ?? '') || name(event.app_id)
}

function name(text: string): string {
  return isolated(truncated(cleanLine(text), NAME_CHARS_MAX))
}

function stars(rating: number): string {
  return '★'.repeat(rating) + '☆'.repeat(5 - rating)
}

function code(country: string | null): string {
  return country === null ? '' : country.toUpperCase()
}

const REGIONAL_INDICATOR_A = 0x1f1e6

/** `🇺🇸 US`. Systems without flags show the letters twice. */
function place(country: string): string {
  const letters = [...code(country)].map((letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 65)
  return `${String.fromCodePoint(...letters)} ${code(country)}`
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

function date(instant: string): string {
  return DATE.format(new Date(instant))
}
