import type { Enrichment } from '../../../../src/model/enrichment.ts'
import type { Details } from './details.ts'
import { FAULTS, OPENINGS, TOPICS } from './wording.ts'

/** The contract's limit for `summary_en` (docs/contract.md, enrichment). */
export const SUMMARY_WORDS_MAX = 20

type Facts = Omit<Enrichment, 'summary_en'>

export type SummaryParts = {
  readonly facts: Facts
  /** The requested feature in English; null for a feature outside the catalogue. */
  readonly request: string | null
  /** English names of the concepts in the review, most specific first. */
  readonly concepts: readonly string[]
  readonly details: Details
  /** The most telling sentence of an English review. */
  readonly clause: string | null
}

/** One or two English sentences, at most 20 words. Never contradicts the labels. */
export function summarize({ facts, request, concepts, details, clause }: SummaryParts): string {
  const about = [...details.devices, ...details.versions, ...details.amounts]
  if (clause !== null) return withAside(clause, about)
  const asked = facts.is_feature_request
    ? request === null
      ? 'Asks for a new feature'
      : `Asks for: ${request}`
    : ''
  const first = opening(facts)
  const named = concepts.filter((concept) => !`${first} ${asked}`.toLowerCase().includes(concept))
  const said = named.length === 0 ? first : `${first}; mentions ${named.join(', ')}`
  const sentences =
    asked === '' ? [said] : first === OPENINGS.neutral && named.length === 0 ? [asked] : [asked, said]
  return withAside(`${sentences.join('. ')}.`, about)
}

/** Appends details that the text lacks, in parentheses, within the word limit. */
function withAside(text: string, about: readonly string[]): string {
  const aside = about.filter((detail) => !text.toLowerCase().includes(detail.toLowerCase()))
  for (let count = aside.length; count > 0; count--) {
    const whole = `${text.replace(/\.$/u, '')} (${aside.slice(0, count).join(', ')}).`
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

function opening({ sentiment, themes, is_bug_report }: Facts): string {
  const topics = themes.filter(
    (theme) => theme !== 'other' && theme !== 'praise_general' && theme !== 'comparison',
  )
  if (is_bug_report) {
    const faults = topics.flatMap((theme) => FAULTS[theme] ?? [])
    return (
      capital(list(faults.length > 0 ? faults : ['a malfunction'])) +
      (sentiment === 'mixed' ? ', some praise' : '')
    )
  }
  if (topics.length === 0) return OPENINGS[sentiment]
  return `${VERBS[sentiment]} ${list(topics.map((theme) => TOPICS[theme]))}`
}

const VERBS = {
  positive: 'Likes',
  negative: 'Criticises',
  neutral: 'Comments on',
  mixed: 'Mixed view of',
} as const

/** At most two topics, to leave room for details. */
function list(topics: readonly string[]): string {
  return topics.slice(0, 2).join(' and ')
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
