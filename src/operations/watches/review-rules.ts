import type { WatchRules } from '../../model/hook.ts'
import {
  APP_VERSION_CHARS_MAX,
  COMPETITOR_CHARS_MAX,
  FILTER_VALUES_MAX,
  KEYWORD_CHARS_MAX,
} from '../../model/hook-limits.ts'
import { folded } from '../../model/keywords.ts'
import { SENTIMENTS, SEVERITIES, THEMES } from '../../model/vocabulary.ts'
import { OperationError } from '../error.ts'

/** Filters of reviews as a caller gives them. An absent filter, null and an empty list are the same. */
export type RulesInput = { readonly [Name in keyof WatchRules]?: WatchRules[Name] | null | undefined }

/**
 * Validates filters and returns them in their stored form: without empty ones, each value once, in a fixed order, so
 * that equal filters are equal as JSON. Null without a filter. Throws `invalid`.
 */
export function rulesOf(input: RulesInput | null): WatchRules | null {
  if (input === null) return null
  const { isBugReport, isFeatureRequest, mentionsCompetitor } = input
  const rules = {
    keywords: names('keywords', input.keywords, KEYWORD_CHARS_MAX),
    excludedKeywords: names('excludedKeywords', input.excludedKeywords, KEYWORD_CHARS_MAX),
    appVersions: versions(input.appVersions),
    languages: languages(input.languages),
    sentiments: ofVocabulary('sentiments', input.sentiments, SENTIMENTS),
    themes: ofVocabulary('themes', input.themes, THEMES),
    severities: ofVocabulary('severities', input.severities, SEVERITIES),
    isBugReport: isBugReport ?? undefined,
    isFeatureRequest: isFeatureRequest ?? undefined,
    mentionsCompetitor: mentionsCompetitor ?? undefined,
    competitors: names('competitors', input.competitors, COMPETITOR_CHARS_MAX),
  } satisfies { [Name in keyof WatchRules]: WatchRules[Name] | undefined }
  if (rules.competitors !== undefined && rules.mentionsCompetitor === false) {
    throw invalid('competitors', 'cannot be combined with mentionsCompetitor false: no review would match.')
  }
  const given = Object.entries(rules).filter(([, value]) => value !== undefined)
  return given.length === 0 ? null : Object.fromEntries(given)
}

type List = readonly string[] | null | undefined

/** Trimmed texts, those that differ only in case once. */
function names(field: string, list: List, charsMax: number): readonly string[] | undefined {
  const values = trimmed(field, list, charsMax)
  if (values === undefined) return undefined
  const unique = new Map(values.toReversed().map((value) => [folded(value), value]))
  if (unique.has('')) throw invalid(field, 'must contain visible characters.')
  return [...unique].sort(byKey).map(([, value]) => value)
}

function versions(list: List): readonly string[] | undefined {
  const values = trimmed('appVersions', list, APP_VERSION_CHARS_MAX)
  if (values?.some((value) => value.slice(0, -1).includes('*'))) {
    throw invalid('appVersions', 'may have * only at the end, such as 4.2.*, for all versions that begin so.')
  }
  return values && [...new Set(values)].sort()
}

function languages(list: List): readonly string[] | undefined {
  const values = trimmed('languages', list, 2)
  if (values?.some((value) => !/^[a-z]{2}$/.test(value))) {
    throw invalid('languages', 'must be ISO 639-1 codes of two lowercase letters, such as en.')
  }
  return values && [...new Set(values)].sort()
}

function ofVocabulary<T extends string>(field: string, list: List, vocabulary: readonly T[]) {
  if (list == null || list.length === 0) return undefined
  if (list.some((value) => !vocabulary.some((known) => known === value))) {
    throw invalid(field, `must be a list of ${vocabulary.join(', ')}.`)
  }
  return vocabulary.filter((value) => list.includes(value))
}

function trimmed(field: string, list: List, charsMax: number): readonly string[] | undefined {
  if (list == null || list.length === 0) return undefined
  if (list.length > FILTER_VALUES_MAX) {
    throw invalid(field, `must have at most ${FILTER_VALUES_MAX} values, not ${list.length}.`)
  }
  const values = list.map((value) => value.trim())
  for (const value of values) {
    if (value === '' || [...value].length > charsMax) {
      throw invalid(field, `must be texts of 1 to ${charsMax} characters.`)
    }
    if (!value.isWellFormed() || value.includes('\0')) {
      throw invalid(field, 'must be text without NUL and lone surrogates.')
    }
  }
  return values
}

function byKey([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
