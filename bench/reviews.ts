import { contentHashOf, fingerprintOf, type Review } from '../src/model/review.ts'
import type { Store } from '../src/model/vocabulary.ts'

/** The length of a typical review, whose event has about 1,100 bytes. */
const BODY =
  'I have used this every day for two years and it was great, but since the last update it closes whenever I open ' +
  'a second list, and what I had written is gone. Please bring the old editor back, or at least tell us when it is fixed.'

/** A synthetic review; the same number gives the same review. Its text has at least `bodyCharsMin` characters. */
export function reviewOf(
  place: { readonly store: Store; readonly appId: string; readonly market: string },
  number: number,
  at: Date,
  bodyCharsMin = 0,
): Review {
  const body = BODY.padEnd(bodyCharsMin, ` ${BODY}`)
  const reviewId = `bench-${place.market}-${number}`
  const title = `Review number ${number}`
  return {
    ...place,
    reviewId,
    rating: 1 + (number % 5),
    title,
    body,
    author: `Person ${number % 1000}`,
    appVersion: '4.2.0',
    shownAt: at,
    edited: null,
    fingerprint: fingerprintOf(place.store, place.appId, reviewId),
    contentHash: contentHashOf(title, body),
    occurredAt: at,
    observedAt: at,
  }
}
