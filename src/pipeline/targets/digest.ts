import type { EventType } from '../../model/vocabulary.ts'
import type { Content } from './content.ts'
import type { DigestItem } from './target.ts'

/** The types of events besides new reviews, with their names for one and for several. */
const COUNTED: readonly (readonly [EventType, string, string])[] = [
  ['reviews.spiked', 'spike of negative reviews', 'spikes of negative reviews'],
  ['rating.dropped', 'rating drop', 'rating drops'],
  ['rating.recovered', 'rating recovery', 'rating recoveries'],
]

/** `3 new reviews, 2.7 stars on average · 1 rating drop`. */
export function digestHeading(items: readonly DigestItem[]): string {
  const ratings = items.flatMap(({ event }) => (event.event_type === 'review.created' ? [event.rating] : []))
  const average = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length
  const reviews =
    ratings.length === 1
      ? `1 new review, ${ratings[0]} ${ratings[0] === 1 ? 'star' : 'stars'}`
      : `${ratings.length.toLocaleString('en-US')} new reviews, ${average.toFixed(1)} stars on average`
  const others = COUNTED.flatMap(([type, one, several]) => {
    const count = items.filter(({ event }) => event.event_type === type).length
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${count === 1 ? one : several}`]
  })
  return [...(ratings.length === 0 ? [] : [reviews]), ...others].join(' · ')
}

/** Renders items until they reach a limit: at most `countMax`, of together at most `sizeMax`. `more` is the number of the others. */
export function fitting<Item, Part>(
  items: readonly Item[],
  render: (item: Item) => Part,
  limits: { readonly countMax: number; readonly sizeMax: number; readonly sizeOf: (part: Part) => number },
): { readonly shown: readonly Part[]; readonly more: number } {
  const shown: Part[] = []
  let size = 0
  for (const item of items) {
    if (shown.length === limits.countMax) break
    const part = render(item)
    size += limits.sizeOf(part)
    if (size > limits.sizeMax) break
    shown.push(part)
  }
  return { shown, more: items.length - shown.length }
}

/** `and 12 more`. */
export function moreNote(more: number): string {
  return `and ${more.toLocaleString('en-US')} more`
}

/** App, store and storefront. */
export function digestOrigin({ origin }: Content): string {
  return origin.slice(0, 3).join(' · ')
}
