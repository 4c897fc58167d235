import { CUES } from '../cues.ts'
import type { Match } from '../phrases/matcher.ts'
import {
  type AskingDeps,
  asksForRepair,
  isBareDenial,
  isExact,
  isHarmed,
  isPleased,
  isUnasked,
  isWish,
  NO_WISHES,
  positionsOf,
  sentenceOf,
  wishesOf,
} from './asking-words.ts'
import type { Reading, SegmentReading } from './signals.ts'

/**
 * Whether a feature is described, or called by an exact name, beside a word of wanting or lack, where nothing else fails, pleases
 * or is demanded: "when I lie in bed, it should stop by itself", "why must I open the app to see my tasks?".
 */
export function wantsDescribed(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { cluesOf, wantingOf, featuresOf, conceptsOf, describedIn } = deps
  const inSentence = sentenceOf(asked, reading)
  if (asksForRepair(asked, reading) || isToldOtherwise(asked, inSentence)) return false
  const wants = wantingOf(asked).length > 0
  const isWanting =
    wants ||
    asked.matches.some(
      (match) => match.name === 'missing' && !isUnasked(match, asked) && !isBareDenial(match, asked),
    )
  const wishes = asked.matches.filter(
    (match) => isWish(match) && !isUnasked(match, asked) && !isBareDenial(match, asked),
  )
  if (!isWanting && wishes.length === 0) return false
  if (!wants && isHarmed(asked, reading, featuresOf)) return false
  const told = (one: SegmentReading) => positionsOf([...cluesOf(one), ...featuresOf(one)])
  const toldHere = told(asked)
  // "Without" lacks nothing where it is part of "without internet".
  const isUntold = ({ taken }: Match) => !taken.every((position) => toldHere.has(position))
  if (!isWanting && !wishes.some(isUntold)) return false
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
 * Whether a feature is called by an exact name in the sentence, which judges nothing else, in a text that tells of no harm:
 * "bookmarks are missing" asks for them, "bookmarks are missing and it lags" need not.
 */
function missesNamed(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { features, featuresOf } = deps
  const inSentence = sentenceOf(asked, reading)
  if (!inSentence.some((one) => featuresOf(one).some((feature) => isExact(feature, features)))) return false
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

/**
 * Whether whatever the segment tells is wished for: "I should be able to read along". The sentence must tell of no fault, judge no
 * theme and praise nothing, except in the words of the wish itself.
 */
export function wishesAnything(asked: SegmentReading, reading: Reading, deps: AskingDeps): boolean {
  const { matches } = asked
  if (!matches.some((match) => match.name === 'wish' && !isUnasked(match, asked))) return false
  if (matches.some(({ name }) => name === 'praise')) return false
  if (asksForRepair(asked, reading) || isHarmed(asked, reading, deps.featuresOf)) return false
  return !sentenceOf(asked, reading).some((one) => {
    const told = positionsOf([...deps.featuresOf(one), ...deps.cluesOf(one), ...wishesOf(one, deps)])
    return one.matches.some(({ name, taken }) => {
      if (NEVER_WISHED.has(name) || NO_WISHES.has(name)) return true
      return judges(name) && !taken.every((position) => told.has(position))
    })
  })
}

/** Whether a section tells of a fault, judges a theme, praises or says farewell. That it is a pity does not. */
function judges(name: string): boolean {
  const meaning = CUES[name]
  if (meaning === undefined) return false
  return (
    meaning.bug ||
    meaning.polarity > 0 ||
    name === 'churn' ||
    (meaning.theme !== null && meaning.polarity < 0)
  )
}
