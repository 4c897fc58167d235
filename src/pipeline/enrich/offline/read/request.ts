import type { Theme } from '../../../../model/vocabulary.ts'
import type { Match, Matcher } from '../phrases/matcher.ts'
import { hiraganaWords } from '../text/japanese-words.ts'
import { asks, type Finder } from './asking.ts'
import type { Reading, SegmentReading } from './signals.ts'
import { slugFromWords } from './slug.ts'
import { type Concept, conceptSlug } from './wish-slug.ts'

/** A capability people ask for, known in all languages. */
export type Feature = {
  readonly slug: string
  readonly label: string
  readonly theme: Theme | null
  /** A more exact feature named beside it is what is meant: PDF export rather than export. */
  readonly isGeneral: boolean
}

export type FeatureRequest = {
  readonly slug: string
  readonly phrase: string
  readonly theme: Theme | null
  /** It is in the catalogue: `phrase` is its English label, else words of the review. */
  readonly isKnown: boolean
  /** What it is called in English; null when only words of the review say it. */
  readonly english: string | null
  /** Counted as in Segment: where it is said. */
  readonly sentences: ReadonlySet<number>
}

export type RequestDeps = {
  readonly features: ReadonlyMap<string, Feature>
  readonly featureMatcher: Matcher
  readonly concepts: ReadonlyMap<string, Concept>
  readonly conceptMatcher: Matcher
  /** Words of the language that name nothing: articles, auxiliaries, courtesies. */
  readonly functionWords: ReadonlySet<string>
}

/** What the text asks for, or null when it asks for nothing that is not there ("please fix" asks for a repair). */
export function readRequest(reading: Reading, deps: RequestDeps): FeatureRequest | null {
  const featuresOf = remembered(deps.featureMatcher)
  const conceptsOf = remembered(deps.conceptMatcher)
  const asking = reading.segments.filter((segment) =>
    asks(segment, reading, { featuresOf, conceptsOf, concepts: deps.concepts }),
  )
  if (asking.length === 0) return null
  const sentences = new Set(asking.map(({ segment }) => segment.sentence))
  const nearby = reading.segments.filter(({ segment }) => sentences.has(segment.sentence))
  const exact = asking.filter((segment) =>
    featuresOf(segment).some(({ name }) => deps.features.get(name)?.isGeneral === false),
  )
  const known = [exact.slice(0, 1), asking, nearby, reading.segments]
    .map((segments) => firstFeature(segments, featuresOf, deps.features))
    .find((slug) => slug !== undefined)
  const named = known === undefined ? undefined : deps.features.get(known)
  const wished = wishedConcepts(asking, nearby, conceptsOf, deps.concepts)
  const isBeside = named?.isGeneral === true && wished?.weight === 'telling'
  // Some concepts are called like a feature: then that feature is meant.
  const feature = named === undefined || isBeside ? deps.features.get(wished?.slug ?? '') : named
  if (feature !== undefined)
    return {
      slug: feature.slug,
      phrase: feature.label,
      theme: feature.theme,
      isKnown: true,
      english: feature.label,
      sentences,
    }
  const first = asking[0]
  if (first === undefined) return null
  const ownWords = unknownFeature(first, deps.functionWords)
  return {
    ...ownWords,
    slug: wished?.slug ?? ownWords.slug,
    theme: named?.theme ?? null,
    english: wished?.slug.replaceAll('-', ' ') ?? null,
    sentences,
  }
}

/** Looks into a segment once, however often it is asked about. */
function remembered(matcher: Matcher): Finder {
  const found = new Map<SegmentReading, readonly Match[]>()
  return (reading) => {
    const known = found.get(reading) ?? matcher(reading.segment.tokens)
    found.set(reading, known)
    return known
  }
}

/** The concepts where the text asks first, else in the rest of that sentence, else wherever it asks. */
function wishedConcepts(
  asking: readonly SegmentReading[],
  nearby: readonly SegmentReading[],
  conceptsOf: Finder,
  concepts: RequestDeps['concepts'],
): ReturnType<typeof conceptSlug> {
  const first = asking[0]
  const inSentence = nearby.filter(({ segment }) => segment.sentence === first?.segment.sentence)
  for (const segments of [first === undefined ? [] : [first], inSentence, nearby]) {
    const heard = segments.flatMap((segment) => conceptsOf(segment))
    const wished = conceptSlug(
      heard.map(({ name }) => name),
      concepts,
    )
    if (wished !== null) return wished
  }
  return null
}

/** Outweighs any number of tokens. */
const EXACT_WEIGHT = 100

/** Of the features named, an exact one rather than a general one, then the one said with the most words; of equals, the first; its slug. */
function firstFeature(
  segments: readonly SegmentReading[],
  featuresOf: Finder,
  features: RequestDeps['features'],
): string | undefined {
  const weight = ({ name, taken }: Match) =>
    taken.length + (features.get(name)?.isGeneral === true ? 0 : EXACT_WEIGHT)
  let best: Match | undefined
  for (const segment of segments) {
    for (const match of featuresOf(segment)) {
      if (best === undefined || weight(match) > weight(best)) best = match
    }
  }
  return best?.name
}

/** Words of the wish that are kept: enough to tell wishes apart, few enough that two wordings can meet. */
const WORDS_MAX = 3

function unknownFeature(
  reading: SegmentReading,
  functionWords: ReadonlySet<string>,
): Omit<FeatureRequest, 'sentences'> {
  const spent = new Set(
    reading.matches.filter(({ name }) => name === 'request' || name === 'lack').flatMap(({ taken }) => taken),
  )
  const particles = hiraganaWords(reading.segment.tokens)
  const content = reading.segment.tokens.filter(
    (token, index) =>
      !(spent.has(index) || particles.has(index)) &&
      !functionWords.has(token.folded) &&
      !/^\d/.test(token.folded),
  )
  const kept = content.length > 0 ? content : reading.segment.tokens
  const isCjk = kept.every(({ surface }) => [...surface].length === 1)
  const words = kept.slice(0, isCjk ? 12 : WORDS_MAX)
  const phrase = words
    .map(({ surface, spaced }, index) => (spaced && index > 0 ? ` ${surface}` : surface))
    .join('')
  const folded = words.map(({ folded, spaced }) => (spaced || !isCjk ? ` ${folded}` : folded)).join('')
  return {
    slug: slugFromWords(folded.trim()),
    phrase: (isCjk ? phrase : words.map(({ surface }) => surface).join(' ')).slice(0, 60),
    theme: null,
    isKnown: false,
    english: null,
  }
}
