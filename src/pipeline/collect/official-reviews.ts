import { isStorefront, marketOf, privateMarketOf, UNKNOWN_MARKET } from '../../model/market.ts'
import { contentHashOf, fingerprintOf } from '../../model/review.ts'
import { officialFingerprintOf } from '../../model/review-source.ts'
import type { LeasedSource, OfficialReview } from '../../storage/port/review-sources.ts'
import type * as official from '../appstores/official.ts'

/** The stored form of a review of an official source: private, in the market that the public pages have it in. */
export function officialReviewOf(
  { accountId, store, appId }: Pick<LeasedSource, 'accountId' | 'store' | 'appId'>,
  shown: official.OfficialReview,
  observedAt: Date,
): OfficialReview {
  const { reviewId, rating, title, body, author, appVersion, shownAt, edited, submittedAt } = shown
  const market = publicMarketOf(store, shown)
  return {
    review: {
      reviewId,
      rating,
      title,
      body,
      author,
      appVersion,
      shownAt,
      edited,
      store,
      appId,
      market: privateMarketOf(market, accountId),
      fingerprint: officialFingerprintOf(accountId, store, appId, reviewId),
      contentHash: contentHashOf(title, body),
      occurredAt: submittedAt ?? shownAt,
      observedAt,
    },
    replyText: shown.reply?.state === 'published' ? shown.reply.text : null,
    publicFingerprints: shown.publicReviewIds.map((id) => fingerprintOf(store, appId, id)),
  }
}

/** Apple names the storefront. Google has only the language of the device, which decides the market of its public reviews too. */
function publicMarketOf(store: LeasedSource['store'], shown: official.OfficialReview): string {
  if (store === 'google') return shown.language?.split('-', 1)[0]?.toLowerCase() ?? UNKNOWN_MARKET
  const { storefront, territory } = shown
  if (storefront === null) return territory?.toLowerCase() ?? UNKNOWN_MARKET
  return isStorefront(storefront) ? marketOf(store, 'reviews', storefront) : storefront
}
