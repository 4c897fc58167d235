import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { storefrontName } from '../../../src/contract/console/market-names.ts'
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
    country === undefined ? null : storefrontName(country),
    resolved.kind === 'selected' ? periodOf(resolved.since, resolved.until) : null,
  ]
  return {
    title: isNamed ? `${app} ${version}` : app,
    about: parts.filter((part) => part !== null).join(', '),
  }
}
