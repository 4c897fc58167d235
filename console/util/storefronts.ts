import type { Storefront } from '../../src/model/vocabulary.ts'

const NAMES = new Intl.DisplayNames('en', { type: 'region' })
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

/** `United States` for `us`. */
export function storefrontName(code: Storefront | string): string {
  return NAMES.of(code.toUpperCase()) ?? code
}

/** `Japanese` for `ja`. */
export function languageName(code: string): string {
  return LANGUAGES.of(code) ?? code
}

/** A storefront's or, for Google's reviews, a language's name. */
export function marketName(store: string, kind: string, market: string): string {
  return store === 'google' && kind === 'reviews' ? languageName(market) : storefrontName(market)
}
