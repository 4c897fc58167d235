import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { googleLanguageName, storefrontName } from '../../../src/contract/console/market-names.ts'
import type { Storefront } from '../../../src/model/vocabulary.ts'
import { compareTexts } from '../../messages/compare.ts'
import {
  type Column,
  type Listing,
  NEWEST_VERSION,
  type Resolved,
  VERSION_BEFORE,
} from '../../util/comparison.ts'
import { periodOf } from '../../util/time.ts'

/** "Larkspur Notes 2.0", and what else the column selects: "App Store, Germany, 1 – 22 Nov 2026". */
export function columnName(
  { listings, version, country }: Column,
  resolved: Resolved,
  nameOf: (listing: Listing) => string,
): { readonly title: string; readonly about: string } {
  const [first] = listings
  const app = first === undefined ? compareTexts.allApps : nameOf(first)
  const isNamed = version !== undefined && version !== NEWEST_VERSION && version !== VERSION_BEFORE
  const stores =
    first === undefined ? null : listings.length > 1 ? compareTexts.bothStores : STORE_NAMES[first.store]
  const parts = [
    stores,
    country === undefined ? null : marketNameOf(listings, country),
    resolved.kind === 'selected' ? periodOf(resolved.since, resolved.until) : null,
  ]
  return {
    title: isNamed ? `${app} ${version}` : app,
    about: parts.filter((part) => part !== null).join(', '),
  }
}

/** Of Google Play, with the language: its storefronts of one language have the same reviews. */
export function marketNameOf(listings: readonly Listing[], country: Storefront): string {
  const isGoogle = listings.length > 0 && listings.every(({ store }) => store === 'google')
  const name = storefrontName(country)
  return isGoogle ? compareTexts.inLanguage(name, googleLanguageName(country)) : name
}
