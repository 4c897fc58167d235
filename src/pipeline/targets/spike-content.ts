import { EVENT_TYPE_NAMES, STORE_NAMES } from '../../contract/console/display-names.ts'
import type { ReviewsSpiked } from '../../contract/webhook.ts'
import { lazily } from '../../model/lazily.ts'
import { appOf, codeOf, dateOf, type Facts, placeOf } from './content-parts.ts'
import type { EventContext } from './target.ts'

/** With more storefronts than this, a message has their number. */
const PLACES_NAMED_MAX = 4

export function spikeFacts(event: ReviewsSpiked, context: EventContext): Facts {
  const { review_count: count, usual_count: usual, factor, countries } = event
  const [only = null] = countries.length === 1 ? countries : []
  return {
    heading: [`${EVENT_TYPE_NAMES[event.event_type]}: ${number(count)} in an hour`, codeOf(only)]
      .filter(Boolean)
      .join(' · '),
    tone: 'bad',
    quote: null,
    summary: null,
    facts: [
      usualText(usual),
      ...(factor === null || usual < LEAST_USUAL ? [] : [`${number(factor)} times the usual number`]),
      starsText(event),
    ],
    origin: [
      appOf(event, context),
      STORE_NAMES[event.store],
      ...(countries.length > PLACES_NAMED_MAX
        ? [`${countries.length} storefronts`]
        : countries.map((country) => placeOf(country))),
      `${dateOf(event.window_end)}, ${timeOf(event.window_start)} to ${timeOf(event.window_end)} UTC`,
    ],
  }
}

/** A smaller number has no meaning for people. */
const LEAST_USUAL = 0.05

function usualText(usual: number): string {
  return usual < LEAST_USUAL ? 'Usually almost none' : `Usually ${number(usual)} an hour`
}

/** The stars of the reviews that the event names. */
function starsText({ reviews, review_count }: ReviewsSpiked): string {
  const ones = reviews.filter(({ rating }) => rating === 1).length
  const named = reviews.length < review_count ? `Newest ${reviews.length}` : `${reviews.length} reviews`
  if (ones === reviews.length) return `${named}: 1 star`
  if (ones === 0) return `${named}: 2 stars`
  return `${named}: ${ones} with 1 star, ${reviews.length - ones} with 2 stars`
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 })
}

const timeFormat = lazily(
  () => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
)

function timeOf(instant: string): string {
  return timeFormat().format(new Date(instant))
}
