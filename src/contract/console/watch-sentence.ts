import { starsOf } from '../../model/decimal.ts'
import type { WatchFilter, WatchRules } from '../../model/hook.ts'
import type { Storefront } from '../../model/vocabulary.ts'
import {
  displayName,
  inSentence,
  LANGUAGE_NAMES,
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  STOREFRONT_NAMES,
  THEME_NAMES,
} from './display-names.ts'

/** Where a watch looks. */
export type Place = {
  /** The names of its apps, ids where a name is unknown; `all` for all apps, also later ones. */
  readonly apps: 'all' | readonly string[]
  /** Where the events come from when the filter has no storefronts: those that the account tracks for the app; `all` for its own source. */
  readonly tracked: readonly Storefront[] | 'all'
}

/** Describes the events of a watch: "New reviews with 1 to 3 stars of Foo in Germany and France." */
export function watchSentence(filter: WatchFilter, { apps, tracked }: Place): string {
  const where = placesOf(filter, tracked)
  const app = `${appsOf(apps, 'or')}${where}`
  if (filter.eventType === 'rating.dropped') return `When the rating of ${app} ${fallOf(filter, 'falls')}.`
  if (filter.eventType === 'rating.recovered') {
    return `When the rating of ${app} is back to its value before it ${fallOf(filter, 'fell')}.`
  }
  if (filter.spike !== null) {
    const { minReviews, factor } = filter.spike
    return `When ${app} gets at least ${minReviews} reviews with 1 or 2 stars within an hour, and ${factor} times the usual number.`
  }
  return `New reviews${bandOf(filter)} of ${appsOf(apps, 'and')}${where}${rulesOf(filter.rules ?? {})}.`
}

/** With more apps than this, the sentence has the first two and the number of the others. */
const APPS_NAMED_MAX = 3

function appsOf(apps: Place['apps'], last: 'and' | 'or'): string {
  if (apps === 'all') return last === 'and' ? 'all apps' : 'any app'
  // The listings of one app in both stores have the same name.
  const names = [...new Set(apps)]
  if (names.length <= APPS_NAMED_MAX) return listed(names, last)
  return `${names.slice(0, 2).join(', ')} ${last} ${names.length - 2} more apps`
}

function bandOf({ minStars, maxStars }: WatchFilter): string {
  if (minStars === 1 && maxStars === 5) return ''
  if (minStars === maxStars) return ` with ${minStars} ${minStars === 1 ? 'star' : 'stars'}`
  return ` with ${minStars} to ${maxStars} stars`
}

function fallOf(
  { deltaMicros, deltaWindowHours, thresholdMicros }: WatchFilter,
  verb: 'falls' | 'fell',
): string {
  const [delta, threshold] = [deltaMicros, thresholdMicros].map((micros) => micros && starsOf(micros))
  const ways: string[] = []
  const window = deltaWindowHours == null ? '' : ` within ${durationOf(deltaWindowHours)}`
  if (delta != null) ways.push((delta === 0 ? `${verb} at all` : `${verb} by ${delta} or more`) + window)
  if (threshold != null) ways.push(`${verb} below ${threshold}`)
  return listed(ways, 'or') || verb
}

function durationOf(hours: number): string {
  if (hours === 1) return 'an hour'
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`
}

/** With more storefronts than this, the sentence has only their number. */
const PLACES_NAMED_MAX = 4

function placesOf({ storefronts }: WatchFilter, tracked: Place['tracked']): string {
  const places = storefronts ?? tracked
  if (places === 'all') return ' in every country'
  if (places.length === 0) return ''
  if (places.length > PLACES_NAMED_MAX) {
    return storefronts ? ` in ${places.length} storefronts` : ` in all ${places.length} tracked storefronts`
  }
  return ` in ${listed(
    places.map((place) => STOREFRONT_NAMES[place]),
    'and',
  )}`
}

function rulesOf(rules: WatchRules): string {
  const parts: string[] = []
  const add = (
    list: readonly string[] | undefined,
    names: Readonly<Record<string, string>>,
    phrase: (listed: string) => string,
  ) => {
    if (list === undefined || list.length === 0) return
    parts.push(
      phrase(
        listed(
          list.map((code) => nameOf(names, code)),
          'or',
        ),
      ),
    )
  }
  if (rules.keywords?.length) parts.push(`that contain ${quoted(rules.keywords)}`)
  if (rules.excludedKeywords?.length) parts.push(`without ${quoted(rules.excludedKeywords)}`)
  if (rules.appVersions?.length) parts.push(`of version ${listed(rules.appVersions, 'or')}`)
  add(rules.languages, LANGUAGE_NAMES, (languages) => `written in ${languages}`)
  add(rules.sentiments, SENTIMENT_NAMES, (sentiments) => `that are ${sentiments}`)
  add(rules.severities, SEVERITY_NAMES, (severities) => `of ${severities} severity`)
  add(rules.themes, THEME_NAMES, (themes) => `about ${themes}`)
  if (rules.isBugReport !== undefined)
    parts.push(`that ${rules.isBugReport ? 'report' : 'do not report'} a bug`)
  if (rules.isFeatureRequest !== undefined) {
    parts.push(`that ${rules.isFeatureRequest ? 'ask' : 'do not ask'} for a feature`)
  }
  if (rules.competitors?.length) parts.push(`that mention ${listed(rules.competitors, 'or')}`)
  else if (rules.mentionsCompetitor !== undefined) {
    parts.push(`that ${rules.mentionsCompetitor ? 'mention' : 'do not mention'} a competitor`)
  }
  return parts.map((part) => `, ${part}`).join('')
}

/** With more keywords than this, the sentence has only some of them. */
const KEYWORDS_NAMED_MAX = 5

function quoted(words: readonly string[]): string {
  const named = words.length > KEYWORDS_NAMED_MAX ? words.slice(0, KEYWORDS_NAMED_MAX - 1) : words
  const more = words.length - named.length
  const quotes = named.map((word) => `“${word}”`)
  return listed(more === 0 ? quotes : [...quotes, `${more} others`], 'or')
}

/** Languages keep their capital letter. An unknown language is shown as its code. */
function nameOf(names: Readonly<Record<string, string>>, code: string): string {
  return names === LANGUAGE_NAMES ? (names[code] ?? code) : inSentence(displayName(names, code))
}

function listed(words: readonly string[], last: 'and' | 'or'): string {
  const [only = '', ...more] = words
  if (more.length === 0) return only
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
