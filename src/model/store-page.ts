import type { Store } from './vocabulary.ts'

/**
 * The page of a review on Google Play, or of the reviews of the app in the App Store, which has no page per review. Without `reviewId`, the
 * page of the app. `market` is a storefront for the App Store, a language for Google Play; null for the store's default.
 */
export function storePage(of: {
  readonly store: Store
  readonly appId: string
  readonly market: string | null
  readonly reviewId: string | null
}): string {
  const appId = encodeURIComponent(of.appId)
  const { market, reviewId } = of
  if (of.store === 'google') {
    const language = market === null ? '' : `&hl=${market}`
    const review = reviewId === null ? '' : `&reviewId=${encodeURIComponent(reviewId)}`
    return `https://play.google.com/store/apps/details?id=${appId}${language}${review}`
  }
  const storefront = market === null ? '' : `${market}/`
  return `https://apps.apple.com/${storefront}app/id${appId}${reviewId === null ? '' : '?see-all=reviews'}`
}
