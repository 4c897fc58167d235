import { STREAM_TOPICS, type StreamTopic } from '../../contract/console/system.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { InsightsStorage, Marks } from '../../storage/port/insights.ts'

/** Tells listeners what of their account changed, by looking at its marks while anybody listens. */
export type Topics = {
  /** `tell` is called with what changed since now, at most once a second for each topic. Returns how to stop. */
  readonly listen: (accountId: string, tell: (topics: readonly StreamTopic[]) => void) => Promise<() => void>
}

const LOOK_EVERY_MS = 1_000

type Watched = { marks: Marks; readonly listeners: Set<(topics: readonly StreamTopic[]) => void> }

export function createTopics(deps: {
  readonly insights: Pick<InsightsStorage, 'marks'>
  readonly clock: Clock
  readonly log: Log
  /** Ends the looking, and with it this process's last reads. */
  readonly signal: AbortSignal
}): Topics {
  const { insights, clock, log, signal } = deps
  const accounts = new Map<string, Watched>()
  let looking = false

  /** One account after another, so that many of them never ask the database for much at once. */
  async function look(): Promise<void> {
    for (const [accountId, watched] of accounts) {
      const marks = await insights.marks(accountId, clock.now())
      const changed = STREAM_TOPICS.filter((topic) => marks[topic] !== watched.marks[topic])
      watched.marks = marks
      if (changed.length > 0) for (const tell of watched.listeners) tell(changed)
    }
  }

  async function lookWhileSomebodyListens(): Promise<void> {
    if (looking) return
    looking = true
    try {
      while (accounts.size > 0 && !signal.aborted) {
        await clock.sleep(LOOK_EVERY_MS, signal)
        if (signal.aborted) break
        // A database that is away for a moment only makes the pages a little older.
        await look().catch((error: unknown) => log.warn('stream.look_failed', { error }))
      }
    } finally {
      looking = false
    }
  }

  return {
    async listen(accountId, tell) {
      const marks = await insights.marks(accountId, clock.now())
      const watched = accounts.get(accountId) ?? { marks, listeners: new Set() }
      accounts.set(accountId, watched)
      watched.listeners.add(tell)
      void lookWhileSomebodyListens()
      return () => {
        watched.listeners.delete(tell)
        if (watched.listeners.size === 0 && accounts.get(accountId) === watched) accounts.delete(accountId)
      }
    },
  }
}
