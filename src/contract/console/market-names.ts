import { lazily } from '../../model/lazily.ts'
import { marketOf } from '../../model/market.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import { UNKNOWN_LANGUAGE_NAMES } from './display-names.ts'

const REGIONS = lazily(() => new Intl.DisplayNames('en', { type: 'region' }))
const LANGUAGES = lazily(() => new Intl.DisplayNames('en', { type: 'language' }))

/** `United States` for `us`. */
export function storefrontName(code: string): string {
  return REGIONS().of(code.toUpperCase()) ?? code
}

/** `Japanese` for `ja`. */
export function languageName(code: string): string {
  return UNKNOWN_LANGUAGE_NAMES[code] ?? LANGUAGES().of(code) ?? code
}

/** The name of a storefront or, for Google Play reviews, of a language. */
export function marketName(store: string, kind: string, market: string): string {
  return store === 'google' && kind === 'reviews' ? languageName(market) : storefrontName(market)
}

/** `English` for `gb`: the reviews of a storefront of Google Play are those in its language. */
export function googleLanguageName(country: Storefront): string {
  return languageName(marketOf('google', 'reviews', country))
}
