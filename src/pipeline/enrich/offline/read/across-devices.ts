import { CUES } from '../cues.ts'
import type { Matcher } from '../phrases/matcher.ts'
import type { Reading, Signal } from './signals.ts'

/**
 * Adds what nobody calls by its name: a sentence that complains and names two kinds of devices ("what I save on the
 * phone is not on the tablet") is about sync, and its devices are no matter of compatibility.
 */
export function readAcrossDevices(reading: Reading, deviceMatcher: Matcher): Reading {
  const found = new Map<number, Set<string>>()
  for (const { segment } of reading.segments) {
    const kinds = found.get(segment.sentence) ?? new Set()
    for (const { name } of deviceMatcher(segment.tokens)) kinds.add(name)
    found.set(segment.sentence, kinds)
  }
  const torn = [...found].filter(([, kinds]) => kinds.size >= 2).map(([sentence]) => sentence)
  if (torn.length === 0) return reading
  const meaning = CUES.sync_bad
  const added = torn.flatMap((sentence): Signal[] => {
    const within = reading.segments.flatMap(({ segment, steering }, index) =>
      segment.sentence === sentence ? [{ index, steering }] : [],
    )
    // "A version for the watch, so that I can leave the phone at home" asks, whatever it complains of.
    if (meaning === undefined || within.some(({ steering }) => steering.has('request'))) return []
    const complaining = within.find(({ steering }) => COMPLAINTS.some((name) => steering.has(name)))
    const isComplained =
      complaining !== undefined ||
      reading.signals.some((signal) => signal.sentence === sentence && signal.holds && signal.polarity < 0)
    const segment = (complaining ?? within[0])?.index
    if (!isComplained || segment === undefined) return []
    return [
      {
        cue: 'sync_bad',
        meaning,
        segment,
        sentence,
        polarity: meaning.polarity,
        holds: true,
        repeats: false,
      },
    ]
  })
  const sentences = new Set(added.map(({ sentence }) => sentence))
  const kept = reading.signals.filter(
    ({ cue, sentence }) => !(sentences.has(sentence) && cue.startsWith('compat')),
  )
  return { segments: reading.segments, signals: [...kept, ...added] }
}

/** A denial or an "unfortunately" between two devices is a complaint too. */
const COMPLAINTS = ['negator', 'contrast', 'unfixed', 'fix_please'] as const
