import type { Enrichment } from '../../../../src/model/enrichment.ts'
import type { Theme } from '../../../../src/model/vocabulary.ts'
import type { Details } from './details.ts'
import { FAULTS, OPENINGS, TOPICS, VERBS } from './wording.ts'

/** The contract's limit for `summary_en` (docs/contract.md, enrichment). */
export const SUMMARY_WORDS_MAX = 20

type Facts = Omit<Enrichment, 'summary_en'>

/** The labels that are certain enough for the summary. */
export type Certainty = {
  readonly isSentimentSure: boolean
  readonly isBugSure: boolean
  readonly isRequestSure: boolean
  /** Themes of the review, the most certain first. */
  readonly themes: readonly Theme[]
}

export type SummaryParts = {
  readonly facts: Facts
  readonly certainty: Certainty
  /** The requested feature in English; null for an unnamed one. */
  readonly request: string | null
  /** Topics that the review names, those of its key sentence first. */
  readonly topics: readonly string[]
  readonly details: Details
  /** The key sentence of an English review. */
  readonly clause: string | null
}

/** At most two themes and three topics, to leave room for details. */
const THEMES_MAX = 2
const TOPICS_MAX = 3

/** One or two English sentences of at most 20 words, with certain statements only. Never contradicts the labels. */
export function summarize(parts: SummaryParts): string {
  const { facts, request, details, clause } = parts
  const about = [...details.devices, ...details.versions, ...details.names, ...details.amounts]
  if (clause !== null) return withAside(clause, about)
  const isRequest = facts.is_feature_request && parts.certainty.isRequestSure
  const requested = !isRequest ? '' : request === null ? 'Asks for a new feature' : `Asks for: ${request}`
  const opinion = opinionOf(parts)
  const first =
    requested !== '' && WITHOUT_CONTENT.has(opinion)
      ? requested
      : [requested, opinion].filter(Boolean).join('. ')
  // The feature is certain, but not that it is asked for.
  const feature = facts.is_feature_request && !isRequest && request !== null ? uncapital(request) : ''
  const named = parts.topics.filter(
    (topic) => !`${first} ${feature}`.toLowerCase().includes(topic.toLowerCase()),
  )
  const mentioned = [feature, ...named].filter(Boolean).slice(0, TOPICS_MAX)
  return withAside(withTopics(first, mentioned), about)
}

/** As many topics as the word limit allows. */
function withTopics(first: string, named: readonly string[]): string {
  for (let count = named.length; count > 0; count--) {
    const whole = `${first}; mentions ${named.slice(0, count).join(', ')}.`
    if (wordsIn(whole) <= SUMMARY_WORDS_MAX) return whole
  }
  return `${first}.`
}

const COMMENT = OPENINGS.neutral
const WITHOUT_CONTENT = new Set([COMMENT, OPENINGS.negative])

/** Appends details that the text lacks, in parentheses, within the word limit. */
function withAside(text: string, about: readonly string[]): string {
  const aside = about.filter((detail) => !text.toLowerCase().includes(detail.toLowerCase()))
  for (let count = aside.length; count > 0; count--) {
    const whole = `${text.replace(/(?<!\.)\.$/u, '')} (${aside.slice(0, count).join(', ')}).`
    if (wordsIn(whole) <= SUMMARY_WORDS_MAX) return whole
  }
  return wordsIn(text) <= SUMMARY_WORDS_MAX
    ? text
    : `${text
        .split(' ')
        .slice(0, SUMMARY_WORDS_MAX)
        .join(' ')
        .replace(/[.,;:]$/u, '')}...`
}

function wordsIn(text: string): number {
  return text.split(/\s+/u).length
}

function opinionOf({ facts, certainty }: SummaryParts): string {
  const { themes, isSentimentSure, isBugSure } = certainty
  if (facts.is_bug_report && isBugSure) {
    const faults = themes.flatMap((theme) => FAULTS[theme] ?? []).slice(0, THEMES_MAX)
    const praise = facts.sentiment === 'mixed' && isSentimentSure ? ', some praise' : ''
    return `${faults.length === 0 ? 'Reports a problem' : capital(faults.join(' and '))}${praise}`
  }
  const mentioned = themes.flatMap((theme) => TOPICS[theme] ?? []).slice(0, THEMES_MAX)
  const sentiment = isSentimentSure ? facts.sentiment : 'neutral'
  // A positive review with a request praises the app; its themes are those of the request.
  const verb = VERBS[facts.is_feature_request && sentiment === 'positive' ? 'neutral' : sentiment]
  if (mentioned.length > 0) return `${verb} ${mentioned.join(' and ')}`
  return sentiment === 'positive' && facts.themes.includes('praise_general')
    ? 'Praises the app'
    : OPENINGS[sentiment]
}

/** "Dark mode" as "dark mode", but "PDF reader" as it is. */
function uncapital(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
