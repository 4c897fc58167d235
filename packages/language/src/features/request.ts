import type { Theme } from '../../../../src/model/vocabulary.ts'
import { dropCovered, type Matcher } from '../phrases/matcher.ts'
import type { Segment, Token } from '../text/segments.ts'
import { isCjkCharacter, written } from '../text/written.ts'
import { conceptSlug } from './concept-slug.ts'
import type { Concept } from './concepts.ts'
import type { Feature } from './feature.ts'
import { slugFromWords } from './word-slug.ts'

/** The feature request of a review. */
export type FeatureRequest = {
  readonly slug: string
  /** The English label of a known feature, else words of the review. */
  readonly phrase: string
  readonly theme: Theme | null
  /**
   * Its English name. Null for an uncertain feature, and outside the catalogue: of 6 concepts in real requests, 4 were not what is asked
   * for.
   */
  readonly english: string | null
}

export type RequestDeps = {
  readonly features: ReadonlyMap<string, Feature>
  readonly featureMatcher: Matcher
  readonly concepts: ReadonlyMap<string, Concept>
  readonly conceptMatcher: Matcher
  readonly functionWords: ReadonlySet<string>
}

/** The classifier's probability of a feature, by reported slug. */
export type FeatureGuess = (slug: string) => number

/** Minimum probability of a feature that the sentence names. */
const NAMED_P_MIN = 0.02
/** The same, where only another sentence names it. */
const NAMED_ELSEWHERE_P_MIN = 0.3
/**
 * Minimum probability of a feature that is described, not named. Of guesses below 0.45 on real requests, nearly all are wrong; agreement
 * between languages on five made-up sets is 0.76 for 0.3 and 0.76 for 0.5.
 */
const DESCRIBED_P_MIN = 0.45
/** The same, when the sentence contains a specific concept. */
const OVER_CONCEPT_P_MIN = 0.5
/** The same, when the sentence names another feature. */
const OVER_NAMED_P_MIN = 0.7

/**
 * Minimum probabilities of a feature, named or described, for a summary to name it. Of 150 requests in real reviews, most are for something
 * outside the catalogue: below these, 1 of 3 named ones and 2 of 3 described ones are wrong.
 */
const SURE_P_MIN = { named: 0.3, described: 0.88 } as const

const PHRASE_WORDS_MAX = 6
const PHRASE_CJK_CHARS_MAX = 20
const PHRASE_CHARS_MAX = 60
/** A sentence with more content words, or Japanese, Chinese and Korean characters, is no name of a feature. */
const NAME_WORDS_MAX = 3
const NAME_CJK_CHARS_MAX = 10

/**
 * The feature requested in the sentence `request`. `likeliest` is the classifier's first choice. Null when no feature is named or clearly
 * described; `unknownRequest` is the fallback.
 */
export function requestedFeature(
  request: readonly Segment[],
  whole: readonly Segment[],
  likeliest: { readonly slug: string; readonly p: number },
  guess: FeatureGuess,
  deps: RequestDeps,
): FeatureRequest | null {
  const { features } = deps
  const meant =
    namedFeature(request, guess, NAMED_P_MIN, deps) ?? namedFeature(whole, guess, NAMED_ELSEWHERE_P_MIN, deps)
  const concept = conceptIn(request, deps)
  const described = features.get(likeliest.slug)
  const pMin =
    meant !== undefined
      ? OVER_NAMED_P_MIN
      : concept?.weight === 'specific'
        ? OVER_CONCEPT_P_MIN
        : DESCRIBED_P_MIN
  if (described !== undefined && likeliest.p >= pMin)
    return known(
      described,
      likeliest.p >= SURE_P_MIN[described.reportedAs === meant?.reportedAs ? 'named' : 'described'],
    )
  if (meant !== undefined) return known(meant, guess(meant.reportedAs) >= SURE_P_MIN.named)
  // Ordinary words ("size", "product") name the topic of a review, not its request.
  if (concept?.weight !== 'specific') return null
  const phrase = ownWords(request, deps) || concept.slug.replaceAll('-', ' ')
  return { slug: concept.slug, phrase, theme: null, english: null }
}

/** The most probable feature that `segments` name, if its probability is at least `pMin`. */
function namedFeature(
  segments: readonly Segment[],
  guess: FeatureGuess,
  pMin: number,
  { features, featureMatcher }: RequestDeps,
): Feature | undefined {
  const named = segments
    .flatMap(({ tokens }) => dropCovered(featureMatcher(tokens)))
    .flatMap(({ name }) => features.get(name) ?? [])
  const exact = named.filter((feature) => !feature.isGeneral)
  return (exact.length > 0 ? exact : named)
    .filter(({ reportedAs }) => guess(reportedAs) >= pMin)
    .sort((a, b) => guess(b.reportedAs) - guess(a.reportedAs))
    .at(0)
}

/**
 * A request for something else than the known features, when the classifier is sure that there is one. Its key are the terms of apps in
 * the sentence ("pay the bill": `pay-bill`), or all its content words when they are few enough to be a name, or the terms in the rest
 * of the review. Null otherwise: the words that are left of a longer sentence name nothing.
 */
export function unknownRequest(
  request: readonly Segment[],
  whole: readonly Segment[],
  deps: RequestDeps,
): FeatureRequest | null {
  return conceptRequest(request, deps) ?? nameRequest(request, deps) ?? conceptRequest(whole, deps)
}

function conceptRequest(segments: readonly Segment[], deps: RequestDeps): FeatureRequest | null {
  const concept = conceptIn(segments, deps)
  if (concept === null || concept.weight === 'generic') return null
  return { slug: concept.slug, phrase: concept.slug.replaceAll('-', ' '), theme: null, english: null }
}

function nameRequest(request: readonly Segment[], deps: RequestDeps): FeatureRequest | null {
  const most = request.some(({ tokens }) => tokens.some(isCjkCharacter)) ? NAME_CJK_CHARS_MAX : NAME_WORDS_MAX
  const count = request.reduce((sum, segment) => sum + contentOf(segment, deps.functionWords), 0)
  const phrase = count > most ? '' : ownWords(request, deps)
  return phrase === '' ? null : { slug: slugFromWords(phrase), phrase, theme: null, english: null }
}

function conceptIn(segments: readonly Segment[], { conceptMatcher, concepts }: RequestDeps) {
  return conceptSlug(
    segments.flatMap(({ tokens }) => dropCovered(conceptMatcher(tokens)).map(({ name }) => name)),
    concepts,
  )
}

function known({ reportedAs, label, theme }: Feature, isSure: boolean): FeatureRequest {
  return { slug: reportedAs, phrase: label, theme, english: isSure ? label : null }
}

function ownWords(request: readonly Segment[], { functionWords }: RequestDeps): string {
  const longest = [...request].sort((a, b) => contentOf(b, functionWords) - contentOf(a, functionWords))[0]
  if (longest === undefined) return ''
  const isCjk = longest.tokens.some(isCjkCharacter)
  const words = longest.tokens.filter((token) => isCjk || isContent(token, functionWords))
  return written(words.slice(0, isCjk ? PHRASE_CJK_CHARS_MAX : PHRASE_WORDS_MAX), PHRASE_CHARS_MAX, !isCjk)
}

function contentOf({ tokens }: Segment, functionWords: ReadonlySet<string>): number {
  return tokens.filter((token) => isContent(token, functionWords)).length
}

function isContent({ folded }: Token, functionWords: ReadonlySet<string>): boolean {
  return !functionWords.has(folded) && !/^\d/.test(folded)
}
