import type { Theme } from '../../../../model/vocabulary.ts'
import { CUES } from '../cues.ts'
import { dropCovered, type Match, type Matcher } from '../phrases/matcher.ts'
import { hiraganaWords } from '../text/japanese-words.ts'
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
  const named = new Map<SegmentReading, readonly Match[]>()
  const featuresOf: FeaturesOf = (segment) => {
    const known = named.get(segment) ?? deps.featureMatcher(segment.segment.tokens)
    named.set(segment, known)
    return known
  }
  const conceptsIn = new Map<SegmentReading, readonly Match[]>()
  const conceptsOf: FeaturesOf = (segment) => {
    const known = conceptsIn.get(segment) ?? dropCovered(deps.conceptMatcher(segment.segment.tokens))
    conceptsIn.set(segment, known)
    return known
  }
  const asking = reading.segments.filter((segment) => asks(segment, reading, featuresOf, conceptsOf, deps))
  if (asking.length === 0) return null
  const sentences = new Set(asking.map(({ segment }) => segment.sentence))
  const nearby = reading.segments.filter(({ segment }) => sentences.has(segment.sentence))
  const known = [asking, nearby, reading.segments]
    .map((segments) => firstFeature(segments, featuresOf, deps.features))
    .find((slug) => slug !== undefined)
  const feature = known === undefined ? undefined : deps.features.get(known)
  const wished = wishedConcepts(asking, nearby, conceptsOf, deps.concepts)
  if (feature !== undefined && !(feature.isGeneral && wished?.weight === 'telling'))
    return { slug: feature.slug, phrase: feature.label, theme: feature.theme, isKnown: true, sentences }
  const first = asking[0]
  if (first === undefined) return null
  const ownWords = unknownFeature(first, deps.functionWords)
  return { ...ownWords, slug: wished?.slug ?? ownWords.slug, theme: feature?.theme ?? null, sentences }
}

/** The concepts where the text asks first, else in the rest of that sentence, else wherever it asks. */
function wishedConcepts(
  asking: readonly SegmentReading[],
  nearby: readonly SegmentReading[],
  conceptsOf: FeaturesOf,
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

type FeaturesOf = (segment: SegmentReading) => readonly Match[]

function asks(
  asked: SegmentReading,
  reading: Reading,
  featuresOf: FeaturesOf,
  conceptsOf: FeaturesOf,
  deps: RequestDeps,
): boolean {
  const { segment, steering } = asked
  const inSentence = reading.segments.filter((other) => other.segment.sentence === segment.sentence)
  const named = () => inSentence.some((other) => featuresOf(other).length > 0)
  if (steering.has('request')) {
    const repair =
      steering.has('fix_please') ||
      reading.signals.some(
        (signal) =>
          (signal.meaning.bug || NO_WISHES.has(signal.cue)) &&
          reading.segments[signal.segment]?.segment === segment &&
          signal.cue !== 'compat_bad',
      )
    // What a sign-up demands is said with the same words ("needs a phone number") as what a user asks for.
    const demand = reading.signals.some(
      ({ sentence, meaning }) => sentence === segment.sentence && meaning.theme === 'onboarding',
    )
    return !(repair || demand) || named() || (!demand && namesFaults(asked, conceptsOf(asked)))
  }
  if (!steering.has('lack') || steering.has('fix_please')) return false
  // Who lost data, money or access misses no feature: "no backup, nothing left".
  const harmed = reading.signals.some(
    ({ sentence, holds, meaning, cue }) =>
      holds &&
      (cue === 'hacked' || (meaning.bug && meaning.severity === 'high' && sentence === segment.sentence)),
  )
  if (harmed) return false
  if (inSentence.some((other) => lacks(other, asked, featuresOf(other)))) return true
  return (
    !complains(inSentence, conceptsOf, deps.concepts) &&
    missesConcept(asked, inSentence, conceptsOf, deps.concepts)
  )
}

/**
 * Whether the sentence complains, beyond the words of lack themselves and the name of what is missed: "no answer from support"
 * asks for nothing, "why no slow motion" does. An ordinary word excuses no fault: "account blocked, no reason given".
 */
function complains(
  inSentence: readonly SegmentReading[],
  conceptsOf: FeaturesOf,
  concepts: RequestDeps['concepts'],
): boolean {
  return inSentence.some((reading) => {
    const wishes = reading.matches.filter(isWish)
    const heard = conceptsOf(reading)
    const telling = heard.filter(({ name }) => concepts.get(name)?.weight === 'telling')
    const excused = {
      fault: positionsOf([...wishes, ...telling]),
      dislike: positionsOf([...wishes, ...heard]),
    }
    return reading.matches.some(({ name, taken }) => {
      const meaning = CUES[name]
      if (meaning === undefined || !(meaning.bug || meaning.polarity < 0)) return false
      const named = meaning.bug ? excused.fault : excused.dislike
      return !taken.every((position) => named.has(position))
    })
  })
}

/** Whether a concept stands beside a word of lack; in the rest of the sentence where that word stands alone: "Weekly view, please". */
function missesConcept(
  asked: SegmentReading,
  inSentence: readonly SegmentReading[],
  conceptsOf: FeaturesOf,
  concepts: RequestDeps['concepts'],
): boolean {
  const lacking = withoutBareDenials(asked)
  const spent = positionsOf(lacking.matches.filter(isWish))
  const standsAlone = asked.segment.tokens.every((_, position) => spent.has(position))
  return (standsAlone ? inSentence : [asked]).some((other) => {
    const heavy = conceptsOf(other).filter(({ name }) => concepts.get(name)?.weight !== 'light')
    return lacks(other, lacking, heavy)
  })
}

function isWish({ name }: Match): boolean {
  return name === 'lack' || name === 'request'
}

function positionsOf(matches: readonly Match[]): Set<number> {
  return new Set(matches.flatMap(({ taken }) => taken))
}

/** Whether every fault heard in a segment is the name of what is asked for: slow motion, finding duplicates, freezing a card. */
function namesFaults({ matches }: SegmentReading, concepts: readonly Match[]): boolean {
  const named = positionsOf(concepts)
  const faults = matches.filter(({ name }) => CUES[name]?.bug === true && name !== 'compat_bad')
  return faults.length > 0 && faults.every(({ taken }) => taken.every((position) => named.has(position)))
}

/** Without the words of lack that only deny: "no stress", "without fuss". */
function withoutBareDenials({ segment, steering, matches }: SegmentReading): SegmentReading {
  const denials = new Set(
    matches.filter(({ name }) => name === 'negator').map(({ start, end }) => `${start}-${end}`),
  )
  const kept = matches.filter(({ name, start, end }) => name !== 'lack' || !denials.has(`${start}-${end}`))
  return { segment, steering, matches: kept }
}

/** Wanting money back or an answer asks for no feature. */
const NO_WISHES = new Set(['refund', 'support_bad', 'support_gone'])

/** Whether a feature is named that is missed: a word of lack inside its own name ("without internet") misses nothing. */
function lacks(
  other: SegmentReading,
  { segment, matches }: SegmentReading,
  features: readonly Match[],
): boolean {
  const lacking = matches.filter(({ name }) => name === 'lack')
  return features.some(
    (feature) =>
      other.segment !== segment ||
      lacking.some(({ start, end }) => start < feature.start || end > feature.end),
  )
}

/** Outweighs any number of tokens. */
const EXACT_WEIGHT = 100

/** Of the features named, an exact one rather than a general one, then the one said with the most words; of equals, the first; its slug. */
function firstFeature(
  segments: readonly SegmentReading[],
  featuresOf: FeaturesOf,
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
  }
}
