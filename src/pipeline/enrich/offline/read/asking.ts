import { CUES } from '../cues.ts'
import type { Match } from '../phrases/matcher.ts'
import type { Reading, SegmentReading, Signal } from './signals.ts'
import type { Concept } from './wish-slug.ts'

/** What is named in a segment. */
export type Finder = (segment: SegmentReading) => readonly Match[]

export type AskingDeps = {
  /** A general one is named in many complaints that ask for nothing. */
  readonly features: ReadonlyMap<string, { readonly isGeneral: boolean }>
  readonly featuresOf: Finder
  readonly conceptsOf: Finder
  readonly concepts: ReadonlyMap<string, Concept>
  readonly cluesOf: Finder
  /** Words of wanting or suffering. */
  readonly wantingOf: Finder
  /** The feature that segments describe together. */
  readonly describedIn: (segments: readonly SegmentReading[]) => unknown
}

/** Whether one segment asks for something that is not there, or says that it is missed. */
export function asks(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { steering } = asked
  if (steering.has('request')) return asksOutright(asked, reading, deps)
  return steering.has('lack') && !steering.has('fix_please') && missesSomething(asked, reading, deps)
}

/** The segments of the sentence of one of them. */
function sentenceOf({ segment }: SegmentReading, { segments }: Reading): readonly SegmentReading[] {
  return segments.filter((other) => other.segment.sentence === segment.sentence)
}

/**
 * Whether a feature is described, or called by an exact name, beside a word of wanting or lack, where nothing else fails, pleases
 * or is demanded: "when I lie in bed, it should stop by itself", "why must I open the app to see my tasks?".
 */
export function wantsDescribed(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { cluesOf, wantingOf, featuresOf, conceptsOf, describedIn } = deps
  const inSentence = sentenceOf(asked, reading)
  if (isToldOtherwise(asked, inSentence)) return false
  const isWanting = wantingOf(asked).length > 0 || asked.steering.has('missing')
  if (!isWanting && (!asked.matches.some(isWish) || isHarmed(asked, reading, featuresOf))) return false
  const told = (one: SegmentReading) => positionsOf([...cluesOf(one), ...featuresOf(one)])
  const toldHere = told(asked)
  // "Without" lacks nothing where it is part of "without internet".
  const isUntold = ({ taken }: Match) => !taken.every((position) => toldHere.has(position))
  if (!isWanting && !asked.matches.some((match) => isWish(match) && isUntold(match))) return false
  if (isPleased(asked, reading, toldHere)) return false
  // Words of wanting are often heard as a fault of their own: "cannot", "must do it again".
  const excused = (one: SegmentReading) =>
    told(one).union(positionsOf([...wishesOf(one, deps), ...conceptsOf(one)]))
  if (inSentence.some((one) => complainsBesides(one, excused(one)))) return false
  if (describedIn(inSentence) !== undefined || missesNamed(asked, reading, deps)) return true
  const around = reading.segments.filter(
    ({ segment }) => Math.abs(segment.sentence - asked.segment.sentence) <= 1,
  )
  return (
    inSentence.some((one) => told(one).size > 0) &&
    !around.some(({ matches }) => matches.some(({ name }) => NEVER_WISHED.has(name))) &&
    describedIn(around) !== undefined
  )
}

/**
 * Whether a feature is called by an exact name in the sentence, which judges nothing else, in a text that tells of no harm: "bookmarks are missing" asks for them, "bookmarks are missing and it lags" need not.
 */
function missesNamed(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { features, featuresOf } = deps
  const inSentence = sentenceOf(asked, reading)
  const isExact = ({ name }: Match) => features.get(name)?.isGeneral === false
  if (!inSentence.some((one) => featuresOf(one).some(isExact))) return false
  if (isHarmed(asked, reading, featuresOf)) return false
  return !inSentence.some((one) =>
    judgesBesides(one, positionsOf([...featuresOf(one), ...wishesOf(one, deps)])),
  )
}

/** Whether a segment judges a theme or praises with other words than those `told`. That it is a pity judges no theme. */
function judgesBesides({ matches }: SegmentReading, told: ReadonlySet<number>): boolean {
  return matches.some(({ name, taken }) => {
    if (name === 'privacy_bad' || name === 'past') return true
    const meaning = CUES[name]
    if (meaning === undefined || taken.every((position) => told.has(position))) return false
    return meaning.polarity > 0 || (meaning.theme !== null && meaning.polarity < 0)
  })
}

/** The words of wanting and lack of a segment. */
function wishesOf(one: SegmentReading, { wantingOf }: AskingDeps): readonly Match[] {
  return [...wantingOf(one), ...one.matches.filter((match) => isWish(match) || match.name === 'missing')]
}

/** Whether a segment praises, with other words than those that a feature is described with: faster playback is no praise of the speed. */
function isPleased(
  asked: SegmentReading,
  { segments, signals }: Reading,
  told: ReadonlySet<number>,
): boolean {
  const index = segments.indexOf(asked)
  const isTold = (cue: string) =>
    asked.matches.every(({ name, taken }) => name !== cue || taken.some((position) => told.has(position)))
  return signals.some(
    ({ segment, holds, polarity, cue }) => segment === index && holds && polarity > 0 && !isTold(cue),
  )
}

