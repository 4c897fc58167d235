import { EVENT_TYPE_NAMES, STORE_NAMES } from '../../contract/console/display-names.ts'
import type { RatingDropped, RatingRecovered } from '../../contract/webhook.ts'
import { appOf, codeOf, dateOf, type Facts, placeOf } from './content-parts.ts'
import type { EventContext } from './target.ts'

type RatingEvent = RatingDropped | RatingRecovered

export function dropFacts(event: RatingDropped, context: EventContext): Facts {
  const { before, now, distance } = change(event)
  return {
    heading: headingOf(event, `${before} → ${now}`, context),
    tone: 'bad',
    quote: null,
    summary: null,
    facts: [
      `Fell by ${distance}`,
      ...(event.trigger === 'threshold' && event.threshold !== null ? [`Below ${event.threshold}`] : []),
      countOf(event),
    ],
    origin: originOf(event, context),
  }
}

export function recoveryFacts(event: RatingRecovered, context: EventContext): Facts {
  const { before, now } = change(event)
  const places = now.split('.')[1]?.length ?? 0
  return {
    heading: headingOf(event, `${before} → ${now}`, context),
    tone: 'good',
    quote: null,
    summary: null,
    facts: [
      `${event.rating_before_drop.toFixed(places)} before the drop of ${dateOf(event.dropped_at)}`,
      `Lowest ${event.lowest_rating.toFixed(places)}`,
      countOf(event),
    ],
    origin: originOf(event, context),
  }
}

function headingOf(event: RatingEvent, text: string, { country }: EventContext): string {
  return [`${EVENT_TYPE_NAMES[event.event_type]}: ${text}`, codeOf(country)].filter(Boolean).join(' · ')
}

function countOf({ rating_count }: RatingEvent): string {
  return `${rating_count.toLocaleString('en-US')} ${rating_count === 1 ? 'rating' : 'ratings'}`
}

function originOf(event: RatingEvent, context: EventContext): string[] {
  return [
    appOf(event, context),
    STORE_NAMES[event.store],
    ...(context.country === null ? [] : [placeOf(context.country)]),
    dateOf(event.occurred_at),
  ]
}

/** Stores give averages with up to five decimal places. */
const PLACES_MAX = 5

/** Two decimal places, or as many as are needed to see the change. */
function change(event: RatingEvent) {
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
