/**
 * The language engine. A small multilingual encoder with trained heads assigns the labels; word lists per language find names and details.
 * README.md: how it works and how to train it. docs/enrichment.md: accuracy.
 */
import type { Enrichment } from '../../../src/model/enrichment.ts'
import type { AppNames } from '../../../src/model/review.ts'
import type { Storefront, Theme } from '../../../src/model/vocabulary.ts'
import { type Candidates, competitorCandidates } from './competitor/candidates.ts'
import { ownApp } from './competitor/products.ts'
import { loadEncoder } from './encoder/encoder.ts'
import { asksForFeature, loadDescription, type Prediction, predictionOf } from './encoder/heads.ts'
import { inputPrefix } from './encoder/input.ts'
import { type FeatureRequest, requestedFeature, unknownRequest } from './features/request.ts'
import { detectLanguage, LANGUAGES } from './language/detect.ts'
import { GRAMMAR, type TableName } from './language/grammar.ts'
import { loadNgrams } from './language/ngrams.ts'
import { otherTopic } from './other-topic.ts'
import { describeReview } from './summary/describe.ts'
import { type LanguageTables, loadTables } from './tables.ts'
import { markJapaneseWords } from './text/japanese-words.ts'
import { normalize } from './text/normalize.ts'
import { withoutRepeats } from './text/repeats.ts'
import { type Segment, segment } from './text/segments.ts'
import { spacedSentencesOf } from './text/sentences.ts'
import { withoutInstructions } from './text/without-instructions.ts'
import { inUnreadLanguage, withoutText } from './without-text.ts'

export type EnrichInput = {
  readonly title: string | null
  readonly body: string
  /** 1 to 5, or null when the stars are hidden from the engine. */
  readonly rating: number | null
  readonly storefront: Storefront | null
  readonly app: AppNames | null
}

/** Deterministic. Rejects only on a bug. */
export type LanguageEngine = (input: EnrichInput) => Promise<Enrichment>

/** What one reading of a review yields. `report`: null for a review without words, and without a `ReportOf`. */
type Reading<Report> = { readonly enrichment: Enrichment; readonly report: Report | null }

/** Makes what a caller needs beside the enrichment, from the encoder's evidence and the probabilities of the labels. */
export type ReportOf<Report> = (text: string, evidence: Float32Array, prediction: Prediction) => Report

const MODEL = new URL('../model/', import.meta.url)

/** Card and account numbers: their digits mislead the encoder. */
const LONG_NUMBER = /\d(?:[ -]{0,3}\d){8,40}/gu
/** Longer reviews with five stars are rarely bugs or of high severity: 6 and 3 of 63 real ones are. */
const LONG_CHARS_MIN = 240
/** Nearly all labelled reviews have fewer themes. */
const THEMES_MAX = 5

/**
 * Loads the word lists and the encoder, in about a second. The engine reads the first 4,000 characters of title and body. Rejects when
 * onnxruntime has no build for the platform or a word list has a syntax error.
 */
export async function createLanguageEngine(): Promise<LanguageEngine> {
  const read = await createReader(null)
  return async (input) => (await read(input)).enrichment
}

