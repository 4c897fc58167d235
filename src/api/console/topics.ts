import { createHash } from 'node:crypto'
import { STREAM_TOPICS, type StreamTopic } from '../../contract/console/system.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Marks } from '../../operations/overview.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'

/** Notifies listeners of changes in their account. It compares the account's marks while there are listeners. */
export type Topics = {
  /**
   * Calls `notify` with each changed topic, at most once per second, and with the new state. The first call follows at once, with the
   * topics that changed since the `state` of the page, possibly none; null means that the page has no state. Returns a function that ends
   * the notifications.
   */
  readonly listen: (accountId: string, since: string | null, notify: Notify) => Promise<() => void>
}

type Notify = (topics: readonly StreamTopic[], state: string) => void

const CHECK_EVERY_MS = 1_000

type Watched = { marks: Marks; readonly listeners: Set<Notify> }

export function createTopics(deps: {
  readonly operations: Pick<Operations, 'overview'>
  readonly clock: Clock
  readonly log: Log
  /** Ends the checks. */
  readonly signal: AbortSignal
}): Topics {
  const { clock, log, signal } = deps
  const { overview } = deps.operations
  const accounts = new Map<string, Watched>()
  let checking = false

  /** Checks one account after another, so that many accounts do not query the database concurrently. */
  async function check(): Promise<void> {
    for (const [accountId, watched] of accounts) {
      const marks = await overview.marks(accountId)
      const changed = STREAM_TOPICS.filter((topic) => marks[topic] !== watched.marks[topic])
      watched.marks = marks
      if (changed.length > 0) for (const notify of watched.listeners) notify(changed, stateOf(marks))
    }
  }

  async function checkWhileListening(): Promise<void> {
    if (checking) return
    checking = true
    try {
      while (accounts.size > 0 && !signal.aborted) {
        await clock.sleep(CHECK_EVERY_MS, signal)
        if (signal.aborted) break
        // While the database is unavailable, pages do not change.
        await check().catch((error: unknown) => log.warn('stream.check_failed', { error }))
      }
    } finally {
      checking = false
    }
  }

  return {
    async listen(accountId, since, notify) {
      const marks = await overview.marks(accountId)
      notify(changedSince(since, marks), stateOf(marks))
      const watched = accounts.get(accountId) ?? { marks, listeners: new Set() }
      accounts.set(accountId, watched)
      watched.listeners.add(notify)
      void checkWhileListening()
      return () => {
        watched.listeners.delete(notify)
        if (watched.listeners.size === 0 && accounts.get(accountId) === watched) accounts.delete(accountId)
      }
    },
  }
}

/** A short text for the marks of an account: a part per topic, which differs when the topic changed. */
export function stateOf(marks: Marks): string {
  return STREAM_TOPICS.map((topic) => hashed(marks[topic])).join('.')
}

/** All topics, for a page without a state. */
function changedSince(state: string | null, marks: Marks): StreamTopic[] {
  const before = state?.split('.') ?? []
  return STREAM_TOPICS.filter((topic, index) => before[index] !== hashed(marks[topic]))
}

function hashed(mark: string): string {
  return createHash('sha256').update(mark).digest('base64url').slice(0, 10)
}
