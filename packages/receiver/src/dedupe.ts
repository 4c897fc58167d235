/**
 * Delivery is at least once: a request whose answer got lost comes again, and so does a replay, with the same
 * `event_id` and bytes. A store of event ids turns that into processing each event once.
 *
 * An id is taken before an event is processed and finished afterwards. One that was only taken is not done: a process
 * that dies in between must not lose the event. Keep finished ids for as long as events are retried and replayed; a
 * week covers the default schedule.
 *
 * Best of all is one transaction for the id and the effect, in a table with a unique key: then no such store is needed.
 */
export type Dedupe = {
  /**
   * Takes an event. `new`: process it, then call `finish` or `release`. `done`: it was processed before. `busy`: it is
   * being processed now, so that a second request must not be acknowledged yet. A store outside this process ends a
   * take by itself after some minutes, because its taker may have died.
   */
  begin(eventId: string): Promise<'new' | 'done' | 'busy'>
  /** The event was processed. */
  finish(eventId: string): Promise<void>
  /** Processing failed: the next attempt may take the event again. */
  release(eventId: string): Promise<void>
}

/** Chosen: 100,000 ids take about 15 MB. */
const IDS_MAX = 100_000

/**
 * Keeps the newest `max` finished ids in this process: enough for tests and for one process that may see an event twice
 * after its restart.
 */
export function memoryDedupe({ max = IDS_MAX }: { readonly max?: number } = {}): Dedupe {
  const busy = new Set<string>()
  const done = new Set<string>()
  return {
    begin: async (eventId) => {
      if (done.has(eventId)) return 'done'
      if (busy.has(eventId)) return 'busy'
      busy.add(eventId)
      return 'new'
    },
    finish: async (eventId) => {
      busy.delete(eventId)
      done.add(eventId)
      const [oldest] = done
      if (done.size > max && oldest !== undefined) done.delete(oldest)
    },
    release: async (eventId) => {
      busy.delete(eventId)
    },
  }
}

/**
 * Processes an event unless it was processed before, and says what happened. Rejects with what `process` rejects with,
 * after releasing the event.
 */
export async function processOnce(
  dedupe: Dedupe,
  eventId: string,
  process: () => unknown,
): Promise<'processed' | 'done' | 'busy'> {
  const taken = await dedupe.begin(eventId)
  if (taken !== 'new') return taken
  try {
    await process()
  } catch (error) {
    await dedupe.release(eventId)
    throw error
  }
  await dedupe.finish(eventId)
  return 'processed'
}
