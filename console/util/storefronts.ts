import { UNKNOWN_LANGUAGE_NAMES } from '../../src/contract/console/display-names.ts'

const REGIONS = new Intl.DisplayNames('en', { type: 'region' })
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

/** `United States` for `us`. */
export function storefrontName(code: string): string {
  return REGIONS.of(code.toUpperCase()) ?? code
}

/** `Japanese` for `ja`. */
export function languageName(code: string): string {
  return UNKNOWN_LANGUAGE_NAMES[code] ?? LANGUAGES.of(code) ?? code
}

/** Every language with a code of two letters, by name. A function, because it takes tens of milliseconds that no page load should. */
export function languageOptions(): { readonly value: string; readonly label: string }[] {
  const known = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const options = letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = known.of(value)
      // Old codes have the name of the present one.
      const isPresent = Intl.getCanonicalLocales(value)[0] === value
      return label === undefined || !isPresent ? [] : [{ value, label }]
    })
  return options.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** The name of a storefront or, for Google Play reviews, of a language. */
export function marketName(store: string, kind: string, market: string): string {
  return store === 'google' && kind === 'reviews' ? languageName(market) : storefrontName(market)
}
