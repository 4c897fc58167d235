import type { Theme } from '../../../../model/vocabulary.ts'
import { CUES, type CueMeaning, STEERING, type Steering } from '../cues.ts'
import type { NegationWindow } from '../language/grammar.ts'
import { dropCovered, type Match, type Matcher } from '../phrases/matcher.ts'
import type { Segment } from '../text/segments.ts'

/** A meaningful phrase as it stands in its sentence. */
export type Signal = {
  readonly cue: string
  readonly meaning: CueMeaning
  readonly segment: number
  readonly sentence: number
  /** Judgement after negation, "no longer" and "used to" were heard. 0: it judges nothing now. */
  readonly polarity: number
  /** It is so now: not denied, not mended, not of the past. */
  readonly holds: boolean
  /** Another phrase of the section was heard before in exactly the same words. */
  readonly repeats: boolean
}

/** What one segment says besides: which steering sections were heard, and where. */
export type SegmentReading = {
  readonly segment: Segment
  readonly steering: ReadonlySet<Steering>
  readonly matches: readonly Match[]
}

export type Reading = { readonly segments: readonly SegmentReading[]; readonly signals: readonly Signal[] }

export type SignalsDeps = {
  readonly matcher: Matcher
  readonly negation: NegationWindow
  /** "And", "but": a denial after one is about what follows ("pretty and not overdone"). */
  readonly joiningWords: ReadonlySet<string>
}

const ADS: ReadonlySet<string> = new Set(['ads_bad', 'ads_topic'])

const STEERING_SET: ReadonlySet<string> = new Set(STEERING)

/** A denied complaint ("no crashes") pleases less than a compliment. */
const DENIED_COMPLAINT_POLARITY = 0.6

/** Finds the phrases of every segment and decides what each of them says now. */
export function readSignals(segments: readonly Segment[], deps: SignalsDeps): Reading {
  const readings = segments.map((segment): SegmentReading => {
    const matches = withoutCovered(deps.matcher(segment.tokens))
    return { segment, matches, steering: new Set(matches.map(({ name }) => name).filter(isSteering)) }
  })
  const heard = (name: string) => readings.some(({ matches }) => matches.some((match) => match.name === name))
  // "A problem on Sunday, solved within the hour, lovely team": whoever praises the help has no fault any more.
  const isHelped = heard('support_good') && !heard('contrast') && !heard('unfixed')
  const mendedIn = positions(readings, mends, 'last')
  const adsIn = positions(readings, ({ matches }) => matches.some(({ name }) => ADS.has(name)), 'first')
  const signals = readings.flatMap((reading, index) => {
    const { sentence } = reading.segment
    // "Had a problem, solved the next day": what mends may follow in the same sentence.
    const isMended = (mendedIn.get(sentence) ?? -1) >= index
    // "An ad before every article, impossible to read": what ads keep one from is no fault.
    const isAmongAds = (adsIn.get(sentence) ?? readings.length) <= index
    const excused = excusedFaults(reading.matches, isAmongAds || isHelped)
    const denials = reading.matches.filter(({ name }) => name === 'negator').flatMap(({ taken }) => taken)
    return reading.matches
      .filter(({ name }) => !excused.has(name))
      .flatMap((match) => signalOf(match, { reading, index, isMended, denials }, deps) ?? [])
  })
  return { segments: readings, signals }
}

type Place = 'first' | 'last'

/** The first or last segment of each sentence that `holds`; a sentence without one is left out. */
function positions(
  readings: readonly SegmentReading[],
  holds: (reading: SegmentReading) => boolean,
  place: Place,
): Map<number, number> {
  const found = new Map<number, number>()
  readings.forEach((reading, index) => {
    const { sentence } = reading.segment
    if ((place === 'last' || !found.has(sentence)) && holds(reading)) found.set(sentence, index)
  })
  return found
}

/** The faults that a segment names without reporting them. */
function excusedFaults(matches: readonly Match[], isAboutSomethingElse: boolean): ReadonlySet<string> {
  // "Support does not respond" is about people, not about a fault of the app.
  if (matches.some(({ name }) => name.startsWith('support_'))) return FAULTS_OF_PEOPLE
  // "The map shows the wrong stop", "there are errors in the questions": poor content, no malfunction.
  const isAboutContent = matches.some(({ name }) => name === 'content_bad' || name === 'l10n_bad')
  return isAboutContent || isAboutSomethingElse ? GENERAL_FAULT : NO_FAULTS
}

const FAULTS_OF_PEOPLE: ReadonlySet<string> = new Set(['bug', 'slow'])
const GENERAL_FAULT: ReadonlySet<string> = new Set(['bug'])
const NO_FAULTS: ReadonlySet<string> = new Set()

/** A segment as the phrases in it are judged: which one it is, whether its faults are mended, and its words of denial. */
type Surroundings = {
  readonly reading: SegmentReading
  readonly index: number
  readonly isMended: boolean
  readonly denials: readonly number[]
}

