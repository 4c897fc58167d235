/**
 * A store of event IDs, so that each event is processed once. Delivery is at least once: retries and replays have the
 * same `event_id` and bytes.
 *
 * `begin` claims an ID before processing, and `finish` marks it as done afterwards. A claim alone does not mean done: a
 * process that crashes in between must not lose the event. Keep finished IDs as long as events are retried and
 * replayed; a week covers the default schedule.
 *
 * If you can, store the ID and the effect in one transaction, in a table with a unique key. Then you need no `Dedupe`.
 */
export type Dedupe = {
  /**
   * Claims an event. `new`: process it, then call `finish` or `release`. `done`: it was processed before. `busy`: another
   * request is processing it, so do not acknowledge this one. A store outside this process must expire claims after some
   * minutes, because their owner may have crashed.
   */
  begin(eventId: string): Promise<'new' | 'done' | 'busy'>
  /** Marks the event as processed. */
  finish(eventId: string): Promise<void>
  /** Drops the claim after a failure, so that the next attempt can process the event. */
  release(eventId: string): Promise<void>
}

/** 100,000 IDs use about 15 MB. */
const IDS_MAX = 100_000

/**
 * Keeps the newest `max` finished IDs in memory: enough for tests, and for a single process that may process an event
 * twice after a restart.
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
 * Processes an event unless it was processed before. If `process` rejects, releases the event and rejects with the same
 * error.
 */
export async function processOnce(
  dedupe: Dedupe,
  eventId: string,
  process: () => unknown,
): Promise<'processed' | 'done' | 'busy'> {
  const state = await dedupe.begin(eventId)
  if (state !== 'new') return state
  try {
    await process()
  } catch (error) {
    await dedupe.release(eventId)
    throw error
  }
  await dedupe.finish(eventId)
  return 'processed'
}
