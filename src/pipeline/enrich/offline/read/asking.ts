import { CUES } from '../cues.ts'
import { stemsOf } from '../examples/stems.ts'
import type { Match } from '../phrases/matcher.ts'
import {
  type AskingDeps,
  asksForRepair,
  type Finder,
  guardsAgainstSlips,
  isBareDenial,
  isExact,
  isHarmed,
  isHeard,
  isPleased,
  isUnasked,
  isWish,
  NO_WISHES,
  positionsOf,
  sentenceOf,
  wishesOf,
} from './asking-words.ts'
import { callsByName } from './calling.ts'
import type { Reading, SegmentReading } from './signals.ts'
import { wantsDescribed, wishesAnything } from './wanting.ts'

/**
 * The segments that ask for something. Who asks in so many words means that; else what is wanted beside a feature; else whatever
 * is wished for; else what is called by its name and nothing more: "dark mode?"
 */
export function askingSegments(reading: Reading, deps: AskingDeps): readonly SegmentReading[] {
  const heard = {
    ...deps,
    wantingOf: (one: SegmentReading) => deps.wantingOf(one).filter((match) => !isUnasked(match, one)),
  }
  for (const isAsking of [asks, wantsDescribed, wishesAnything, callsByName]) {
    const asking = reading.segments.filter(
      (segment) =>
        isAsking(segment, reading, heard) &&
        !isOutOfSync(segment, reading) &&
        isLikeWishes(segment, reading, deps),
    )
    if (asking.length > 0) return asking
  }
  return []
}

/**
 * Whether the sentence only tells that one device does not have what another has: neither device is missed. Who wants it there
 * says so: "I want it on the computer".
 */
function isOutOfSync(asked: SegmentReading, { signals }: Reading): boolean {
  if (isHeard('request', asked) || asked.matches.some(({ name }) => name === 'wish')) return false
  return signals.some(
    ({ cue, holds, sentence }) => cue === 'sync_bad' && holds && sentence === asked.segment.sentence,
  )
}

/**
 * How much likelier the words of a sentence must be in wishes than elsewhere, as a natural logarithm: for words that ask by
 * themselves, and for those that only may. Chosen on labelled reviews: of what rules took for a wish where none was, these leave
 * out a third, of the wishes one in a hundred.
 */
const LIKENESS_MIN = { asking: -8, hinting: -4 }

/** Whether the sentence of a segment that rules hear asking is worded as wishes are rather than as what asks for nothing. */
function isLikeWishes(asked: SegmentReading, reading: Reading, { toWishes }: AskingDeps): boolean {
  const likeness = toWishes(sentenceOf(asked, reading).flatMap(({ segment }) => stemsOf(segment.tokens)))
  return likeness > LIKENESS_MIN[isHeard('request', asked) ? 'asking' : 'hinting']
}

/** Whether one segment asks for something that is not there, or says that it is missed. */
function asks(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  if (isHeard('request', asked)) return asksOutright(asked, reading, deps)
  return isHeard('lack', asked) && !asksForRepair(asked, reading) && missesSomething(asked, reading, deps)
}

/** Whether words of request ask for a feature rather than for a repair or an answer. */
function asksOutright(
  asked: SegmentReading,
  reading: Reading,
  { featuresOf, conceptsOf, describedIn }: AskingDeps,
): boolean {
  const index = reading.segments.indexOf(asked)
  // Most faults are heard in the words of the wish itself: "let me slow the dialogues down", "so that they stop by themselves".
  const isRepair =
    asked.steering.has('fix_please') ||
    reading.signals.some(
      ({ segment, cue }) => segment === index && (NO_WISHES.has(cue) || TO_BE_MENDED.has(cue)),
    )
  // What a sign-up demands is said with the same words ("needs a phone number") as what a user asks for.
  const isDemand = isDemanded(asked, reading)
  if (!isRepair && !isDemand) return true
  const inSentence = sentenceOf(asked, reading)
  const namesFeature =
    inSentence.some((other) => featuresOf(other).length > 0) || describedIn(inSentence) !== undefined
  return (namesFeature && !onlyAsksForRepair(asked)) || (!isDemand && namesFaults(asked, conceptsOf(asked)))
}

/** Whether the sentence tells what a sign-up demands. */
function isDemanded({ segment }: SegmentReading, { signals }: Reading): boolean {
  return signals.some(
    ({ sentence, meaning }) => sentence === segment.sentence && meaning.theme === 'onboarding',
  )
}

/**
 * Whether a denial is one of several of which some deny nothing that apps have: "no phone, no chat, no mail that anybody reads"
 * tells how it is, "no folders, no tags" what is missed.
 */
function isAmongDenials(
  asked: SegmentReading,
  inSentence: readonly SegmentReading[],
  { featuresOf, conceptsOf, concepts }: AskingDeps,
): boolean {
  const others = inSentence.filter((other) => other !== asked && withoutBareDenials(other) !== other)
  return others.some((other) => {
    const denying = positionsOf(other.matches.filter(isWish))
    return (
      other.segment.tokens.some((_, position) => !denying.has(position)) &&
      featuresOf(other).length === 0 &&
      conceptsOf(other).every(({ name }) => concepts.get(name)?.weight === 'light')
    )
  })
}

