import type { Theme } from '../../../../model/vocabulary.ts'
import { signsHeard } from '../examples/heard.ts'
import { stemsOf } from '../examples/stems.ts'
import type { WordsLikeness } from '../examples/words.ts'
import type { Match, Matcher } from '../phrases/matcher.ts'
import { hiraganaWords } from '../text/japanese-words.ts'
import { isCjkSign, written } from '../text/written.ts'
import { askingSegments } from './asking.ts'
import type { Finder } from './asking-words.ts'
import { type Description, describedFeature } from './described.ts'
import { type LikelyDeps, likeliestFeature, type Ruled, type Told } from './likely-feature.ts'
import type { Reading, SegmentReading } from './signals.ts'
import { slugFromWords } from './slug.ts'
import { type Concept, conceptSlug } from './wish-slug.ts'

/** A capability people ask for, known in all languages. */
export type Feature = {
  /** What the tables know it by. */
  readonly slug: string
  /** What programs are told: nearly always the same; some features have names of their own, but are one wish. */
  readonly toldAs: string
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

export type RequestDeps = Omit<LikelyDeps, 'wordsLikeness'> & {
  /** Learned from the examples of the language of the text; made when first asked for. */
  readonly wordsLikeness: () => WordsLikeness
  readonly features: ReadonlyMap<string, Feature>
  readonly featureMatcher: Matcher
  readonly concepts: ReadonlyMap<string, Concept>
  readonly conceptMatcher: Matcher
  readonly descriptions: readonly Description[]
  readonly clueMatcher: Matcher
  readonly wantingMatcher: Matcher
  /** Words of the language that name nothing: articles, auxiliaries, courtesies. */
  readonly functionWords: ReadonlySet<string>
}

/** What the text asks for, or null when it asks for nothing that is not there ("please fix" asks for a repair). */
export function readRequest(reading: Reading, deps: RequestDeps): FeatureRequest | null {
  const { features, concepts, functionWords } = deps
  const featuresOf = remembered(deps.featureMatcher)
  const conceptsOf = remembered(deps.conceptMatcher)
  const cluesOf = remembered(deps.clueMatcher)
  const wantingOf = remembered(deps.wantingMatcher)
  const describedIn = (segments: readonly SegmentReading[]) => {
    const clues = segments.flatMap((one) => [...cluesOf(one), ...conceptsOf(one)]).map(({ name }) => name)
    return describedFeature(new Set(clues), deps.descriptions)
  }
  const askingDeps = {
    features,
    featuresOf,
    conceptsOf,
    concepts,
    cluesOf,
    wantingOf,
    functionWords,
    describedIn,
    toWishes: (stems: Iterable<string>) => deps.wordsLikeness().toWishes(stems),
  }
  const asking = askingSegments(reading, askingDeps)
  const [first] = asking
  if (first === undefined) return null
  const sentences = new Set(asking.map(({ segment }) => segment.sentence))
  const nearby = reading.segments.filter(({ segment }) => sentences.has(segment.sentence))
  const meant = featureMeant(asking, nearby, reading, { featuresOf, features, describedIn })
  const named = meant && features.get(meant.slug)
  const wished = wishedConcepts(first, nearby, conceptsOf, concepts)
  // Nothing exact is called by its name: a telling concept says more than a general feature.
  const isOutdone = named?.isGeneral === true && wished?.weight === 'telling'
  // Some concepts are called like a feature: then that feature is meant.
  const calledLike = features.has(wished?.slug ?? '') ? wished : null
  const ruled: Ruled | undefined =
    named !== undefined && !isOutdone
      ? meant
      : calledLike
        ? { slug: calledLike.slug, by: 'aside' }
        : undefined
  const told = toldAround(sentences, reading, { featuresOf, conceptsOf, cluesOf })
  const hasConcept = wished?.weight === 'telling'
  const feature = features.get(likeliestFeature(told, ruled, hasConcept, deps) ?? '')
  if (feature !== undefined) {
    const { toldAs, label, theme } = feature
    return { slug: toldAs, phrase: label, theme, isKnown: true, english: label, sentences }
  }
  const own = ownWords(first, functionWords)
  return {
    slug: wished?.slug ?? slugFromWords(own.folded.trim()),
    phrase: own.phrase,
    theme: named?.theme ?? null,
    isKnown: false,
    english: wished?.slug.replaceAll('-', ' ') ?? null,
    sentences,
  }
}

/** What the sentences that ask say, and those beside them, because the reason of a wish stands before or after it. */
function toldAround(
  sentences: ReadonlySet<number>,
  { segments }: Reading,
  { featuresOf, conceptsOf, cluesOf }: Readonly<Record<'featuresOf' | 'conceptsOf' | 'cluesOf', Finder>>,
): Told {
  const around = segments.filter(({ segment: { sentence } }) =>
    [sentence - 1, sentence, sentence + 1].some((beside) => sentences.has(beside)),
  )
  return {
    heard: signsHeard({
      features: around.flatMap(featuresOf),
      concepts: around.flatMap(conceptsOf),
      clues: around.flatMap(cluesOf),
    }),
    stems: around.flatMap(({ segment }) => stemsOf(segment.tokens)),
  }
}

/** What segments name or describe. */
type Meaning = {
  readonly featuresOf: Finder
  readonly features: RequestDeps['features']
  readonly describedIn: (segments: readonly SegmentReading[]) => Description | undefined
}

/**
 * The feature of the catalogue that is asked for. An exact name goes before a description, in the sentence that asks or
 * with the one beside it, and that before a general name.
 */
function featureMeant(
  asking: readonly SegmentReading[],
  nearby: readonly SegmentReading[],
  { segments: all }: Reading,
  { featuresOf, features, describedIn }: Meaning,
): Ruled | undefined {
  const namedIn = (segments: readonly SegmentReading[]) => bestFeature(segments, featuresOf, features)
  const describedWithin = (reach: number) =>
    asking
      .map(({ segment: asked }) =>
        describedIn(all.filter(({ segment }) => Math.abs(segment.sentence - asked.sentence) <= reach)),
      )
      .find((description) => description !== undefined)
  const exact = asking.map((segment) => namedIn([segment])).find((named) => named?.isGeneral === false)
  const named = exact ?? namedIn(asking) ?? namedIn(nearby)
  const described = describedWithin(0)
  if (named?.isGeneral === false && described?.outdone.includes(named.slug) !== true)
    return { slug: named.slug, by: exact === undefined ? 'hint' : 'name' }
  const hinted = described ?? describedWithin(1) ?? named
  if (hinted !== undefined) return { slug: hinted.slug, by: 'hint' }
  const aside = namedIn(all)
  return aside && { slug: aside.slug, by: 'aside' }
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

/** The concepts of the sentence that asks first, because languages put what is wanted before or after a comma; else of all that ask. */
function wishedConcepts(
  first: SegmentReading,
  nearby: readonly SegmentReading[],
  conceptsOf: Finder,
  concepts: RequestDeps['concepts'],
): ReturnType<typeof conceptSlug> {
  const inSentence = nearby.filter(({ segment }) => segment.sentence === first.segment.sentence)
  for (const segments of [inSentence, nearby]) {
    const names = segments.flatMap((segment) => conceptsOf(segment)).map(({ name }) => name)
    const wished = conceptSlug(names, concepts)
    if (wished !== null) return wished
  }
  return null
}

/** Outweighs any number of tokens. */
const EXACT_WEIGHT = 100

/** Of the features named, an exact one rather than a general one, then the one said with the most words; of equals, the first. */
function bestFeature(
  segments: readonly SegmentReading[],
  featuresOf: Finder,
  features: RequestDeps['features'],
): Feature | undefined {
  const weight = ({ name, taken }: Match) =>
    taken.length + (features.get(name)?.isGeneral === true ? 0 : EXACT_WEIGHT)
  let best: Match | undefined
  for (const segment of segments) {
    for (const match of featuresOf(segment)) {
      if (best === undefined || weight(match) > weight(best)) best = match
    }
  }
  return features.get(best?.name ?? '')
}

/** Words of the wish that are kept: enough to tell wishes apart, few enough that two wordings can meet. */
const WORDS_MAX = 3
const SIGNS_MAX = 12
const PHRASE_CHARS_MAX = 60

/** The first words of the wish that name something: as they compare and as written. */
function ownWords(
  { segment: { tokens }, matches }: SegmentReading,
  functionWords: ReadonlySet<string>,
): { readonly folded: string; readonly phrase: string } {
  const spent = new Set(
    matches.filter(({ name }) => name === 'request' || name === 'lack').flatMap(({ taken }) => taken),
  )
  const particles = hiraganaWords(tokens)
  const content = tokens.filter(
    (token, index) =>
      !(spent.has(index) || particles.has(index)) &&
      !functionWords.has(token.folded) &&
      !/^\d/.test(token.folded),
  )
  const kept = content.length > 0 ? content : tokens
  const isCjk = kept.every(isCjkSign)
  const words = kept.slice(0, isCjk ? SIGNS_MAX : WORDS_MAX)
  return {
    folded: words.map(({ folded, spaced }) => (spaced || !isCjk ? ` ${folded}` : folded)).join(''),
    phrase: written(words, PHRASE_CHARS_MAX, !isCjk),
  }
}
