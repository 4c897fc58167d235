import { type EventType, type FeedKind, STOREFRONTS, type Store, type Storefront } from './vocabulary.ts'

/** Google shows reviews by language and ignores the country (docs/contract.md, Storefronts). */
const LANGUAGE_OF: Record<Storefront, string> = {
  us: 'en',
  gb: 'en',
  ca: 'en',
  au: 'en',
  ie: 'en',
  in: 'en',
  fr: 'fr',
  de: 'de',
  es: 'es',
  mx: 'es',
  se: 'sv',
  br: 'pt',
  jp: 'ja',
  kr: 'ko',
  nl: 'nl',
  it: 'it',
}

/** The feeds that show occurrences of an event type. */
export function feedKindOf(eventType: EventType): FeedKind {
  return eventType === 'review.created' || eventType === 'reviews.spiked' ? 'reviews' : 'rating'
}

/** The market a feed of this kind polls for `storefront`: a language for Google reviews, else the storefront itself. */
export function marketOf(store: Store, kind: FeedKind, storefront: Storefront): string {
  return store === 'google' && kind === 'reviews' ? LANGUAGE_OF[storefront] : storefront
}

/** The storefronts of a market, in the order of docs/contract.md, Storefronts; empty for an unknown market. */
export function storefrontsOf(store: Store, kind: FeedKind, market: string): Storefront[] {
  return STOREFRONTS.filter((storefront) => marketOf(store, kind, storefront) === market)
}

/** The market of a review from a storefront or language that no public feed has, and its country in an event. ISO 3166 leaves `ZZ` free. */
export const UNKNOWN_MARKET = 'zz'

/**
 * The private market of reviews that an account imported or gets by its own credentials. Only that account reads it. Markets of stores
 * never contain this character.
 */
export function privateMarketOf(market: string, accountId: string): string {
  return `${market}~${accountId}`
}

/** The market of a stored one, without the account of a private market. */
export function publicMarketOf(market: string): string {
  return market.split('~', 1)[0] ?? market
}

/** The account of a private market; null for a market of a store. */
export function ownerOf(market: string): string | null {
  return market.split('~', 2)[1] ?? null
}

export function isStorefront(value: string): value is Storefront {
  return (STOREFRONTS as readonly string[]).includes(value)
}
