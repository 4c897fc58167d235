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
  /** Articles, auxiliaries, courtesies. */
  readonly functionWords: ReadonlySet<string>
  /** The feature that segments describe together. */
  readonly describedIn: (segments: readonly SegmentReading[]) => unknown
  /** How many times likelier the words of a sentence are in wishes than in what asks for nothing, as a natural logarithm. */
  readonly toWishes: (stems: Iterable<string>) => number
}

/** Segments by sentence, made once for a reading: a search through all of them for each would be quadratic. */
const bySentence = new WeakMap<readonly SegmentReading[], ReadonlyMap<number, readonly SegmentReading[]>>()

/** The segments of the sentence of one of them. */
export function sentenceOf({ segment }: SegmentReading, { segments }: Reading): readonly SegmentReading[] {
  let sentences = bySentence.get(segments)
  if (sentences === undefined) {
    sentences = Map.groupBy(segments, (one) => one.segment.sentence)
    bySentence.set(segments, sentences)
  }
  return sentences.get(segment.sentence) ?? []
}

/** Asks by itself, or beside what it asks for. */
export function isWish({ name }: Match): boolean {
  return name === 'lack' || name === 'request'
}

export function positionsOf(matches: readonly Match[]): Set<number> {
  return new Set(matches.flatMap(({ taken }) => taken))
}

/** The words of a segment that ask, want or miss. */
export function wishesOf(one: SegmentReading, { wantingOf }: AskingDeps): readonly Match[] {
  return [...wantingOf(one), ...one.matches.filter(({ name }) => ASKING.has(name))]
}

const ASKING: ReadonlySet<string> = new Set(['request', 'lack', 'wish', 'missing'])

/** Whether a name of the catalogue means one feature: of search, photos or sharing people speak in complaints that ask for nothing. */
export function isExact({ name }: Match, features: AskingDeps['features']): boolean {
  return features.get(name)?.isGeneral === false
}

/** Whether words of wishing are part of some that ask for nothing: "all I want", "when I want to scan", "cannot reach anybody". */
export function isUnasked({ start, end, taken }: Match, { matches }: SegmentReading): boolean {
  return matches.some((longer) =>
    NO_WISHES.has(longer.name)
      ? taken.every((position) => longer.taken.includes(position))
      : longer.name === 'unasked' && longer.start <= start && end <= longer.end,
  )
}

/** Whether a section of those that ask is heard in other words than such as ask for nothing. */
export function isHeard(section: 'request' | 'lack', one: SegmentReading): boolean {
  return one.matches.some((match) => match.name === section && !isUnasked(match, one))
}

/** Whether words that miss something only deny: "no stress", "without fuss". */
export function isBareDenial({ name, start, end }: Match, { matches }: SegmentReading): boolean {
  return (
    (name === 'lack' || name === 'missing') &&
    matches.some((other) => other.name === 'negator' && other.start === start && other.end === end)
  )
}

/** Wanting money back or an answer asks for no feature. */
export const NO_WISHES = new Set(['refund', 'support_bad', 'support_gone'])

/** "Fix this, please": a sentence that wants something put right, courtesies and all, asks for nothing else. */
export function asksForRepair(asked: SegmentReading, reading: Reading): boolean {
  return sentenceOf(asked, reading).some(({ steering }) => steering.has('fix_please'))
}

/** Whether a segment praises, with other words than those that a feature is described with: faster playback is no praise of the speed. */
export function isPleased(
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

/** Who lost data, money or access misses no feature: "all my notes are gone. No backup, nothing." */
export function isHarmed(asked: SegmentReading, reading: Reading, featuresOf: Finder): boolean {
  const isLossItsReason = guardsAgainstSlips(asked, featuresOf)
  return reading.signals.some((signal) => {
    const { cue, holds, meaning, sentence } = signal
    if (!holds) return false
    if (cue === 'hacked') return true
    if (!meaning.bug || meaning.severity !== 'high' || (cue === 'data_lost' && isLossItsReason)) return false
    const isNear = Math.abs(sentence - asked.segment.sentence) <= (cue === 'data_lost' ? 1 : 0)
    return isNear && !isNameOfWish(signal, reading, featuresOf)
  })
}

/** Whether a segment names what people ask for because they once deleted something. A backup nobody missed before the loss. */
export function guardsAgainstSlips(one: SegmentReading, featuresOf: Finder): boolean {
  return featuresOf(one).some(({ name }) => AGAINST_SLIPS.has(name))
}

const AGAINST_SLIPS: ReadonlySet<string> = new Set(['undo', 'trash', 'confirm-delete'])

/** Whether a fault is only part of what a feature is called: a bin "where deleted photos stay for a while" loses none. */
function isNameOfWish({ cue, segment }: Signal, { segments }: Reading, featuresOf: Finder): boolean {
  const heard = segments[segment]
  if (heard === undefined) return false
  const named = positionsOf(featuresOf(heard))
  return heard.matches.every(
    ({ name, taken }) => name !== cue || taken.every((position) => named.has(position)),
  )
}
