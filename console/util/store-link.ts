import type { Store } from '../../src/model/vocabulary.ts'

/** The review's page on Google Play, or the app's reviews in the App Store, which has no page per review. */
export function storeLink(review: {
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly reviewId: string
}): string {
  const appId = encodeURIComponent(review.appId)
  if (review.store === 'google') {
    const reviewId = encodeURIComponent(review.reviewId)
    return `https://play.google.com/store/apps/details?id=${appId}&hl=${review.market}&reviewId=${reviewId}`
  }
  return `https://apps.apple.com/${review.market}/app/id${appId}?see-all=reviews`
}
