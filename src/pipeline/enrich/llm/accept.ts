import type { Enrichment } from '../../../model/enrichment.ts'
import type { ReviewOfApp } from '../../../model/review.ts'
import { isUnfitText, urgesReader } from '../../../model/summary-text.ts'
import { SENTIMENTS, SEVERITIES, THEMES, type Theme } from '../../../model/vocabulary.ts'
import type { ModelItem } from './answer-schema.ts'

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SLUG_CHARS = { min: 2, max: 40 }
const PHRASE_CHARS_MAX = 80
const SUMMARY_WORDS_MAX = 20
const SUMMARY_CHARS_MAX = 300
const FOREIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Devanagari}]/u

/** The review that an entry is compared with. */
export type Reviewed = Pick<ReviewOfApp, 'title' | 'body' | 'app'>

export type Accepted =
  | { readonly kind: 'accepted'; readonly enrichment: Enrichment }
  /** Sentences for the repair request. They name fields and allowed values, and never quote the review. */
  | { readonly kind: 'rejected'; readonly problems: readonly string[] }

/**
 * Validates one entry of a model's answer against docs/contract.md, enrichment. Nullability is corrected silently: a
 * slug without a feature request is dropped. A wrong enum, slug or summary is rejected, since a guess would invent
 * data. A competitor must be named in the review and must not be the app or its developer.
 */
export function accept(item: ModelItem, review: Reviewed): Accepted {
  const problems: string[] = []
  const language = item.language.trim().toLowerCase().slice(0, 2)
  if (!/^[a-z]{2}$/.test(item.language.trim().toLowerCase().split('-')[0] ?? '')) {
    problems.push('language must be a two-letter ISO 639-1 code')
  }
  const sentiment = SENTIMENTS.find((known) => known === item.sentiment)
  if (sentiment === undefined) problems.push(`sentiment must be one of ${SENTIMENTS.join(', ')}`)
  const severity = SEVERITIES.find((known) => known === item.severity)
  if (severity === undefined) problems.push(`severity must be one of ${SEVERITIES.join(', ')}`)
  if (item.themes.some((theme) => !isTheme(theme))) problems.push(`themes must be from ${THEMES.join(', ')}`)
  const slug = item.feature_slug?.trim() ?? ''
  if (item.is_feature_request && !isSlug(slug)) {
    problems.push('feature_slug must be 2 to 40 lower case letters, digits and hyphens')
  }
  const summary = printable(item.summary_en)
  const summaryProblem = problemOfSummary(summary, review.app?.name ?? '')
  if (summaryProblem !== null) problems.push(summaryProblem)
  if (problems.length > 0 || sentiment === undefined || severity === undefined)
    return { kind: 'rejected', problems }

  const phrase = normalizePhrase(item.feature_phrase) ?? slug.replaceAll('-', ' ')
  const competitor = normalizePhrase(item.competitor_named)
  const isOwn = competitor !== null && namesOf(review.app).some((own) => containsText(own, competitor))
  const mentionsCompetitor = item.mentions_competitor && !isOwn
  const isNamed = competitor !== null && containsText(`${review.title ?? ''} ${review.body}`, competitor)
  const themes = themesOf(item.themes.filter(isTheme), mentionsCompetitor)
  return {
    kind: 'accepted',
    enrichment: {
      language,
      sentiment,
      themes,
      is_feature_request: item.is_feature_request,
      feature_slug: item.is_feature_request ? slug : null,
      feature_phrase: item.is_feature_request ? phrase : null,
      is_bug_report: item.is_bug_report,
      severity,
      mentions_competitor: mentionsCompetitor,
      competitor_named: mentionsCompetitor && isNamed ? competitor : null,
      other_topic: themes.includes('other') ? (normalizePhrase(item.other_topic) ?? 'unclear') : null,
      summary_en: summary,
    },
  }
}

export function isSlug(text: string): boolean {
  return text.length >= SLUG_CHARS.min && text.length <= SLUG_CHARS.max && SLUG.test(text)
}

function isTheme(text: string): text is Theme {
  return (THEMES as readonly string[]).includes(text)
}

/**
 * Without duplicates, in the order of the vocabulary, never empty. `comparison` if and only if there is a competitor.
 */
function themesOf(named: readonly Theme[], competitor: boolean): Theme[] {
  const themes = THEMES.filter((theme) => (theme === 'comparison' ? competitor : named.includes(theme)))
  return themes.length === 0 ? ['other'] : themes
}

function problemOfSummary(summary: string, appName: string): string | null {
  if (summary === '') return 'summary_en must not be empty'
  if (summary.length > SUMMARY_CHARS_MAX || summary.split(' ').length > SUMMARY_WORDS_MAX) {
    return `summary_en must have at most ${SUMMARY_WORDS_MAX} words`
  }
  if (isUnfitText(summary, appName))
    return 'summary_en must contain no links, domains, addresses, long numbers or markup'
  if (urgesReader(summary)) return 'summary_en must not ask the reader to do something'
  return FOREIGN.test(summary) ? 'summary_en must be English' : null
}

/** Null for a text that is empty, too long or unusable as a label. */
function normalizePhrase(text: string | null | undefined): string | null {
  const label = printable(text ?? '')
  return label === '' || label.length > PHRASE_CHARS_MAX || isUnfitText(label, '') ? null : label
}

/** Removes control characters and unpaired surrogates, which PostgreSQL rejects. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
}

function namesOf(app: Reviewed['app']): string[] {
  return [app?.name, app?.developer].flatMap((name) => name ?? [])
}

function containsText(text: string, part: string): boolean {
  const fold = (value: string) => value.normalize('NFKC').toLowerCase()
  return fold(text).includes(fold(part))
}
