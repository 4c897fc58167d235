import type { Theme } from '../../../../model/vocabulary.ts'
import { CUES, type CueMeaning, STEERING, type Steering } from '../cues.ts'
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
}

/** What one segment says besides: which steering sections were heard, and where. */
export type SegmentReading = {
  readonly segment: Segment
  readonly steering: ReadonlySet<Steering>
  readonly matches: readonly Match[]
}

export type Reading = { readonly segments: readonly SegmentReading[]; readonly signals: readonly Signal[] }

const ADS: ReadonlySet<string> = new Set(['ads_bad', 'ads_topic'])

/** In how many tokens before and after it a denial reaches a judgement. */
export type NegationWindow = { readonly before: number; readonly after: number }

const STEERING_SET: ReadonlySet<string> = new Set(STEERING)

/** A denied complaint ("no crashes") pleases less than a compliment. */
const DENIED_COMPLAINT_POLARITY = 0.6

/** Finds the phrases of every segment and decides what each of them says now. */
export function readSignals(segments: readonly Segment[], matcher: Matcher, window: NegationWindow): Reading {
  const signals: Signal[] = []
  const heard = segments.map(({ tokens }) => withoutCovered(matcher(tokens)))
  const all = new Set(heard.flatMap((matches) => matches.map(({ name }) => name)))
  // "A problem on Sunday, solved within the hour, lovely team": whoever praises the help has no fault any more.
  const isHelped = all.has('support_good') && !all.has('contrast') && !all.has('unfixed')
  const readings = segments.map((segment, index) => {
    const matches = heard[index] ?? []
    const steering = new Set<Steering>()
    for (const { name } of matches) if (isSteering(name)) steering.add(name)
    const denials = matches.filter(({ name }) => name === 'negator').flatMap(({ taken }) => taken)
    // "Had a problem, solved the next day": what mends may follow in the same sentence.
    const mended = segments.some(
      ({ sentence }, at) => at >= index && sentence === segment.sentence && mends(heard[at] ?? []),
    )
    // "An ad before every article, impossible to read": what ads keep one from is no fault.
    const isAmongAds = segments.some(
      ({ sentence }, at) =>
        at <= index && sentence === segment.sentence && (heard[at] ?? []).some(({ name }) => ADS.has(name)),
    )
    // "Support does not respond" is about people, not about a fault of the app.
    const isAboutPeople = matches.some(({ name }) => name.startsWith('support_'))
    // "The map shows the wrong stop", "there are errors in the questions": poor content, no malfunction.
    const isAboutContent = matches.some(({ name }) => name === 'content_bad' || name === 'l10n_bad')
    for (const match of matches) {
      if (match.name === 'bug' && isAboutContent) continue
      if (isAboutPeople && (match.name === 'bug' || match.name === 'slow')) continue
      if (match.name === 'bug' && (isAmongAds || isHelped)) continue
      const meaning = CUES[match.name]
      if (meaning === undefined) continue
      const denied = denials.some(
        (at) => reaches(at, match, window, meaning.polarity) && !isJoined(segment, match.end, at),
      )
      const undone = meaning.polarity < 0 && (denied || (mended && meaning.bug))
      const bygone = meaning.polarity > 0 && steering.has('past')
      signals.push({
        cue: match.name,
        meaning,
        segment: index,
        sentence: segment.sentence,
        holds: !undone && !bygone,
        polarity: bygone
          ? 0
          : undone
            ? DENIED_COMPLAINT_POLARITY
            : denied
              ? -meaning.polarity
              : meaning.polarity,
      })
    }
    return { segment, steering, matches }
  })
  return { segments: readings, signals }
}

/** When ("since the update") and on what device it is so covers nothing of what is so, nor does that something is missing or that a name stands before. */
function withoutCovered(matches: readonly Match[]): Match[] {
  const isCircumstance = ({ name }: Match) =>
    name.startsWith('update_') || name === 'compat_bad' || name === 'missing' || name === 'name_before'
  return [
    ...dropCovered(
      matches.filter((match) => !isCircumstance(match)),
      addsMeaning,
    ),
    ...dropCovered(matches.filter(isCircumstance)),
  ]
}

/**
 * "Too expensive" is no mere "too ...": a judgement without a theme covers none of the same side that has one, and nothing
 * covers a break-in.
 */
function addsMeaning(match: Match, longer: Match): boolean {
  const [meaning, wider] = [CUES[match.name], CUES[longer.name]]
  if (meaning === undefined || wider === undefined || meaning.polarity * wider.polarity <= 0) return false
  if (match.name === 'hacked') return true
  return isOfNoTheme(wider) && !isOfNoTheme(meaning)
}

function isOfNoTheme({ theme }: CueMeaning): boolean {
  return theme === null || theme === 'praise_general'
}

function mends(matches: readonly Match[]): boolean {
  const names = new Set(matches.map(({ name }) => name))
  return names.has('fixed') && !names.has('unfixed') && !names.has('fix_please')
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

function isSteering(name: string): name is Steering {
  return STEERING_SET.has(name)
}

/** "Pretty and not overdone": a denial after an "and" is about what follows. */
function isJoined({ tokens }: Segment, from: number, denial: number): boolean {
  return tokens.slice(from, denial).some(({ folded }) => JOINERS.has(folded))
}

const JOINERS: ReadonlySet<string> = new Set(
  'und oder aber sondern en of maar och eller men utan et ou mais'.split(' '),
)

function reaches(at: number, match: Match, window: NegationWindow, polarity: number): boolean {
  if (at >= match.start && at < match.end) return !match.taken.includes(at)
  // A complaint is denied only from close by: "can't update because it crashes" denies nothing.
  const before = polarity < 0 ? Math.min(window.before, 2) : window.before
  if (at < match.start) return match.start - at <= before
  return at - match.end < (polarity < 0 ? 0 : window.after)
}
