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
  /** Its English name; null for a feature outside catalogue and concepts. */
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
/**
 * Least probability of a feature that is described, not named. Of guesses below 0.45 on real requests, nearly all are wrong; agreement
 * between languages on five made-up sets is 0.76 for 0.3 and 0.76 for 0.5.
 */
const DESCRIBED_P_MIN = 0.45
/** The same, when the sentence contains a specific concept. */
const OVER_CONCEPT_P_MIN = 0.5
/** The same, when the sentence names another feature. */
const OVER_NAMED_P_MIN = 0.7

const PHRASE_WORDS_MAX = 6
const PHRASE_SIGNS_MAX = 20
const PHRASE_CHARS_MAX = 60

/**
 * The feature requested in the sentence `asking`. `likeliest` is the classifier's first choice. Null when no feature is named or clearly
 * described; `requestInOwnWords` is the fallback.
 */
export function requestedFeature(
  asking: readonly Segment[],
  likeliest: { readonly slug: string; readonly p: number },
  guess: FeatureGuess,
  deps: RequestDeps,
): FeatureRequest | null {
  const { features, concepts } = deps
  const named = asking
    .flatMap(({ tokens }) => dropCovered(deps.featureMatcher(tokens)))
    .flatMap(({ name }) => features.get(name) ?? [])
  const exact = named.some((feature) => !feature.isGeneral)
    ? named.filter((feature) => !feature.isGeneral)
    : named
  const meant = exact
    .map((feature) => ({ feature, p: guess(feature.reportedAs) }))
    .sort((a, b) => b.p - a.p)
    .at(0)
  const concept = conceptSlug(
    asking.flatMap(({ tokens }) => dropCovered(deps.conceptMatcher(tokens)).map(({ name }) => name)),
    concepts,
  )
  const described = features.get(likeliest.slug)
  const isNamed = meant !== undefined && meant.p >= NAMED_P_MIN
  const pMin = isNamed
    ? OVER_NAMED_P_MIN
    : concept?.weight === 'telling'
      ? OVER_CONCEPT_P_MIN
      : DESCRIBED_P_MIN
  if (described !== undefined && likeliest.p >= pMin) return known(described)
  if (isNamed) return known(meant.feature)
  // Ordinary words ("size", "product") say what a review is about, not what it requests.
  if (concept?.weight !== 'telling') return null
  const english = concept.slug.replaceAll('-', ' ')
  return { slug: concept.slug, phrase: ownWords(asking, deps) || english, theme: null, english }
}

/** The request in words of the review. Null when the sentence has only function words. */
export function requestInOwnWords(asking: readonly Segment[], deps: RequestDeps): FeatureRequest | null {
  const phrase = ownWords(asking, deps)
  return phrase === '' ? null : { slug: slugFromWords(phrase), phrase, theme: null, english: null }
}

function known({ reportedAs, label, theme }: Feature): FeatureRequest {
  return { slug: reportedAs, phrase: label, theme, english: label }
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