/** Whether the judgements of a sentence are such as no description holds, so that its clues need not be looked for. */
function isToldOtherwise(asked: SegmentReading, inSentence: readonly SegmentReading[]): boolean {
  if (asked.matches.some(({ name }) => name === 'praise')) return true
  return inSentence.some(({ matches }) =>
    matches.some(
      ({ name }) => NEVER_WISHED.has(name) || (CUES[name]?.bug === true && !FAULTS_TOLD.has(name)),
    ),
  )
}

/** Faults that a description can hold: things go, stop by themselves, or ring at night. */
const FAULTS_TOLD = new Set(['bug', 'compat_bad', 'data_lost', 'notif_bad', 'ui_broken', 'crash', 'drain'])

/** Whether more is wrong than the words tell that a feature is described with: a fault, a demand, an update that took something away. */
function complainsBesides({ matches }: SegmentReading, told: ReadonlySet<number>): boolean {
  return matches.some(({ name, taken }) => {
    if (NEVER_WISHED.has(name) || CUES[name]?.theme === 'onboarding') return true
    if (CUES[name]?.bug !== true) return false
    // "Deletes everything, should ask first": that something is gone is told with more words than the clue.
    const isClue = (position: number) => told.has(position)
    return name === 'data_lost' || name === 'notif_bad' ? !taken.some(isClue) : !taken.every(isClue)
  })
}

/** Who has to log in each time, or had it better before the update, reports a fault. */
const NEVER_WISHED = new Set(['login_bad', 'update_since', 'update_topic', 'fixed', 'sarcasm'])

/** Whether words of request ask for a feature rather than for a repair or an answer. */
function asksOutright(
  asked: SegmentReading,
  reading: Reading,
  { featuresOf, conceptsOf, describedIn }: AskingDeps,
): boolean {
  const index = reading.segments.indexOf(asked)
  const isRepair =
    asked.steering.has('fix_please') ||
    reading.signals.some(
      ({ segment, cue, meaning }) =>
        segment === index && (meaning.bug || NO_WISHES.has(cue)) && cue !== 'compat_bad',
    )
  // What a sign-up demands is said with the same words ("needs a phone number") as what a user asks for.
  const isDemand = reading.signals.some(
    ({ sentence, meaning }) => sentence === asked.segment.sentence && meaning.theme === 'onboarding',
  )
  if (!isRepair && !isDemand) return true
  const inSentence = sentenceOf(asked, reading)
  const namesFeature =
    inSentence.some((other) => featuresOf(other).length > 0) || describedIn(inSentence) !== undefined
  return (namesFeature && !onlyAsksForRepair(asked)) || (!isDemand && namesFaults(asked, conceptsOf(asked)))
}

/** Who lost data, money or access misses no feature: "all my notes are gone. No backup, nothing." */
function isHarmed(asked: SegmentReading, reading: Reading, featuresOf: Finder): boolean {
  return reading.signals.some(
    (signal) =>
      signal.holds &&
      (signal.cue === 'hacked' ||
        (signal.meaning.bug &&
          signal.meaning.severity === 'high' &&
          Math.abs(signal.sentence - asked.segment.sentence) <= (signal.cue === 'data_lost' ? 1 : 0) &&
          !isNameOfWish(signal, reading, featuresOf))),
  )
}

/** Whether words of lack stand beside what is missed, in a text that tells of no harm. */
function missesSomething(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { featuresOf, conceptsOf, concepts } = deps
  if (isHarmed(asked, reading, featuresOf)) return false
  const inSentence = sentenceOf(asked, reading)
  if (inSentence.some((other) => !isPraised(other, reading, deps) && lacks(other, asked, featuresOf(other))))
    return true
  return (
    !complains(inSentence, conceptsOf, concepts) && missesConcept(asked, inSentence, conceptsOf, concepts)
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
function complains(
  inSentence: readonly SegmentReading[],
  conceptsOf: Finder,
  concepts: AskingDeps['concepts'],
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

/** Whether every wish heard in a segment is part of "please repair": 直してください asks for nothing, whatever it names. */
function onlyAsksForRepair({ matches }: SegmentReading): boolean {
  const repairs = positionsOf(matches.filter(({ name }) => name === 'fix_please'))
  const wishes = matches.filter(({ name }) => name === 'request')
  return wishes.every(({ taken }) => taken.some((position) => repairs.has(position)))
}

/** Whether a fault is only part of what a feature is called: a bin "where deleted photos stay for a while" loses none. */
function isNameOfWish({ cue, segment }: Signal, { segments }: Reading, featuresOf: Finder): boolean {
  const heard = segments[segment]
  if (heard === undefined) return false
  const named = positionsOf(featuresOf(heard))
  return heard.matches.every(
    ({ name, taken }) => name !== cue || taken.every((position) => named.has(position)),
  )
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
