import { shownAtOf, type WorldReview } from '../world.ts'

/** The position of the next page: after one review, so that new reviews do not shift it. Opaque to clients. */
export type Place = {
  readonly page: number
  readonly after: { readonly id: string; readonly at: number } | null
}

export function writeToken(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Null for an invalid token. */
export function readToken(token: string): Place | null {
  try {
    const { page, after } = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (!Number.isSafeInteger(page)) return null
    if (after === null) return { page, after }
    return typeof after.id === 'string' && Number.isSafeInteger(after.at)
      ? { page, after: { id: after.id, at: after.at } }
      : null
  } catch {
    return null
  }
}

export function placeAfter(review: WorldReview, page: number): Place {
  return { page, after: { id: review.id, at: shownAtOf(review).getTime() } }
}

/**
 * Index of the first review after `place`. If an edit moved that review to the top, the page starts at its old time. Then a review with the
 * same time may be shown twice, but none is skipped.
 */
export function indexOf(reviews: readonly WorldReview[], place: Place): number {
  const { after } = place
  if (after === null) return 0
  const same = reviews.findIndex(
    (review) => review.id === after.id && shownAtOf(review).getTime() === after.at,
  )
  if (same >= 0) return same + 1
  const older = reviews.findIndex((review) => shownAtOf(review).getTime() <= after.at)
  return older < 0 ? reviews.length : older
}