/** With `reportOf` it encodes reviews in any language, those without word lists too. */
export async function createReader<Report>(
  reportOf: ReportOf<Report> | null,
): Promise<(input: EnrichInput) => Promise<Reading<Report>>> {
  const tables = loadTables()
  const detectDeps = { ngrams: loadNgrams(), ...tables }
  const description = loadDescription(new URL('model.json', MODEL))
  const { thresholds } = description
  const encode = await loadEncoder(MODEL)

  return async ({ title, body, rating, storefront, app }) => {
    const whole = normalize(title === null || title === '' ? body : `${title}\n${body}`)
    const words = segment(whole, false).flatMap(({ tokens }) => tokens.map(({ folded }) => folded))
    const { language, isHinglish } = detectLanguage(whole, words, storefront, detectDeps)
    const tableName: TableName | undefined = isHinglish
      ? 'hinglish'
      : LANGUAGES.find((known) => known === language)
    const input = inputPrefix(rating, app?.name ?? null)
    if (tableName === undefined) {
      const enrichment = inUnreadLanguage(language, rating)
      if (reportOf === null || words.length === 0) return { enrichment, report: null }
      const { outputs, evidence } = await encode(input, spacedSentencesOf(whole))
      return { enrichment, report: reportOf(whole, evidence, predictionOf(outputs, description, false)) }
    }
    const table = tables.byName.get(tableName)
    if (table === undefined) throw new Error(`no table ${tableName}`)
    const segmentsOf = (some: string): readonly Segment[] => {
      const segments = segment(some, GRAMMAR[tableName].apostropheSplits)
      return tableName === 'ja' ? markJapaneseWords(segments) : segments
    }
    const text = withoutRepeats(
      withoutInstructions(whole, tables.instructionMarkers).replaceAll(LONG_NUMBER, 'XXXX'),
    )
    if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text))
      return { enrichment: withoutText(language, rating), report: null }
    const segments = segmentsOf(text)
    const sentences = spacedSentencesOf(text)
    const { outputs, attention, evidence } = await encode(input, sentences)
    const isLongHappy = rating === 5 && whole.length > LONG_CHARS_MIN
    const prediction = predictionOf(outputs, description, isLongHappy)
    const keySentence = best(sentences, (_, at) => attention[at] ?? 0).trim()
    const keySegments = segmentsOf(keySentence)
    const request = requestIn(keySegments, segments, prediction, table)
    const own = [app?.name, app?.developer].flatMap((name) => name ?? [])
    const reviewed = ownApp(own, tables.products)
    const candidates = competitorCandidates(segments, reviewed, {
      ...table,
      products: tables.products,
      capitalizesNouns: GRAMMAR[tableName].capitalizesNouns,
    })
    const mentionsCompetitor = isCompetitor(prediction, candidates)
    const themes = themesOf(prediction, mentionsCompetitor)
    const facts = {
      language,
      sentiment: prediction.sentiment,
      themes,
      is_feature_request: request !== null,
      feature_slug: request?.slug ?? null,
      feature_phrase: request?.phrase ?? null,
      is_bug_report: prediction.bug >= (isLongHappy ? thresholds.bugLongHappy : thresholds.bug),
      severity: prediction.severity,
      mentions_competitor: mentionsCompetitor,
      competitor_named:
        mentionsCompetitor && candidates.names.length > 0 ? candidates.names.join(', ') : null,
      other_topic: themes.includes('other')
        ? (request?.phrase ?? otherTopic(segments, table.functionWords))
        : null,
    }
    const enrichment = {
      ...facts,
      summary_en: describeReview({
        text,
        keySentence,
        keySegments,
        segments,
        facts,
        prediction,
        request,
        isOwn: reviewed.isOwn,
        table,
        tables,
      }),
    }
    return { enrichment, report: reportOf?.(text, evidence, prediction) ?? null }
  }

  /** The stronger the evidence in the words, the lower the classifier's threshold. */
  function isCompetitor(
    { competitor }: Prediction,
    { names, isCompared, isSameKind, mentionsOthers }: Candidates,
  ): boolean {
    if (isSameKind) return competitor >= thresholds.competitorSameKind
    if (isCompared) return competitor >= thresholds.competitorCompared
    if (names.length > 0) return competitor >= thresholds.competitorNamed
    return competitor >= (mentionsOthers ? thresholds.competitorOthers : thresholds.competitor)
  }

  /** The themes above the threshold, else the most probable one. `comparison` is set exactly when a competitor is mentioned. */
  function themesOf({ themes }: Prediction, mentionsCompetitor: boolean): Theme[] {
    const others = themes.filter(({ theme }) => theme !== 'comparison')
    const likely = others.filter(({ p }) => p >= thresholds.theme).slice(0, THEMES_MAX)
    const chosen = (likely.length > 0 || mentionsCompetitor ? likely : others.slice(0, 1)).map(
      ({ theme }) => theme,
    )
    return mentionsCompetitor ? [...chosen, 'comparison'] : chosen
  }

  /** The feature that the key sentence requests; null when the review requests none, or an unclear one. */
  function requestIn(
    key: readonly Segment[],
    whole: readonly Segment[],
    prediction: Prediction,
    table: LanguageTables,
  ): FeatureRequest | null {
    if (!asksForFeature(prediction, thresholds)) return null
    const { request, likeliestFeature, feature } = prediction
    const deps = { ...tables, ...table }
    return (
      requestedFeature(key, whole, likeliestFeature, feature, deps) ??
      (request >= thresholds.requestInOwnWords ? unknownRequest(key, whole, deps) : null)
    )
  }
}

/** The item with the highest weight, the first of equals. `items` must not be empty. */
function best<T>(items: readonly T[], weightOf: (item: T, index: number) => number): T {
  let index = 0
  for (let at = 1; at < items.length; at++) {
    const [item, first] = [items[at], items[index]]
    if (item !== undefined && first !== undefined && weightOf(item, at) > weightOf(first, index)) index = at
  }
  const found = items[index]
  if (found === undefined) throw new Error('there are no items to choose from')
  return found
}