/** What `match` says now; undefined when its section means nothing by itself. */
function signalOf(
  match: Match,
  { reading: { segment, steering, matches }, index, isMended, denials }: Surroundings,
  { negation, joiningWords }: SignalsDeps,
): Signal | undefined {
  const meaning = CUES[match.name]
  if (meaning === undefined) return undefined
  const isDenied = denials.some(
    (at) => reaches(at, match, negation, meaning.polarity) && !isJoined(segment, match.end, at, joiningWords),
  )
  const isUndone = meaning.polarity < 0 && (isDenied || (isMended && meaning.bug))
  const isBygone = meaning.polarity > 0 && steering.has('past')
  const polarity = () => {
    if (isBygone) return 0
    if (isUndone) return DENIED_COMPLAINT_POLARITY
    return isDenied ? -meaning.polarity : meaning.polarity
  }
  return {
    cue: match.name,
    meaning,
    segment: index,
    sentence: segment.sentence,
    repeats: matches.find((other) => saysTheSame(other, match)) !== match,
    holds: !isUndone && !isBygone,
    polarity: polarity(),
  }
}

const CIRCUMSTANCES: ReadonlySet<string> = new Set(['compat_bad', 'missing', 'wish', 'name_before'])

/**
 * Without what a longer phrase says more exactly. When ("since the update") and on what device it is so covers nothing
 * of what is so, nor does that something is missing or that a name stands before.
 */
function withoutCovered(matches: readonly Match[]): Match[] {
  const isCircumstance = ({ name }: Match) => name.startsWith('update_') || CIRCUMSTANCES.has(name)
  return [
    ...dropCovered(
      matches.filter((match) => !isCircumstance(match)),
      addsMeaning,
    ),
    ...dropCovered(matches.filter(isCircumstance)),
  ]
}

/**
 * Whether a phrase stands beside a longer one that took all its words. "Too expensive" is no mere "too ...": a judgement
 * without a theme covers none of the same side that has one, and no judgement of that side covers a break-in.
 */
function addsMeaning(match: Match, longer: Match): boolean {
  const [meaning, wider] = [CUES[match.name], CUES[longer.name]]
  // "Please refund me" asks for no feature, but is about money back.
  if (longer.name === 'unasked') return meaning !== undefined
  if (meaning === undefined || wider === undefined || meaning.polarity * wider.polarity <= 0) return false
  if (match.name === 'hacked') return true
  return isOfNoTheme(wider) && !isOfNoTheme(meaning)
}

function isOfNoTheme({ theme }: CueMeaning): boolean {
  return theme === null || theme === 'praise_general'
}

function mends({ steering }: SegmentReading): boolean {
  return steering.has('fixed') && !steering.has('unfixed') && !steering.has('fix_please')
}

/** Faults that a wish can be worded as: "why does it not work with X", "no messages at night". */
const WISHED_FAULTS = new Set(['bug', 'compat_bad', 'notif_bad'])

/**
 * The reading without the faults of the sentences that only ask for a feature of `theme`: a complaint of the same
 * theme beside it is the reason for the wish ("dark mode please, it is blinding").
 */
export function withoutWishedFaults(
  reading: Reading,
  sentences: ReadonlySet<number>,
  theme: Theme | null,
): Reading {
  const isWished = ({ cue, meaning, polarity, sentence }: Signal) =>
    sentences.has(sentence) &&
    polarity < 0 &&
    (WISHED_FAULTS.has(cue) || (theme !== null && meaning.theme === theme && meaning.severity !== 'high'))
  return {
    segments: reading.segments,
    signals: reading.signals.map((signal) =>
      isWished(signal)
        ? { ...signal, holds: false, polarity: signal.meaning.theme === theme ? 0 : signal.polarity }
        : signal,
    ),
  }
}

/** The reading as if one section had not been heard. */
export function withoutCue(reading: Reading, cue: string): Reading {
  return { segments: reading.segments, signals: reading.signals.filter((signal) => signal.cue !== cue) }
}

function saysTheSame(other: Match, { name, taken }: Match): boolean {
  return (
    other.name === name &&
    other.taken.length === taken.length &&
    other.taken.every((position, index) => position === taken[index])
  )
}

function isSteering(name: string): name is Steering {
  return STEERING_SET.has(name)
}

/** Whether a joining word stands between a judgement and a denial after it. */
function isJoined(
  { tokens }: Segment,
  from: number,
  denial: number,
  joiningWords: ReadonlySet<string>,
): boolean {
  return tokens.slice(from, denial).some(({ folded }) => joiningWords.has(folded))
}

function reaches(at: number, match: Match, window: NegationWindow, polarity: number): boolean {
  if (at >= match.start && at < match.end) return !match.taken.includes(at)
  // A complaint is denied only from close by: "can't update because it crashes" denies nothing.
  const before = polarity < 0 ? Math.min(window.before, 2) : window.before
  if (at < match.start) return match.start - at <= before
  return at - match.end < (polarity < 0 ? 0 : window.after)
}
