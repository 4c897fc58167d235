import { type FeedKind, STOREFRONTS, type Store, type Storefront } from './vocabulary.ts'

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

/** The market a feed of this kind polls for `storefront`: a language for Google reviews, else the storefront itself. */
export function marketOf(store: Store, kind: FeedKind, storefront: Storefront): string {
  return store === 'google' && kind === 'reviews' ? LANGUAGE_OF[storefront] : storefront
}

/** The storefronts a market serves, in the order of docs/contract.md, Storefronts; empty for a market we do not know. */
export function storefrontsOf(store: Store, kind: FeedKind, market: string): Storefront[] {
  return STOREFRONTS.filter((storefront) => marketOf(store, kind, storefront) === market)
}

/**
 * The private market of reviews that an account imported: stored beside those of the store, and part of no scope but its
 * own. Stores have no market with this character.
 */
export function importMarketOf(market: string, accountId: string): string {
  return `${market}~${accountId}`
}

/** The market that a stored one belongs to, without the account of a private one. */
export function publicMarketOf(market: string): string {
  return market.split('~', 1)[0] ?? market
}

export function isStorefront(value: string): value is Storefront {
  return (STOREFRONTS as readonly string[]).includes(value)
}
