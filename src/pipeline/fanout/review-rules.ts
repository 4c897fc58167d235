import type { Enrichment } from '../../model/enrichment.ts'
import type { WatchRules } from '../../model/hook.ts'
import { folded, foldedParts, keywordMatcher } from '../../model/keywords.ts'
import type { EnrichedReview } from '../../model/review.ts'

type Review = Pick<EnrichedReview, 'title' | 'body' | 'appVersion' | 'enrichment'>

/** Whether a review passes the rules (docs/contract.md, Filters of reviews). An absent or empty rule passes every review. */
export function passes(rules: WatchRules, review: Review): boolean {
  return (
    passesVersion(rules, review.appVersion) &&
    passesEnrichment(rules, review.enrichment) &&
    passesKeywords(rules, review)
  )
}

function passesVersion({ appVersions }: WatchRules, version: string | null): boolean {
  const wanted = given(appVersions)
  if (wanted === null) return true
  return version !== null && wanted.some((each) => isVersion(version, each))
}

function isVersion(version: string, wanted: string): boolean {
  return wanted.endsWith('*') ? version.startsWith(wanted.slice(0, -1)) : version === wanted
}

/**
 * A review without enrichment fails each of these rules: otherwise a hook for crashes would get every review while
 * enrichment is unavailable.
 */
function passesEnrichment(rules: WatchRules, enrichment: Enrichment | null): boolean {
  const languages = given(rules.languages)
  const sentiments = given(rules.sentiments)
  const themes = given(rules.themes)
  const severities = given(rules.severities)
  const competitors = given(rules.competitors)
  const { isBugReport, isFeatureRequest, mentionsCompetitor } = rules
  const lists = [languages, sentiments, themes, severities, competitors]
  const flags = [isBugReport, isFeatureRequest, mentionsCompetitor]
  if (lists.every((list) => list === null) && flags.every((flag) => flag === undefined)) return true
  if (enrichment === null) return false
  return (
    (languages === null || languages.includes(enrichment.language)) &&
    (sentiments === null || sentiments.includes(enrichment.sentiment)) &&
    (themes === null || enrichment.themes.some((theme) => themes.includes(theme))) &&
    (severities === null || severities.includes(enrichment.severity)) &&
    (isBugReport === undefined || isBugReport === enrichment.is_bug_report) &&
    (isFeatureRequest === undefined || isFeatureRequest === enrichment.is_feature_request) &&
    (mentionsCompetitor === undefined || mentionsCompetitor === enrichment.mentions_competitor) &&
    (competitors === null || isNamed(competitors, enrichment.competitor_named))
  )
}

function isNamed(competitors: readonly string[], named: string | null): boolean {
  if (named === null) return false
  const name = folded(named)
  return competitors.some((competitor) => folded(competitor) === name)
}

/** A review without enrichment has no English summary; its title and body count. */
function passesKeywords({ keywords, excludedKeywords }: WatchRules, review: Review): boolean {
  const included = given(keywords)
  const excluded = given(excludedKeywords)
  if (included === null && excluded === null) return true
  const text = textOf(review)
  if (included !== null && !matcherOf(included)(text)) return false
  return excluded === null || !matcherOf(excluded)(text)
}

/** Watches of many hooks match the same review, and a watch matches many reviews of one commit. */
const matchers = new WeakMap<readonly string[], (text: string) => boolean>()
const texts = new WeakMap<Review, string>()

function matcherOf(keywords: readonly string[]): (text: string) => boolean {
  const matcher = matchers.get(keywords) ?? keywordMatcher(keywords)
  matchers.set(keywords, matcher)
  return matcher
}

function textOf(review: Review): string {
  const text = texts.get(review) ?? foldedParts([review.title, review.body, review.enrichment?.summary_en])
  texts.set(review, text)
  return text
}

/** The values of a rule; null without any. */
function given(list: readonly string[] | undefined): readonly string[] | null {
  return list !== undefined && list.length > 0 ? list : null
}
