import {
  displayName,
  EVENT_TYPE_NAMES,
  SENTIMENT_NAMES,
  STORE_NAMES,
  THEME_NAMES,
} from '../../contract/console/display-names.ts'
import type { ReviewCreated } from '../../contract/webhook.ts'
import { appOf, type Content, dateOf, type Facts, type Link, nameOf, placeOf } from './content-parts.ts'
import { dropFacts, recoveryFacts } from './rating-content.ts'
import { spikeFacts } from './spike-content.ts'
import type { EventContext, MessageEvent } from './target.ts'
import { cleanLine, cleanText, isolated, truncated } from './text.ts'

export type { Content, Link } from './content-parts.ts'

const TEST_MARK = 'Test ·'
const TITLE_CHARS_MAX = 120
const SUMMARY_CHARS_MAX = 300
const THEMES_SHOWN_MAX = 4
const TONES = ['bad', 'bad', 'neutral', 'good', 'good'] as const

export function contentOf(event: MessageEvent, context: EventContext): Content {
  const facts = factsOf(event, context)
  const heading = context.isTest === true ? `${TEST_MARK} ${facts.heading}` : facts.heading
  return { ...facts, heading, links: linksOf(event, context) }
}

function factsOf(event: MessageEvent, context: EventContext): Facts {
  switch (event.event_type) {
    case 'review.created':
      return reviewFacts(event, context)
    case 'rating.dropped':
      return dropFacts(event, context)
    case 'reviews.spiked':
      return spikeFacts(event, context)
    case 'rating.recovered':
      return recoveryFacts(event, context)
    default:
      return otherFacts(event, context)
  }
}

/** An event of a later version: during an upgrade, an older node can send it. */
function otherFacts(
  event: Pick<MessageEvent, 'store' | 'app_id' | 'occurred_at'> & { readonly event_type: string },
  context: EventContext,
): Facts {
  return {
    heading: displayName(EVENT_TYPE_NAMES, event.event_type.replace('.', ' ')),
    tone: 'neutral',
    quote: null,
    summary: null,
    facts: [],
    origin: [appOf(event, context), STORE_NAMES[event.store], dateOf(event.occurred_at)],
  }
}

function reviewFacts(event: ReviewCreated, context: EventContext): Facts {
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
      placeOf(event.country),
      versionOf(event),
      ...(event.author === null ? [] : [nameOf(event.author)]),
      dateOf(event.occurred_at),
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
    ...(other_topic === null ? [] : [nameOf(other_topic)]),
  ].filter(Boolean)
}

/** `Request: Dark mode`; null without visible characters. */
function named(label: string, value: string | null): string | null {
  const shown = nameOf(value ?? '')
  return shown === '' ? null : `${label}: ${shown}`
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
  const version = nameOf(app_version ?? '')
  return version === '' ? '' : `Version ${version}`
}

function stars(rating: number): string {
  return '★'.repeat(rating) + '☆'.repeat(5 - rating)
}
