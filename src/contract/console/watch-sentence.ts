import type { EventType, Storefront } from '../../model/vocabulary.ts'

/** What of a watch its sentence tells. */
export type SentenceOf = {
  readonly eventType: EventType
  /** As people call the app; its id when nothing else is known. */
  readonly appName: string
  readonly storefront?: Storefront | null | undefined
  /** For a watch without one: those the account watches for the app. */
  readonly storefronts: readonly Storefront[]
  readonly minStars: number
  readonly maxStars: number
  readonly delta?: number | null | undefined
  readonly threshold?: number | null | undefined
  readonly rules?: SentenceRules | null | undefined
}
export type SentenceRules = {
  readonly languages?: readonly string[] | undefined
  readonly sentiments?: readonly string[] | undefined
  readonly themes?: readonly string[] | undefined
  readonly severities?: readonly string[] | undefined
  readonly isBugReport?: boolean | undefined
  readonly isFeatureRequest?: boolean | undefined
}

/** What a watch will send, in words: "New reviews with 1 to 3 stars of Foo in Germany and France." */
export function watchSentence(watch: SentenceOf): string {
  const where = placesOf(watch)
  if (watch.eventType === 'rating.dropped')
    return `When the rating of ${watch.appName}${where} ${fallsOf(watch)}.`
  return `New reviews${starsOf(watch)} of ${watch.appName}${where}${rulesOf(watch.rules ?? {})}.`
}

function starsOf({ minStars, maxStars }: SentenceOf): string {
  if (minStars === 1 && maxStars === 5) return ''
  if (minStars === maxStars) return ` with ${minStars} ${minStars === 1 ? 'star' : 'stars'}`
  return ` with ${minStars} to ${maxStars} stars`
}

function fallsOf({ delta, threshold }: SentenceOf): string {
  const ways: string[] = []
  if (delta != null) ways.push(delta === 0 ? 'falls at all' : `falls by ${delta} or more`)
  if (threshold != null) ways.push(`falls below ${threshold}`)
  return listed(ways, 'or') || 'falls'
}

/** More than these are counted rather than named. */
const PLACES_NAMED_MAX = 4

function placesOf({ storefront, storefronts }: SentenceOf): string {
  const places = storefront ? [storefront] : storefronts
  if (places.length === 0) return ''
  if (places.length > PLACES_NAMED_MAX) return ` in all ${places.length} storefronts you follow`
  return ` in ${listed(
    places.map((place) => NAMES[place]),
    'and',
  )}`
}

function rulesOf(rules: SentenceRules): string {
  const parts: string[] = []
  const add = (list: readonly string[] | undefined, words: (names: string) => string) => {
    if (list !== undefined && list.length > 0) parts.push(words(listed(list.map(named), 'or')))
  }
  add(rules.languages, (names) => `written in ${names}`)
  add(rules.sentiments, (names) => `that are ${names}`)
  add(rules.severities, (names) => `of ${names} severity`)
  add(rules.themes, (names) => `about ${names}`)
  if (rules.isBugReport !== undefined)
    parts.push(`that ${rules.isBugReport ? 'report' : 'do not report'} a bug`)
  if (rules.isFeatureRequest !== undefined) {
    parts.push(`that ${rules.isFeatureRequest ? 'ask' : 'do not ask'} for a feature`)
  }
  return parts.map((part) => `, ${part}`).join('')
}

/** `stability_crash` as `stability crash`, `de` as `German`. */
function named(word: string): string {
  return LANGUAGES[word] ?? word.replaceAll('_', ' ')
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  const [only = '', ...more] = words
  if (more.length === 0) return only
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

const NAMES: Readonly<Record<Storefront, string>> = {
  us: 'the United States',
  gb: 'the United Kingdom',
  ca: 'Canada',
  au: 'Australia',
  ie: 'Ireland',
  fr: 'France',
  de: 'Germany',
  es: 'Spain',
  se: 'Sweden',
  br: 'Brazil',
  mx: 'Mexico',
  jp: 'Japan',
  kr: 'South Korea',
  in: 'India',
  nl: 'the Netherlands',
  it: 'Italy',
}

/** Of the languages that reviews of these storefronts are mostly written in. */
const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'English',
  fr: 'French',
  de: 'German',
  es: 'Spanish',
  sv: 'Swedish',
  pt: 'Portuguese',
  ja: 'Japanese',
  ko: 'Korean',
  hi: 'Hindi',
  nl: 'Dutch',
  it: 'Italian',
}
