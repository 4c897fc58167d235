import type { Theme } from '../../../../src/model/vocabulary.ts'
import { dropCovered, type Matcher } from '../phrases/matcher.ts'
import type { Segment, Token } from '../text/segments.ts'
import { isCjkSign, written } from '../text/written.ts'
import { conceptSlug } from './concept-slug.ts'
import type { Concept } from './concepts.ts'
import type { Feature } from './feature.ts'
import { slugFromWords } from './word-slug.ts'

/** What a review asks for. */
export type FeatureRequest = {
  readonly slug: string
  /** The English label of a known feature, else words of the review. */
  readonly phrase: string
  readonly theme: Theme | null
  /** Its English name; null for a feature outside catalogue and concepts, and where it may be another one. */
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

/** Least probability of a feature that the sentence names. */
const NAMED_P_MIN = 0.02
/** The same, where only another sentence names it. */
const NAMED_ELSEWHERE_P_MIN = 0.3
/**
 * Least probability of a feature that is described, not named. Of guesses below 0.45 on real requests, nearly all are wrong; agreement
 * between languages on five made-up sets is 0.76 for 0.3 and 0.76 for 0.5.
 */
const DESCRIBED_P_MIN = 0.45
/** The same, when the sentence contains a specific concept. */
const OVER_CONCEPT_P_MIN = 0.5
/** The same, when the sentence names another feature. */
const OVER_NAMED_P_MIN = 0.7

/**
 * Least probabilities of a feature, named or described, for a summary to name it. Of 150 requests in real reviews, most are for something
 * outside the catalogue: below these, 1 of 3 named ones and 2 of 3 described ones are wrong.
 */
const SURE_P_MIN = { named: 0.3, described: 0.88 } as const

const PHRASE_WORDS_MAX = 6
const PHRASE_SIGNS_MAX = 20
const PHRASE_CHARS_MAX = 60

/**
 * The feature requested in the sentence `asking`. `likeliest` is the classifier's first choice. Null when no feature is named or clearly
 * described; `requestInOwnWords` is the fallback.
 */
export function requestedFeature(
  asking: readonly Segment[],
  whole: readonly Segment[],
  likeliest: { readonly slug: string; readonly p: number },
  guess: FeatureGuess,
  deps: RequestDeps,
): FeatureRequest | null {
  const { features, concepts } = deps
  const meant =
    namedFeature(asking, guess, NAMED_P_MIN, deps) ?? namedFeature(whole, guess, NAMED_ELSEWHERE_P_MIN, deps)
  const concept = conceptSlug(
    asking.flatMap(({ tokens }) => dropCovered(deps.conceptMatcher(tokens)).map(({ name }) => name)),
    concepts,
  )
  const described = features.get(likeliest.slug)
  const pMin =
    meant !== undefined
      ? OVER_NAMED_P_MIN
      : concept?.weight === 'telling'
        ? OVER_CONCEPT_P_MIN
        : DESCRIBED_P_MIN
  if (described !== undefined && likeliest.p >= pMin)
    return known(
      described,
      likeliest.p >= SURE_P_MIN[described.reportedAs === meant?.reportedAs ? 'named' : 'described'],
    )
  if (meant !== undefined) return known(meant, guess(meant.reportedAs) >= SURE_P_MIN.named)
  // Ordinary words ("size", "product") say what a review is about, not what it requests.
  if (concept?.weight !== 'telling') return null
  const english = concept.slug.replaceAll('-', ' ')
  return { slug: concept.slug, phrase: ownWords(asking, deps) || english, theme: null, english }
}

/** The most probable of the features that `segments` name, if it has the least probability `pMin`. */
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

/** The request in words of the review. Null when the sentence has only function words. */
export function requestInOwnWords(asking: readonly Segment[], deps: RequestDeps): FeatureRequest | null {
  const phrase = ownWords(asking, deps)
  return phrase === '' ? null : { slug: slugFromWords(phrase), phrase, theme: null, english: null }
}

function known({ reportedAs, label, theme }: Feature, isSure: boolean): FeatureRequest {
  return { slug: reportedAs, phrase: label, theme, english: isSure ? label : null }
}

function ownWords(asking: readonly Segment[], { functionWords }: RequestDeps): string {
  const longest = [...asking].sort((a, b) => contentOf(b, functionWords) - contentOf(a, functionWords))[0]
  if (longest === undefined) return ''
  const isCjk = longest.tokens.some(isCjkSign)
  const words = longest.tokens.filter((token) => isCjk || isContent(token, functionWords))
  return written(words.slice(0, isCjk ? PHRASE_SIGNS_MAX : PHRASE_WORDS_MAX), PHRASE_CHARS_MAX, !isCjk)
}

function contentOf({ tokens }: Segment, functionWords: ReadonlySet<string>): number {
  return tokens.filter((token) => isContent(token, functionWords)).length
}

function isContent({ folded }: Token, functionWords: ReadonlySet<string>): boolean {
  return !functionWords.has(folded) && !/^\d/.test(folded)
}
