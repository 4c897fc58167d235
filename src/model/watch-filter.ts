import { limitMicros } from './decimal.ts'
import type { SpikeLimits, WatchFilter, WatchRules } from './hook.ts'
import {
  APP_VERSION_CHARS_MAX,
  COMPETITOR_CHARS_MAX,
  DELTA,
  DELTA_WINDOW_HOURS,
  FILTER_VALUES_MAX,
  KEYWORD_CHARS_MAX,
  SPIKE_FACTOR,
  SPIKE_MIN_REVIEWS,
  STARS,
  THRESHOLD,
} from './hook-limits.ts'
import { folded } from './keywords.ts'
import { REVIEW_LANGUAGE, REVIEW_LANGUAGES_ALLOWED } from './review-language.ts'
import {
  type EventType,
  hasRatingRule,
  SENTIMENTS,
  SEVERITIES,
  STOREFRONTS,
  type Storefront,
  THEMES,
} from './vocabulary.ts'

/** Filters of reviews as a caller gives them. */
type RulesInput = { readonly [Name in keyof WatchRules]?: WatchRules[Name] | null | undefined }

/** The filter of a watch or of a watch set as a caller gives it. Null, absent and an empty list are the same. */
export type FilterInput = RulesInput & {
  readonly eventType: EventType
  /** By default every storefront that the account watches for the app. */
  readonly storefronts?: readonly Storefront[] | null | undefined
  readonly minStars?: number | null | undefined
  readonly maxStars?: number | null | undefined
  /** The smallest drop that matches, in stars. */
  readonly delta?: number | null | undefined
  /** The window of the delta in hours; by default the last rating counts. */
  readonly deltaWindowHours?: number | null | undefined
  /** The rating below which a drop matches, in stars. */
  readonly threshold?: number | null | undefined
  readonly spikeMinReviews?: number | null | undefined
  readonly spikeFactor?: number | null | undefined
}

/** `problem` continues a sentence that begins with the name of the field. Its names of fields are those of the REST API. */
export type FilterProblem = { readonly field: keyof FilterInput; readonly problem: string }

const NUMBERS = {
  minStars: { ...STARS, isWhole: true },
  maxStars: { ...STARS, isWhole: true },
  delta: { ...DELTA, isWhole: false },
  deltaWindowHours: { ...DELTA_WINDOW_HOURS, isWhole: true },
  threshold: { ...THRESHOLD, isWhole: false },
  spikeMinReviews: { ...SPIKE_MIN_REVIEWS, isWhole: true },
  spikeFactor: { ...SPIKE_FACTOR, isWhole: false },
} as const satisfies Partial<Record<keyof FilterInput, object>>

const TEXTS = {
  keywords: KEYWORD_CHARS_MAX,
  excludedKeywords: KEYWORD_CHARS_MAX,
  appVersions: APP_VERSION_CHARS_MAX,
  competitors: COMPETITOR_CHARS_MAX,
  languages: 2,
} as const satisfies Partial<Record<keyof WatchRules, number>>

const VOCABULARIES = {
  sentiments: SENTIMENTS,
  themes: THEMES,
  severities: SEVERITIES,
} as const satisfies Partial<Record<keyof WatchRules, readonly string[]>>

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** The fields of the REST API, in its order, for the filters that only `review.created` has. */
export const REVIEW_FILTER_OF_FIELD = {
  keywords: 'keywords',
  excluded_keywords: 'excludedKeywords',
  app_versions: 'appVersions',
  languages: 'languages',
  sentiments: 'sentiments',
  themes: 'themes',
  severities: 'severities',
  is_bug_report: 'isBugReport',
  is_feature_request: 'isFeatureRequest',
  mentions_competitor: 'mentionsCompetitor',
  competitors: 'competitors',
} as const satisfies { readonly [Name in keyof WatchRules as SnakeCase<Name>]-?: Name }

export type ReviewFilterField = keyof typeof REVIEW_FILTER_OF_FIELD

export const REVIEW_FILTER_FIELDS = Object.keys(REVIEW_FILTER_OF_FIELD) as ReviewFilterField[]

/** All rules of a filter: of its values, and between its fields. The REST API, the console, files and commands share them. */
export function filterProblems(input: FilterInput): FilterProblem[] {
  return [...numberProblems(input), ...fieldProblems(input), ...reviewProblems(input)]
}

function* numberProblems(input: FilterInput): Generator<FilterProblem> {
  for (const [field, { min, max, isWhole }] of entriesOf(NUMBERS)) {
    const value = input[field]
    if (value == null || (value >= min && value <= max && (!isWhole || Number.isInteger(value)))) continue
    yield { field, problem: `must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.` }
  }
}

/** The rules between fields. */
function* fieldProblems(input: FilterInput): Generator<FilterProblem> {
  const { eventType, delta } = input
  const [min, max] = starsOf(input)
  // A value outside its range has its own problem.
  if (min > max && min <= STARS.max && max >= STARS.min) {
    yield { field: 'minStars', problem: `must be at most max_stars: ${min} is above ${max}.` }
  }
  if (lacksRatingRule(input)) {
    const allowed = `a number from ${DELTA.min} to ${DELTA.max} (or threshold, a number from ${THRESHOLD.min} to ${THRESHOLD.max})`
    yield { field: 'delta', problem: `is required for ${eventType}: ${allowed}.` }
  }
  if (input.deltaWindowHours != null && (!hasRatingRule(eventType) || delta == null)) {
    const problem = 'requires the event_type rating.dropped and delta, or rating.recovered and delta.'
    yield { field: 'deltaWindowHours', problem }
  }
  for (const field of ['spikeMinReviews', 'spikeFactor'] as const) {
    if (input[field] == null || eventType === 'reviews.spiked') continue
    yield { field, problem: 'requires the event_type reviews.spiked.' }
  }
  if (eventType === 'review.created') return
  for (const field of Object.values(REVIEW_FILTER_OF_FIELD)) {
    if (isGiven(input[field])) {
      yield { field, problem: `applies only to review.created, not to ${eventType}.` }
    }
  }
}

