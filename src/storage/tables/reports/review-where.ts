import { marketOf, publicMarketOf } from '../../../model/market.ts'
import { THEMES } from '../../../model/vocabulary.ts'
import type { ReviewCursor, ReviewFilter } from '../../port/reports.ts'
import { flagOf, msOf } from '../../values.ts'
import type { Where } from '../queue/delivery-where.ts'
import type { AppScope } from './scope.ts'

/** The apps of an account that match a filter. */
export function scopesWithin(scopes: readonly AppScope[], filter: ReviewFilter): AppScope[] {
  return scopes.filter(
    ({ store, appId }) =>
      (filter.store === undefined || store === filter.store) &&
      (filter.appId === undefined || appId === filter.appId),
  )
}

/** The review markets of an app that match a filter. */
export function marketsWithin(
  { store, markets }: AppScope,
  { storefronts }: Pick<ReviewFilter, 'storefronts'>,
): readonly string[] {
  if (storefronts === undefined) return markets.reviews
  const wanted = storefronts.map((storefront) => marketOf(store, 'reviews', storefront))
  return markets.reviews.filter((each) => wanted.includes(publicMarketOf(each)))
}

type Bound = readonly [atMs: number, seq: number]

/** The position of a page in the feed, so that an index is read from its beginning. */
export function boundsOf(
  { since, until }: ReviewFilter,
  before: ReviewCursor | null,
): { readonly before: Bound; readonly after: Bound } {
  const cursor: Bound = [before?.occurredAtMs ?? Number.MAX_SAFE_INTEGER, before?.seq ?? 0]
  const end: Bound = until === undefined ? cursor : [msOf(until), 0]
  return {
    before: end[0] < cursor[0] ? end : cursor,
    after: since === undefined ? [0, 0] : [msOf(since), -1],
  }
}

/** Conditions on `reviews r` for the index of the feed: all of a filter except its text and its period. `from`: the first parameter. */
export function facetWhere(accountId: string, filter: ReviewFilter, from: number): Where {
  const values: (string | number)[] = []
  const conditions: string[] = []
  const place = (value: string | number) => {
    values.push(value)
    return `?${from + values.length - 1}`
  }
  const add = (value: string | number | undefined, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(place(value)))
  }
  if (filter.stars !== undefined) {
    conditions.push(`r.rating in (${filter.stars.map(place).join(', ') || 'null'})`)
  }
  add(filter.language, (p) => `r.language = ${p}`)
  add(filter.sentiment, (p) => `r.sentiment = ${p}`)
  add(filter.severity, (p) => `r.severity = ${p}`)
  if (filter.theme !== undefined) add(1 << THEMES.indexOf(filter.theme), (p) => `(r.themes_mask & ${p}) <> 0`)

  add(flagOrNone(filter.bug), (p) => `r.is_bug_report = ${p}`)
  add(flagOrNone(filter.request), (p) => `r.is_feature_request = ${p}`)
  add(filter.version, (p) => `r.app_version = ${p}`)
  add(filter.feature, (p) => `r.feature_slug = ${p}`)
  conditions.push(...triageConditions(accountId, filter, place))
  return { sql: conditions.join(' and ') || '1 = 1', values }
}

/**
 * The touched reviews are read once into a set, because they are few compared with all reviews. Those without a row are new and nobody's,
 * so these two are what the set does not have.
 */
function triageConditions(
  accountId: string,
  { status, assignee, tag }: ReviewFilter,
  place: (value: string) => string,
): string[] {
  const touched = (condition: string) =>
    `(select t.review_seq from triage t where t.account_id = ${place(accountId)} and ${condition})`
  const inside: string[] = []
  const conditions: string[] = []
  if (status === 'new') conditions.push(`r.seq not in ${touched("t.status <> 'new'")}`)
  else if (status !== undefined) inside.push(`t.status = ${place(status)}`)
  if (assignee === null) conditions.push(`r.seq not in ${touched('t.assignee is not null')}`)
  else if (assignee !== undefined) inside.push(`t.assignee = ${place(assignee)}`)
  if (tag !== undefined) inside.push(`t.tags like ${place(patternOf(JSON.stringify(tag)))} escape '\\'`)
  if (inside.length > 0) conditions.push(`r.seq in ${touched(inside.join(' and '))}`)
  return conditions
}

/** The maximum number of words of a search. More would make it slow. */
const WORDS_MAX = 8

/** The words of a search. */
export function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/u).filter(Boolean).slice(0, WORDS_MAX)
}

/** A `like` pattern for texts with the word; `\` escapes. */
export function patternOf(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

function flagOrNone(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : flagOf(value)
}

const COLUMNS = ['r.title', 'r.body', 'r.author', 'r.feature_slug']
/** Texts of an enrichment that are searched: what a review in another language says in English, and the feature as a person wrote it. */
const ENRICHED = ['summary_en', 'feature_phrase'] as const
/** A word that is part of these is in the JSON of every enrichment. */
const EVERYWHERE =
  'language sentiment severity themes other_topic is_bug_report is_feature_request feature_phrase feature_slug mentions_competitor competitor_named summary_en true false null'

/** What the engines write differently. `like` ignores the case of ASCII letters. */
export type TextDialect = {
  readonly like: 'like' | 'ilike'
  /** A field of the enrichment, as text. */
  readonly enriched: (field: string) => string
}

/**
 * The condition that every word of a search occurs in a review, in its English summary or in the feature that it requests; empty without
 * words. SQLite does not ignore the case of letters outside ASCII, and PostgreSQL only with some locales. A word with such letters is
 * therefore searched unchanged, in lower case, in upper case, and with an initial capital. `from`: the first parameter.
 */
export function textWhere(text: string | undefined, { like, enriched }: TextDialect, from: number): Where {
  const values: string[] = []
  const conditions = wordsOf(text).map((word) => {
    const places = spellings(word).flatMap((spelling) => {
      values.push(patternOf(spelling))
      const has = (what: string) => `${what} ${like} ?${from + values.length - 1} escape '\\'`
      const fields = `(${ENRICHED.map((field) => has(enriched(field))).join(' or ')})`
      // A search of the JSON as a text is four times as fast as reading it, and most words are in few.
      const meaning = isSearchedInJson(spelling) ? `(${has('r.enrichment')} and ${fields})` : fields
      return [...COLUMNS.map(has), meaning]
    })
    return `(${places.join(' or ')})`
  })
  return { sql: conditions.join(' and '), values }
}

/** JSON escapes some characters, and has words of its own. */
function isSearchedInJson(word: string): boolean {
  return JSON.stringify(word) === `"${word}"` && !EVERYWHERE.includes(word.toLowerCase())
}

function spellings(word: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters.
  if (/^[\x00-\x7f]*$/.test(word)) return [word]
  const small = word.toLowerCase()
  const [first = '', ...rest] = small
  return [...new Set([word, small, first.toUpperCase() + rest.join(''), word.toUpperCase()])]
}
