import type { Watch } from '../../model/hook.ts'
import { eventIdOf, type Occurrence } from '../../model/occurrence.ts'
import type { Candidate, NewEvent } from '../../storage/port/occurrences.ts'
import { type Match, match } from './match.ts'
import { payloadOf, type ReviewTexts } from './payload.ts'

/**
 * The events of an occurrence: one for each hook with a matching watch, built from the oldest one, with the watches whose slide
 * or spike it reports. Pure.
 */
export function eventsOf(occurrence: Occurrence, candidates: readonly Candidate[]): NewEvent[] {
  const events = new Map<string, NewEvent>()
  const texts: ReviewTexts = new Map()
  for (const candidate of [...candidates].sort((a, b) => byAge(a.watch, b.watch))) {
    const { watch } = candidate
    const earlier = events.get(watch.hookId)
    if (earlier !== undefined && watch.deltaWindowHours === null && watch.spike === null) continue
    const matched = match(occurrence, candidate)
    if (!matched.match) continue
    const event: NewEvent = earlier ?? newEventOf(occurrence, watch, matched, texts)
    // An event of another watch of the hook reports the slide or the spike too.
    const slides = matched.slideFrom === undefined ? event.slides : [...(event.slides ?? []), watch.id]
    const spikes =
      matched.spike === undefined
        ? event.spikes
        : [...(event.spikes ?? []), { watchId: watch.id, end: matched.spike.end }]
    events.set(watch.hookId, { ...event, ...(slides && { slides }), ...(spikes && { spikes }) })
  }
  return [...events.values()]
}

function newEventOf(
  occurrence: Occurrence,
  watch: Watch,
  matched: Extract<Match, { match: true }>,
  texts: ReviewTexts,
): NewEvent {
  const { hookId, accountId } = watch
  const eventId = eventIdOf(hookId, occurrence.occurrenceId)
  return { eventId, hookId, accountId, body: payloadOf(occurrence, watch, matched, texts, eventId) }
}

function byAge(a: Watch, b: Watch): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