/** Whether the sentence tells of a fault beside the segment: "stayed silent, no sound, no vibration". */
function isAmongFaults(asked: SegmentReading, { segments, signals }: Reading): boolean {
  const index = segments.indexOf(asked)
  return signals.some(
    ({ holds, meaning, sentence, segment }) =>
      holds && meaning.bug && sentence === asked.segment.sentence && segment !== index,
  )
}

/** Faults that nobody means a feature by. */
const TO_BE_MENDED = new Set(['crash', 'login_bad', 'sync_bad', 'hacked'])

/** Whether words of lack stand beside what is missed, in a text that tells of no harm. */
function missesSomething(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { features, featuresOf, conceptsOf, concepts } = deps
  if (isHarmed(asked, reading, featuresOf) || isDemanded(asked, reading)) return false
  const inSentence = sentenceOf(asked, reading)
  const outspoken = withoutBareDenials(asked)
  const isListed =
    isAmongDenials(asked, inSentence, deps) ||
    (isAmongFaults(asked, reading) && !guardsAgainstSlips(asked, featuresOf))
  // "No" and "without" deny what stands beside them, not what the rest of the sentence is about.
  const lacking = (other: SegmentReading) => (other !== asked || isListed ? outspoken : asked)
  const lacksSome = (isMeant: (feature: Match) => boolean) =>
    inSentence.some(
      (other) =>
        !isPraised(other, reading, deps) && lacks(other, lacking(other), featuresOf(other).filter(isMeant)),
    )
  if (lacksSome((feature) => isExact(feature, features))) return true
  return (
    !complains(inSentence, deps) &&
    (lacksSome((feature) => !isExact(feature, features)) ||
      missesConcept(asked, inSentence, conceptsOf, concepts))
  )
}

/** Whether what a segment names is praised there: "budgets do all one needs" lacks none, "great, but no budgets" and "would be nice" do. */
function isPraised(one: SegmentReading, reading: Reading, { featuresOf, wantingOf }: AskingDeps): boolean {
  if (one.steering.has('contrast') || one.steering.has('missing') || wantingOf(one).length > 0) return false
  return isPleased(one, reading, positionsOf([...featuresOf(one), ...one.matches.filter(isWish)]))
}

/**
 * Whether the sentence complains, beyond the words of lack themselves and the name of what is missed: "no answer from support"
 * asks for nothing, "why no slow motion" does. An ordinary word excuses no fault: "account blocked, no reason given".
 */
function complains(inSentence: readonly SegmentReading[], deps: AskingDeps): boolean {
  const { featuresOf, conceptsOf, concepts } = deps
  return inSentence.some((reading) => {
    const wishes = [...wishesOf(reading, deps), ...featuresOf(reading)]
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
  conceptsOf: Finder,
  concepts: AskingDeps['concepts'],
): boolean {
  const lacking = withoutBareDenials(asked)
  const spent = positionsOf(lacking.matches.filter(isWish))
  const standsAlone = asked.segment.tokens.every((_, position) => spent.has(position))
  return (standsAlone ? inSentence : [asked]).some((other) => {
    const heavy = conceptsOf(other).filter(({ name }) => concepts.get(name)?.weight !== 'light')
    return lacks(other, lacking, heavy)
  })
}

/** Whether every fault heard in a segment is the name of what is asked for: slow motion, finding duplicates, freezing a card. */
function namesFaults({ matches }: SegmentReading, concepts: readonly Match[]): boolean {
  const named = positionsOf(concepts)
  const faults = matches.filter(({ name }) => CUES[name]?.bug === true && name !== 'compat_bad')
  return faults.length > 0 && faults.every(({ taken }) => taken.every((position) => named.has(position)))
}

/** Whether every wish heard in a segment is part of "please repair": 直してください asks for nothing, whatever it names. */
function onlyAsksForRepair({ matches }: SegmentReading): boolean {
  const repairs = positionsOf(matches.filter(({ name }) => name === 'fix_please'))
  const wishes = matches.filter(({ name }) => name === 'request')
  return wishes.every(({ taken }) => taken.some((position) => repairs.has(position)))
}

/** Without the words of lack that only deny: "no stress", "without fuss". The same where there are none. */
function withoutBareDenials(reading: SegmentReading): SegmentReading {
  const { segment, steering, matches } = reading
  const kept = matches.filter((match) => match.name !== 'lack' || !isBareDenial(match, reading))
  return kept.length === matches.length ? reading : { segment, steering, matches: kept }
}

/** Whether a feature is named that is missed: a word of lack inside its own name ("without internet") misses nothing. */
function lacks(
  other: SegmentReading,
  { segment, matches }: SegmentReading,
  features: readonly Match[],
): boolean {
  const lacking = matches.filter(({ name }) => name === 'lack')
  return features.some((feature) =>
    lacking.some(({ start, end }) => other.segment !== segment || start < feature.start || end > feature.end),
  )
}