function* reviewProblems(input: FilterInput): Generator<FilterProblem> {
  if (input.mentionsCompetitor === false && isGiven(input.competitors)) {
    yield { field: 'competitors', problem: 'cannot be combined with mentions_competitor false.' }
  }
  for (const [field, charsMax] of entriesOf(TEXTS)) {
    const values = (input[field] ?? []).map((value) => value.trim())
    const problem = textsProblem(values, charsMax) ?? formProblem(field, values)
    if (problem !== null) yield { field, problem }
  }
  for (const [field, vocabulary] of entriesOf(VOCABULARIES)) {
    if (input[field]?.some((value) => !vocabulary.some((known) => known === value))) {
      yield { field, problem: `must be a list of ${vocabulary.join(', ')}.` }
    }
  }
}

function textsProblem(values: readonly string[], charsMax: number): string | null {
  if (values.length > FILTER_VALUES_MAX) {
    return `must have at most ${FILTER_VALUES_MAX} values, not ${values.length}.`
  }
  if (values.some((value) => [...value].length > charsMax)) {
    return `must be texts of 1 to ${charsMax} characters.`
  }
  return values.every((value) => value.isWellFormed() && !value.includes('\0'))
    ? null
    : 'must be text without NUL and lone surrogates.'
}

function formProblem(field: keyof typeof TEXTS, values: readonly string[]): string | null {
  if (field === 'languages') {
    const isCode = (value: string) => REVIEW_LANGUAGE.test(value)
    return values.every(isCode) ? null : `must be ${REVIEW_LANGUAGES_ALLOWED}.`
  }
  if (field === 'appVersions' && values.some((value) => value.slice(0, -1).includes('*'))) {
    return 'may have * only at the end of a version, such as 4.2.*.'
  }
  return values.some((value) => folded(value) === '') ? 'must contain visible characters.' : null
}

/** Whether a filter of ratings lacks both of its limits. */
export function lacksRatingRule({ eventType, delta, threshold }: FilterInput): boolean {
  return hasRatingRule(eventType) && delta == null && threshold == null
}

/** The stored form of a filter without problems: equal filters are equal as JSON. */
export function watchFilterOf(input: FilterInput): WatchFilter {
  const { eventType, storefronts, delta, threshold } = input
  const [minStars, maxStars] = starsOf(input)
  return {
    eventType,
    storefronts: storefronts?.length ? STOREFRONTS.filter((each) => storefronts.includes(each)) : null,
    minStars,
    maxStars,
    deltaMicros: delta == null ? null : limitMicros(delta),
    deltaWindowHours: input.deltaWindowHours ?? null,
    thresholdMicros: threshold == null ? null : limitMicros(threshold),
    rules: rulesOf(input),
    spike: spikeOf(input),
  }
}

function starsOf({ minStars, maxStars }: FilterInput): readonly [min: number, max: number] {
  return [minStars ?? STARS.min, maxStars ?? STARS.max]
}

function spikeOf({ eventType, spikeMinReviews, spikeFactor }: FilterInput): SpikeLimits | null {
  if (eventType !== 'reviews.spiked') return null
  return {
    minReviews: spikeMinReviews ?? SPIKE_MIN_REVIEWS.default,
    factor: spikeFactor ?? SPIKE_FACTOR.default,
  }
}

/** Without empty filters, each value once, in a fixed order. Null without a filter. */
function rulesOf(input: RulesInput): WatchRules | null {
  const rules = {
    keywords: names(input.keywords),
    excludedKeywords: names(input.excludedKeywords),
    appVersions: sorted(input.appVersions),
    languages: sorted(input.languages),
    sentiments: inOrder(input.sentiments, SENTIMENTS),
    themes: inOrder(input.themes, THEMES),
    severities: inOrder(input.severities, SEVERITIES),
    isBugReport: input.isBugReport,
    isFeatureRequest: input.isFeatureRequest,
    mentionsCompetitor: input.mentionsCompetitor,
    competitors: names(input.competitors),
  } satisfies RulesInput
  const given = Object.entries(rules).filter(([, value]) => isGiven(value))
  return given.length === 0 ? null : Object.fromEntries(given)
}

type List = readonly string[] | null | undefined

/** Those that differ only in case once. */
function names(list: List): string[] {
  const unique = new Map(list?.toReversed().map((value) => [folded(value.trim()), value.trim()]))
  return [...unique].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, value]) => value)
}

function sorted(list: List): string[] | undefined {
  return list == null ? undefined : [...new Set(list.map((value) => value.trim()))].sort()
}

function inOrder<T extends string>(list: List, vocabulary: readonly T[]): T[] {
  return vocabulary.filter((value) => list?.includes(value))
}

function isGiven(value: readonly unknown[] | boolean | null | undefined): boolean {
  return value != null && (typeof value === 'boolean' || value.length > 0)
}

function entriesOf<T extends object>(of: T): { [K in keyof T]: [K, T[K]] }[keyof T][] {
  return Object.entries(of) as { [K in keyof T]: [K, T[K]] }[keyof T][]
}
