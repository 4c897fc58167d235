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
  const added = torn.flatMap((sentence) => {
    const segment = reading.segments.findIndex(
      (other) => other.segment.sentence === sentence && COMPLAINTS.some((name) => other.steering.has(name)),
    )
    const complains = reading.signals.some(
      (signal) => signal.sentence === sentence && signal.holds && signal.polarity < 0,
    )
    const meaning = CUES.sync_bad
    // "A version for the watch, so that I can leave the phone at home" asks, whatever it complains of.
    const asks = reading.segments.some(
      (other) => other.segment.sentence === sentence && other.steering.has('request'),
    )
    if (meaning === undefined || asks || (segment < 0 && !complains)) return []
    const at = Math.max(
      segment,
      reading.segments.findIndex((other) => other.segment.sentence === sentence),
    )
    const signal: Signal = {
      cue: 'sync_bad',
      meaning,
      segment: at,
      sentence,
      polarity: meaning.polarity,
      holds: true,
    }
    return [signal]
  })
  const sentences = new Set(added.map(({ sentence }) => sentence))
  const kept = reading.signals.filter(
    ({ cue, sentence }) => !(sentences.has(sentence) && cue.startsWith('compat')),
  )
  return { segments: reading.segments, signals: [...kept, ...added] }
}

/** A denial or an "unfortunately" between two devices is a complaint too. */
const COMPLAINTS = ['negator', 'contrast', 'unfixed', 'fix_please'] as const
