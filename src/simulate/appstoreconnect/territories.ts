import type { Storefront } from '../../model/vocabulary.ts'

/** Apple's codes of our storefronts. */
export const TERRITORIES: Readonly<Record<Storefront, string>> = {
  us: 'USA',
  gb: 'GBR',
  ca: 'CAN',
  au: 'AUS',
  ie: 'IRL',
  fr: 'FRA',
  de: 'DEU',
  es: 'ESP',
  se: 'SWE',
  br: 'BRA',
  mx: 'MEX',
  jp: 'JPN',
  kr: 'KOR',
  in: 'IND',
  nl: 'NLD',
  it: 'ITA',
}

/** Other territories that a test may use as markets. */
const OTHERS: Readonly<Record<string, string>> = { ch: 'CHE', at: 'AUT', pl: 'POL', xk: 'XKS' }

/** The territory of a market; one without a code here is shown as Switzerland. */
export function territoryOf(market: string): string {
  return (TERRITORIES as Readonly<Record<string, string>>)[market] ?? OTHERS[market] ?? 'CHE'
}

export function isTerritory(code: string): boolean {
  return [...Object.values(TERRITORIES), ...Object.values(OTHERS)].includes(code)
}
